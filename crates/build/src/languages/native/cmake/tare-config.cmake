# Written by `tare`: the header of the C and C++ front end, for find_package(tare).
get_filename_component(_tare_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(NOT TARGET tare::tare)
  add_library(tare::tare INTERFACE IMPORTED)
  # C++17 where the project has C++ at all: one of C alone knows no such feature.
  set_target_properties(tare::tare PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_tare_root}/include"
    INTERFACE_COMPILE_FEATURES "$<$<BOOL:$<CXX_COMPILER_ID>>:cxx_std_17>")
endif()
if(NOT TARGET tare::main)
  add_library(tare::main INTERFACE IMPORTED)
  set_target_properties(tare::main PROPERTIES
    INTERFACE_LINK_LIBRARIES tare::tare
    INTERFACE_SOURCES "${_tare_root}/main.cpp")
endif()
unset(_tare_root)
