# SPDX-License-Identifier: Apache-2.0
# The unit tests: FOLDER/NAME_test.c is unit/FOLDER/NAME, with the label `unit`.

# What takes longest begins first, also where ctest has not measured it yet.
set(longest_unit_tests cases/cases backends/cpu/cpu harness/cli/damage harness/run/kill harness/run/rerun
    harness/run/run_workers reports/report)

# SOURCE COMMAND...: a test of ctest, named by the path of its source in the tree.
function(add_unit_test source)
    string(REGEX REPLACE "(_test)?\\.[a-z]+$" "" name ${source})
    add_test(NAME unit/${name} COMMAND ${ARGN})
    set_tests_properties(unit/${name} PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 300)
    if(name IN_LIST longest_unit_tests)
        set_tests_properties(unit/${name} PROPERTIES COST 100)
        if(name MATCHES "/(damage|kill)$") # what they do is random, and so is how long it takes
            set_tests_properties(unit/${name} PROPERTIES TIMEOUT 900)
        endif()
    endif()
endfunction()
