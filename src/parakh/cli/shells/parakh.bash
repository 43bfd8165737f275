# Completion of parakh in bash 4.4 or newer.
_parakh() {
    local line current=${COMP_WORDS[COMP_CWORD]}
    local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o default  # readline completes files itself, with tildes, quotes and spaces
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <("${COMP_WORDS[0]}" completion answer -- "${words[@]}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
complete -F _parakh parakh
