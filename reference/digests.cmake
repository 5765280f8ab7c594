# SPDX-License-Identifier: Apache-2.0
# The digest of an operator is over what decides its verdicts: its own files, those that it shares with others (of
# gather_nd1, gather_nd_shared.c), those that its specification shares, and the parts of the harness that fill inputs and
# judge outputs. It changes when their meaning may: comments, include lines, blank lines and indentation are left out.
# digests_test.cmake requires that no operator is part of the digest of another one.
function(touchstone_meaning_of root file result)
    file(READ ${root}/${file} text)
    string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
    string(REGEX REPLACE "#include[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[ \t]+" " " text "${text}")
    string(REGEX REPLACE " ?\n[ \n]*" "\n" text "${text}")
    string(SHA256 digest "${text}")
    set(${result} "${file}:${digest}\n" PARENT_SCOPE)
endfunction()

# Set `result` to the digests of the operators, files relative to the folder `reference` of the source tree `root`, and
# `files` to the files that they are over.
function(touchstone_operator_digests root operators result files)
    if(NOT CMAKE_SCRIPT_MODE_FILE)
        set(depends CONFIGURE_DEPENDS)
    endif()
    file(GLOB deciding ${depends} RELATIVE ${root} ${root}/reference/*.[ch] ${root}/reference/*/*.[ch])
    list(FILTER deciding EXCLUDE REGEX "_test\\.c$|_(explain|interpretations|loops|mistakes|suggest|choices|unjudged)\\.[ch]$")
    list(FILTER deciding EXCLUDE REGEX "ledger[^/]*$|/operators\\.h$|/(expect_clause|index_cases)\\.h$")
    list(APPEND deciding harness/casefile/casebuild.c harness/execute/compare_buffers.c harness/execute/execute_judge.c
         harness/model/fill.c harness/model/layout.c harness/model/shuffle.c)
    list(SORT deciding)
    set(digests "")
    foreach(operator IN LISTS operators)
        string(REGEX REPLACE "\\.c$" "" own ${operator})
        get_filename_component(specification ${operator} DIRECTORY)
        set(meaning "")
        foreach(file IN LISTS deciding)
            string(REGEX REPLACE "^reference/|\\.[ch]$" "" name ${file})
            string(REGEX MATCH "^[a-z]+" first "${name}") # of dml, dml_index and dml/gather: dml
            if(file MATCHES "^reference/[a-z]+/.*\\.h$" AND NOT EXISTS ${root}/reference/${name}.c)
                continue() # the attributes of a family that is declared
            endif()
            if(file MATCHES "^reference/" AND NOT name STREQUAL own AND ("${name}.c" IN_LIST operators OR
               (NOT first STREQUAL specification AND IS_DIRECTORY ${root}/reference/${first})))
                continue() # of another operator, or of another specification
            endif()
            if(file MATCHES "^reference/(.*)_shared\\.[ch]$")
                set(family ${CMAKE_MATCH_1})
                set(others "")
                if(operators MATCHES "(^|;)${family}_?[0-9]+\\.c")
                    set(others "_?[0-9]*$") # of versions, which differ in a number at the end, theirs alone
                endif()
                if(NOT own MATCHES "^${family}${others}")
                    continue() # shared by other operators
                endif()
            endif()
            touchstone_meaning_of(${root} ${file} part)
            string(APPEND meaning "${part}")
        endforeach()
        string(SHA256 digest "${meaning}")
        list(APPEND digests ${digest})
    endforeach()
    set(${result} "${digests}" PARENT_SCOPE)
    list(TRANSFORM deciding PREPEND ${root}/)
    set(${files} "${deciding}" PARENT_SCOPE)
endfunction()

# Set `result` to the digest of the operators that the family `family` declares and that are computed, and `files` to the
# files that it is over: the family, what all families share, the legal calls, and the parts of the harness that make
# inputs and descriptors and judge outputs.
function(touchstone_declared_digest root family families result files)
    get_filename_component(name ${family} NAME_WE)
    file(GLOB deciding RELATIVE ${root} ${root}/reference/dml.[ch] ${root}/reference/checked/*.[ch]
         ${root}/reference/dml/${name}.h) # the last are its attributes
    list(FILTER deciding EXCLUDE REGEX "_(test|explain)\\.c$")
    foreach(other IN LISTS families)
        file(STRINGS ${root}/reference/${other} declares REGEX "^const checked_operator (checked|computed)_dml_" LIMIT_COUNT 1)
        if(declares AND NOT other STREQUAL family)
            list(REMOVE_ITEM deciding reference/${other})
        endif()
    endforeach()
    list(APPEND deciding harness/casefile/casebuild.c harness/casefile/changes.c harness/casefile/validation.c
         harness/casefile/validation_draw.c harness/execute/compare_buffers.c harness/execute/execute_judge.c
         harness/model/fill.c harness/model/layout.c harness/model/shuffle.c reference/checked/legal.json)
    list(SORT deciding)
    set(meaning "")
    foreach(file IN LISTS deciding)
        touchstone_meaning_of(${root} ${file} part)
        string(APPEND meaning "${part}")
    endforeach()
    string(SHA256 digest "${meaning}")
    set(${result} ${digest} PARENT_SCOPE)
    list(TRANSFORM deciding PREPEND ${root}/)
    set(${files} "${deciding}" PARENT_SCOPE)
endfunction()

# Set `result` to the digest of all operators that are only checked, which share most of their rules, and `files` to the
# files that it is over: the declarations, their legal calls, and what makes cases of them.
function(touchstone_checked_digest root result files)
    file(GLOB deciding CONFIGURE_DEPENDS RELATIVE ${root} ${root}/reference/dml.[ch] ${root}/reference/checked/*.[ch]
         ${root}/reference/checked/legal.json)
    list(FILTER deciding EXCLUDE REGEX "_test\\.c$")
    list(APPEND deciding harness/casefile/casebuild.c harness/casefile/changes.c harness/casefile/validation.c
         harness/casefile/validation_draw.c)
    list(SORT deciding)
    set(meaning "")
    foreach(file IN LISTS deciding)
        touchstone_meaning_of(${root} ${file} part)
        string(APPEND meaning "${part}")
    endforeach()
    string(SHA256 digest "${meaning}")
    set(${result} ${digest} PARENT_SCOPE)
    list(TRANSFORM deciding PREPEND ${root}/)
    set(${files} "${deciding}" PARENT_SCOPE)
endfunction()
