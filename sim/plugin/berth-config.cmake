# find_package(berth) for plugins: the target berth::plugin brings headers and the language level.
# A plugin links nothing; its symbols come from the program that loads it.
add_library(berth::plugin INTERFACE IMPORTED)
target_compile_features(berth::plugin INTERFACE cxx_std_20)
target_include_directories(berth::plugin INTERFACE "${CMAKE_CURRENT_LIST_DIR}/../../../include/berth")
