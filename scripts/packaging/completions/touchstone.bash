# SPDX-License-Identifier: Apache-2.0
# bash: completions of touchstone. `touchstone complete` knows the candidates.
_touchstone() {
    local line=${COMP_LINE:0:COMP_POINT} words typed candidates before
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    typed=${words[-1]}
    mapfile -t candidates < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null | cut -f 1)
    # bash replaces what follows the last of its own word breaks, ":" and "=" among them.
    before=${typed%"${typed##*[:=]}"}
    [[ $COMP_WORDBREAKS == *:* ]] || before=
    COMPREPLY=("${candidates[@]#"$before"}")
    [[ ${#candidates[@]} -eq 1 && ${candidates[0]} == *[:=] ]] && compopt -o nospace
}
complete -o default -o bashdefault -F _touchstone touchstone
