#compdef parakh
# Completion of parakh in zsh. It wants compinit.
_parakh() {
    local line files
    local -a found plain
    for line in "${(@f)$("$words[1]" completion answer -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
            :files) files=yes ;;
            *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            ?*) plain+=("$line") ;;
        esac
    done
    [[ $words[CURRENT] == --*=* ]] && compset -P '*='
    (( $#found )) && _describe parakh found
    (( $#plain )) && compadd -a plain
    if [[ -n $files ]]; then
        compset -P '*='
        _files
    fi
}
if [[ $funcstack[1] == _parakh ]]; then
    _parakh "$@"
else
    compdef _parakh parakh
fi
