# SPDX-License-Identifier: Apache-2.0
# CPack reads this once for each kind of package. An archive has everything in one folder; Debian packages are apart.
if(CPACK_GENERATOR STREQUAL DEB)
    set(CPACK_DEB_COMPONENT_INSTALL ON)
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package's own is the first line of its description
else()
    set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
    set(CPACK_MONOLITHIC_INSTALL ON)
endif()
