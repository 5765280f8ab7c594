# SPDX-License-Identifier: Apache-2.0
# fault_names(TARGET OTHER SUMMARY): tell a backend what it is for, and which faults the backend OTHER has, so that it
# can say where a fault is that it has not itself. The rows of the tables are { "name", ON_OPERATOR, ...
function(fault_names target other summary)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/backends/${other}/*.c)
    set(names "")
    foreach(source IN LISTS sources)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(READ ${source} text)
        string(REGEX MATCHALL "{ *\"[a-z0-9-]+\",[ \n]*ON_" rows "${text}")
        foreach(row IN LISTS rows)
            string(REGEX REPLACE "^{ *(\"[a-z0-9-]+\").*" "    \\1,\n" name "${row}")
            string(APPEND names "${name}")
        endforeach()
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/other_names.c)
    file(CONFIGURE OUTPUT ${file} CONTENT "/* Made by other_names.cmake. */
#include \"backends/faulty/fault.h\"

const char fault_other_backend[] = \"${other}\";
const char *const fault_other_names[] = {
${names}    NULL,
};
")
    target_sources(${target} PRIVATE ${file})
    target_compile_definitions(${target} PRIVATE "FAULT_SUMMARY=\"${summary}\"")
endfunction()
