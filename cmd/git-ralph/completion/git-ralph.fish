# fish completion for git ralph and git-ralph. git-ralph says itself what a word can become; fish offers it.
# It belongs into a folder conf.d: for git ralph fish looks into no file of ours.

function __git_ralph_complete
    set -l typed (commandline -opc)
    set -l raw (commandline -ct)
    # A quote may still be open.
    set -l word (string unescape -- $raw; or string unescape -- $raw\"; or string unescape -- $raw\')
    set -l there
    while set -q typed[1]; and not contains -- (basename -- $typed[1]) ralph git-ralph
        test "$typed[1]" = -C; and set there -C (string replace -r -- '^~' ~ "$typed[2]")
        set -e typed[1]
    end
    for line in (git $there ralph __complete -- $typed[2..-1] "$word" 2>/dev/null)
        set -l flag (string match -r -- '^--[^=]*=' $word)
        switch $line
            case :files
                string replace -r -- '^' "$flag" (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
            case :folders
                string replace -r -- '^' "$flag" (__fish_complete_directories (string replace -r -- '^--[^=]*=' '' $word))
            case '*'
                echo $line
        end
    end
end

complete -c git-ralph -f -k -a '(__git_ralph_complete)'
complete -c git -n '__fish_git_using_command ralph' -f -k -a '(__git_ralph_complete)'
