# SPDX-License-Identifier: Apache-2.0
# Rooms: static libraries, each of which sees the headers of those that it uses and no others.

# touchstone_view(TARGET PATH...): make the include folder of a target. It holds links to these files and folders of the
# source tree and nothing else, so that an #include of anything else does not build.
function(touchstone_view target)
    set(view ${CMAKE_BINARY_DIR}/views/${target})
    file(REMOVE_RECURSE ${view})
    foreach(path IN LISTS ARGN)
        get_filename_component(parent ${path} DIRECTORY)
        if(parent IN_LIST ARGN)
            continue() # the folder is seen whole
        endif()
        get_filename_component(folder ${view}/${path} DIRECTORY)
        file(MAKE_DIRECTORY ${folder})
        file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${path} ${view}/${path} RESULT problem SYMBOLIC)
        if(NOT problem EQUAL 0) # a system without symbolic links: there the build enforces nothing
            target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
            return()
        endif()
    endforeach()
    target_include_directories(${target} PRIVATE ${view})
endfunction()

# touchstone_room(NAME [NARROW] [USES ROOM...] [LIBRARIES LIBRARY...] [HEADERS PATH...] [SOURCES FILE...])
# Make the static library touchstone_NAME.
#   SOURCES    its C files; default: those of this folder, except unit tests and files for other systems
#   USES       the rooms whose headers it includes. A room sees what these see, too. Rooms are made in the order of
#              add_subdirectory(); using one that is not made yet is an error, which keeps the direction.
#   LIBRARIES  what it links besides
#   HEADERS    what users of this room see; default: this folder
#   NARROW     its own files see only HEADERS of this folder, not all of it
function(touchstone_room name)
    cmake_parse_arguments(room "NARROW" "" "USES;LIBRARIES;HEADERS;SOURCES" ${ARGN})
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT room_SOURCES)
        file(GLOB room_SOURCES CONFIGURE_DEPENDS *.c)
        list(FILTER room_SOURCES EXCLUDE REGEX "_(test|${other_systems})\\.c$")
    endif()
    if(NOT room_HEADERS)
        set(room_HEADERS ${folder})
    endif()
    set(target touchstone_${name})
    add_library(${target} STATIC ${room_SOURCES})
    target_link_libraries(${target} PUBLIC touchstone_options ${room_LIBRARIES})
    # Loops over a handful of dimensions: what leads into and out of a vectorized one takes longer than the loop.
    target_compile_options(${target} PRIVATE -fno-tree-vectorize)
    if(TOUCHSTONE_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    set(seen ${room_HEADERS})
    foreach(used IN LISTS room_USES)
        if(NOT TARGET touchstone_${used})
            message(FATAL_ERROR "${folder}: uses the room ${used}, which stands above it or is not there")
        endif()
        target_link_libraries(${target} PUBLIC touchstone_${used})
        get_target_property(more touchstone_${used} touchstone_headers)
        list(APPEND seen ${more})
    endforeach()
    list(REMOVE_DUPLICATES seen)
    set_target_properties(${target} PROPERTIES touchstone_headers "${seen}")
    if(NOT room_NARROW)
        list(APPEND seen ${folder})
        list(REMOVE_DUPLICATES seen)
    endif()
    touchstone_view(${target} ${seen})
    string(REPLACE ";" "," sees "${seen}")
    string(REPLACE ";" "," has "${room_HEADERS}")
    set_property(GLOBAL APPEND_STRING PROPERTY touchstone_rooms "${name}|${sees}|${has}\n")
endfunction()
