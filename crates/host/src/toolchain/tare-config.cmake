# Written by `tare`: the header of the C and C++ front end, for find_package(tare).
get_filename_component(_tare_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(NOT TARGET tare::tare)
  add_library(tare::tare INTERFACE IMPORTED)
  set_target_properties(tare::tare PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_tare_root}/include")
endif()
unset(_tare_root)
