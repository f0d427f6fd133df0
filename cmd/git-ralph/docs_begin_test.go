package main

import (
	"os"
	"path/filepath"
	"slices"
)

// inTheDemo begins a page in the repository that `git ralph demo --keep greet-demo` leaves.
func inTheDemo(_ *lab, r *reader) {
	r.types("git ralph demo --keep greet-demo")
	r.types("cd greet-demo")
}

// besideShop begins a page beside the repository shop, which has a check that fails.
func besideShop(l *lab, r *reader) {
	l.write("home/shop/test.sh", docTest)
	l.write("home/shop/cart.sh", "echo 0\n")
	r.types("cd shop && git init -q && git add -A && git commit -q -m 'A cart and its test' && cd ..")
}

// inShop begins a page in that repository.
func inShop(l *lab, r *reader) {
	besideShop(l, r)
	r.types("cd shop")
}

// withClaude begins a page like besideShop. A program claude stands in for the agent of that name.
func withClaude(l *lab, r *reader) {
	l.write("home/bin/claude", docClaude)
	path := filepath.Join(l.home(), "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	l.env = append(slices.Clone(l.env), "PATH="+path)
	besideShop(l, r)
}

// onTwoMachines begins a page beside two clones, laptop and server, of one repository like that of withClaude.
func onTwoMachines(l *lab, r *reader) {
	withClaude(l, r)
	l.write("home/waited", "")
	r.types("git clone -q --bare shop hub.git && git clone -q hub.git laptop && git clone -q hub.git server")
}

// docTest is the check of the repository shop.
const docTest = `echo 1..3
for n in 1 2 3; do
	want=$((n * 5))
	got=$(sh cart.sh $n)
	if [ "$got" = "$want" ]; then echo "ok $n - $n things"; else echo "not ok $n - $n things: got $got, want $want"; failed=1; fi
done
exit ${failed:-0}
`

// docClaude prints what claude prints, for one right answer more in every iteration. Once it is told to wait for a moment.
const docClaude = `#!/bin/sh
cat >/dev/null
n=$GIT_RALPH_ITERATION
if [ "$n" = 2 ] && ! [ -e ~/waited ]; then
	touch ~/waited
	echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$(($(date +%s) + 2))'}}'
	echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You have hit your limit","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":0}}'
	exit 1
fi
printf 'case $1 in\n' >cart.sh
for i in $(seq $n); do echo "$i) echo $((i * 5)) ;;" >>cart.sh; done
printf '*) echo 0 ;;\nesac\n' >>cart.sh
promise=
[ $n -lt 2 ] || promise='\n\n<promise>COMPLETE</promise>'
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"result":"## Summary\n\nThe cart adds up to '$n' things.'"$promise"'","session_id":"5f2c'$n'","total_cost_usd":1.12,"usage":{"input_tokens":41200,"cache_read_input_tokens":380000,"output_tokens":5300}}'
`
