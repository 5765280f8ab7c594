# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=FOLDER -DHEADER=FILE -P commit.cmake
#
# Write the header with TOUCHSTONE_COMMIT: what git says about the source folder if it is a checkout, else what
# harness/cli/commit.txt says, which `git archive` fills in. The file is written only if its content changes, so that
# nothing is built again that needs not be.
set(commit "unknown: built from a source folder that is no git checkout")
find_program(GIT git)
set(top "")
if(GIT)
    set(ENV{GIT_OPTIONAL_LOCKS} 0)
    execute_process(COMMAND ${GIT} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(REAL_PATH "${SOURCE}" source)
file(STRINGS ${SOURCE}/harness/cli/commit.txt archived LIMIT_COUNT 1)
if(top AND top STREQUAL source) # and not a checkout that the source folder lies in
    execute_process(COMMAND ${GIT} describe --always --abbrev=12 --exclude=* --dirty=\ with\ local\ changes
                    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(described)
        set(commit "${described}")
    endif()
elseif(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${archived} 0 12 commit)
endif()
set(text "/* Made by harness/cli/commit.cmake. */\n#define TOUCHSTONE_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${HEADER})
    file(READ ${HEADER} old)
endif()
if(NOT text STREQUAL old)
    file(WRITE ${HEADER} "${text}")
endif()
