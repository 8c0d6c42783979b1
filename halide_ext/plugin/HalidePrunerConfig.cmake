# find_package(HalidePruner) after find_package(Halide): the autoscheduler Halide::Pruner, for
#   add_halide_library(... AUTOSCHEDULER Halide::Pruner)
if(NOT Halide_VERSION VERSION_EQUAL 21.0.0)
  set(HalidePruner_FOUND FALSE)
  set(HalidePruner_NOT_FOUND_MESSAGE
    "HalidePruner is for Halide 21.0.0; find that first: find_package(Halide 21.0.0 EXACT)")
  return()
endif()

if(NOT TARGET Halide::Pruner)
  # It is installed as lib/cmake/HalidePruner, the plugin as lib/libautoschedule_pruner.so.
  get_filename_component(_HalidePruner_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
  add_library(Halide::Pruner MODULE IMPORTED)
  set_target_properties(Halide::Pruner PROPERTIES
    IMPORTED_LOCATION "${_HalidePruner_lib}/libautoschedule_pruner.so")
  unset(_HalidePruner_lib)
endif()
