# What `make install` puts where, and the Debian package: `cpack -G DEB` in the build folder.
include(CMakePackageConfigHelpers)

install(TARGETS heddle EXPORT heddleTargets)
# In a folder of their own: some are named like headers of the system, for programs under test only.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle)

# find_package(heddle)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/package/heddleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/heddleConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/heddleConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/package/heddleConfig.cmake ${PROJECT_BINARY_DIR}/package/heddleConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/package/heddleTest.cmake DESTINATION ${package})

# Shell completion, where each shell looks. Debian's zsh looks elsewhere for packages.
install(FILES ${PROJECT_BINARY_DIR}/completions/heddle.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES ${PROJECT_BINARY_DIR}/completions/heddle.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _heddle)
install(FILES ${PROJECT_BINARY_DIR}/completions/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(CODE "if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
  file(INSTALL \"${PROJECT_BINARY_DIR}/completions/heddle.zsh\"
    DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions\" RENAME _heddle)
endif()")

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The Debian package. dpkg-shlibdeps finds the libraries; clang is started by name, so that it must be said.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "The heddle developers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libstdc++-12-dev, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Give it a small test that starts threads; it runs every execution that the memory
model of C and C++ allows and proves the test correct or shows one that goes wrong.")
include(CPack)
