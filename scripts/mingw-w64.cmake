# SPDX-License-Identifier: Apache-2.0
# CMake toolchain for Windows x64: Debian's mingw-w64. Used by scripts/build-windows.sh.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-win32)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# The package has zlib as a DLL too, which would be preferred.
set(ZLIB_LIBRARY /usr/x86_64-w64-mingw32/lib/libz.a CACHE FILEPATH "")

# Libraries of the machine that builds are none of the program's. TOUCHSTONE_WINDOWS_DEPS: what windows-deps.sh printed;
# where Touchstone is configured without it, as by the preset `windows`, that script builds what is missing.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH touchstone_root)
if(NOT DEFINED TOUCHSTONE_WINDOWS_DEPS AND CMAKE_HOME_DIRECTORY STREQUAL touchstone_root)
    execute_process(COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/windows-deps.sh OUTPUT_VARIABLE TOUCHSTONE_WINDOWS_DEPS
                    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
    if(status)
        message(FATAL_ERROR "scripts/windows-deps.sh failed")
    endif()
    set(TOUCHSTONE_WINDOWS_DEPS ${TOUCHSTONE_WINDOWS_DEPS} CACHE PATH "What windows-deps.sh printed")
    find_program(TOUCHSTONE_WINE NAMES wine64 wine PATHS /usr/lib/wine NO_CACHE)
    if(TOUCHSTONE_WINE)
        set(CMAKE_CROSSCOMPILING_EMULATOR ${TOUCHSTONE_WINE} CACHE FILEPATH "What runs the unit tests")
    endif()
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TOUCHSTONE_WINDOWS_DEPS)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${TOUCHSTONE_WINDOWS_DEPS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${TOUCHSTONE_WINDOWS_DEPS}/lib/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")
