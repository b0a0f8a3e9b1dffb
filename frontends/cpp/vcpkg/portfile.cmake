# A vcpkg port that uses the files around it: `vcpkg install tare --overlay-ports=frontends/cpp/vcpkg` in a clone or in the archive.
set(VCPKG_BUILD_TYPE release)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DTARE_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME tare CONFIG_PATH share/cmake/tare)
# The licences are at the root of a clone, and beside CMakeLists.txt in the archive.
set(licences "${SOURCE_PATH}")
if(NOT EXISTS "${licences}/LICENSE-MIT")
    set(licences "${SOURCE_PATH}/../..")
endif()
vcpkg_install_copyright(FILE_LIST "${licences}/LICENSE-MIT" "${licences}/LICENSE-APACHE")
