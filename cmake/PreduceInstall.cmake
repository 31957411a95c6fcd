# `cmake --install` and find_package(preduce).

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/preduce)
configure_package_config_file(cmake/preduceConfig.cmake.in preduceConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(preduceConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS preduce EXPORT preduce FILE_SET HEADERS FILE_SET toolkit_headers FILE_SET guests)
install(EXPORT preduce NAMESPACE preduce:: FILE preduceTargets.cmake DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/preduceConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/preduceConfigVersion.cmake
        DESTINATION ${package_dir})
