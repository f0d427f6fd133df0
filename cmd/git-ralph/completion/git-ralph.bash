# bash completion for git ralph and git-ralph. git-ralph says itself what a word can become; bash offers it.

# _git_ralph_words ASK... -- WORDS...: let ASK, which is git or git's own wrapper of it, complete the last of WORDS.
_git_ralph_words() {
	local -a ask=()
	while [ "$1" != -- ]; do
		ask+=("$1")
		shift
	done
	shift
	set -- "${@//[\\\"\']/}" # words come as they are typed, with their quotes
	local line word last="${!#}" quoted strip=""
	# bash takes what stands behind = and : for a word of its own.
	case $last in
	*[=:]*) [[ $COMP_WORDBREAKS == *[=:]* ]] && strip=${last%"${last##*[=:]}"} ;;
	esac
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${last#"$strip"}")
			;;
		:folders)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "${last#"$strip"}")
			;;
		*)
			word=${line%%$'\t'*}
			printf -v quoted %q "${word#"$strip"}"
			COMPREPLY+=("$quoted")
			;;
		esac
	done < <("${ask[@]}" ralph __complete -- "$@" 2>/dev/null)
}

# git's completion calls this for git ralph.
_git_ralph() {
	local i
	for ((i = 1; i < cword; i++)); do
		[ "${words[i]}" = ralph ] && break
	done
	compopt +o nospace 2>/dev/null # git puts the spaces itself; we leave them to bash
	_git_ralph_words __git -- "${words[@]:i+1:cword-i}"
}

# bash calls this for git-ralph.
_git_ralph_alone() {
	local cur prev words cword
	if declare -F _get_comp_words_by_ref >/dev/null; then
		_get_comp_words_by_ref -n =: cur prev words cword
	else
		read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
		[[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
		cword=$((${#words[@]} - 1))
	fi
	_git_ralph_words git -- "${words[@]:1:cword}"
}

complete -o bashdefault -F _git_ralph_alone git-ralph
