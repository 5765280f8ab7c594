# SPDX-License-Identifier: Apache-2.0
# fish: completions of touchstone. `touchstone complete` knows the candidates; where it has none, a file is expected.
function __touchstone_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] complete -- $words[2..] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c touchstone -f -a '(__touchstone_complete)'
