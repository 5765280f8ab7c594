# SPDX-License-Identifier: Apache-2.0
# The Debian packages: touchstone (the program, its cases, and the backends that it tests itself with),
# touchstone-backends (adapters to the libraries of other makers) and touchstone-dev (headers for plugins).
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE OFF)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME touchstone)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "conformance suite for tensor operators
Touchstone runs test cases of tensor operators on an implementation and
compares the results bit for bit with a scalar reference. It checks
descriptors against the specifications, and reports failures with the
smallest case, the clause and the cause.

This package has the program, its cases, and the backends with which it
tests itself.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "touchstone-backends, touchstone-dev, clang")

set(CPACK_DEBIAN_BACKENDS_PACKAGE_NAME touchstone-backends)
set(CPACK_DEBIAN_BACKENDS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_BACKENDS_PACKAGE_DEPENDS "touchstone (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_BACKENDS_DESCRIPTION "adapters of the conformance suite Touchstone to libraries
Touchstone compares implementations of tensor operators with a scalar
reference. This package has its adapters to DirectML, ONNX Runtime and
OpenVINO. They load the library at run time; it is not a part of this
package.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME touchstone-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS touchstone)
set(CPACK_COMPONENT_DEV_DESCRIPTION "headers for backends of a conformance suite
Touchstone compares implementations of tensor operators with a scalar
reference. An implementation is a shared library with one function. This
package has the headers that declare it, a CMake package and a pkg-config
file.")

# ---- what Debian wants in each package's folder of documents -------------------------------------------------------
find_program(TOUCHSTONE_GZIP gzip REQUIRED)
set(docs ${CMAKE_CURRENT_BINARY_DIR}/docs)
file(MAKE_DIRECTORY ${docs})
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(moment --date=@$ENV{SOURCE_DATE_EPOCH})
endif()
execute_process(COMMAND env LC_ALL=C date -u -R ${moment} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file(changelog.Debian.in ${docs}/changelog.Debian @ONLY)
configure_file(copyright.in ${docs}/copyright @ONLY)
execute_process(COMMAND ${TOUCHSTONE_GZIP} -9nf ${docs}/changelog.Debian)
execute_process(COMMAND ${TOUCHSTONE_GZIP} -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md OUTPUT_FILE ${docs}/changelog.gz)
foreach(component program backends dev)
    string(TOUPPER ${component} upper)
    set(folder ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    # The packages are not made for Debian's archive: no request there asks for them.
    file(WRITE ${docs}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} "initial-upload-closes-no-bugs\n")
    install(FILES ${docs}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            COMPONENT ${component} EXCLUDE_FROM_ALL) # that is, only into a Debian package
    install(FILES ${docs}/changelog.Debian.gz ${docs}/changelog.gz ${docs}/copyright DESTINATION ${folder}
            COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
