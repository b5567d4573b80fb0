/* Programs that are built with CMake: see cmake.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_cmake(void) { return lua_suite("cmake", "tests/slow/cmake.lua", host_open); }
