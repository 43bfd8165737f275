# Completion of parakh in fish 3 or newer.
function __parakh_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l before (string match --regex -- '^--[^=]*=' $current; or echo)  # an empty list would swallow the line
    for line in ($words[1] completion answer -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace --regex -- '^.*=' '' $current) | string replace --regex -- '^' (string match --regex -- '^.*=' $current; or echo)
        else
            echo $before$line
        end
    end
end
complete --command parakh --no-files --arguments '(__parakh_complete)'
