#!/bin/sh
# The tests of greet.sh, as TAP. The exit code says whether all passed.
number=0
failed=0

expect() { # NAME WANT ARGUMENTS...
	name=$1 want=$2
	shift 2
	number=$((number + 1))
	got=$(sh ./greet.sh "$@")
	if [ "$got" = "$want" ]; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name: got '$got', want '$want'"
		failed=1
	fi
}

echo 1..3
expect "greets the world" "Hello, world!"
expect "greets somebody by name" "Hello, Ada!" Ada
expect "greets two" "Hello, Ada and Alan!" Ada Alan
exit $failed
