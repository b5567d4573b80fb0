#!/bin/sh
# Puts everything but the programs into the folder that becomes the zip.
#   pack.sh FOLDER VERSION HEADERS SOURCES FONT...
set -eu

folder=$1 version=$2 headers=$3 sources=$4
shift 4

mkdir -p "$folder/fonts" "$folder/include" "$folder/lua/spawnpool" "$folder/lib/cmake/spawnpool" \
  "$folder/lib/pkgconfig" "$folder/licenses"
cp "$@" "$folder/fonts"
cp "$headers"/*.h "$folder/include"
cp lua/spawnpool/*.lua "$folder/lua/spawnpool"
cp "$headers"/../lua/spawnpool/*.lua "$folder/lua/spawnpool" # those for LuaJIT, as they were built
sed "s/VERSION/$version/" demo/windows/README.txt | sed 's/$/\r/' >"$folder/README.txt"
sed 's/$/\r/' LICENSE >"$folder/LICENSE.txt"
for path in scripts docs demo/embed; do
  rm -rf "${folder:?}/$path"
  mkdir -p "$(dirname "$folder/$path")"
  cp -R "$path" "$folder/$path"
done
rm -rf "$folder/docs/spawnpool.1" "$folder"/scripts/*/recordings

# What the programs contain, and how it may be passed on.
for package in lua5.4 libsdl2 libsdl2-image libsdl2-ttf libsdl2-mixer freetype libogg libvorbis cjson zlib minizip; do
  cp "$sources/$package/debian/copyright" "$folder/licenses/$package.txt"
done
cp demo/math/musl/COPYRIGHT "$folder/licenses/musl.txt"
cp /usr/share/doc/fonts-dejavu-core/copyright "$folder/licenses/fonts-dejavu.txt"

cat >"$folder/lib/pkgconfig/spawnpool.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: spawnpool
Description: object pools for games and servers
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lspawnpool
END

cat >"$folder/lib/cmake/spawnpool/spawnpool-config.cmake" <<'END'
# find_package(spawnpool REQUIRED), with CMAKE_PREFIX_PATH naming the unpacked folder; then link spawnpool::core.
get_filename_component(spawnpool_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET spawnpool::core)
  add_library(spawnpool::core SHARED IMPORTED)
  set_target_properties(spawnpool::core PROPERTIES
    IMPORTED_LOCATION "${spawnpool_root}/lib/spawnpool.dll"
    IMPORTED_IMPLIB "${spawnpool_root}/lib/libspawnpool.dll.a"
    INTERFACE_COMPILE_DEFINITIONS "SP_API=__declspec(dllimport)"
    INTERFACE_INCLUDE_DIRECTORIES "${spawnpool_root}/include")
endif()
END
cat >"$folder/lib/cmake/spawnpool/spawnpool-config-version.cmake" <<END
set(PACKAGE_VERSION $version)
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  string(REGEX MATCH "^[0-9]+\\\\.[0-9]+" spawnpool_line "\${PACKAGE_FIND_VERSION}.0")
  string(REGEX MATCH "^[0-9]+\\\\.[0-9]+" spawnpool_own $version)
  if(spawnpool_line STREQUAL spawnpool_own)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
endif()
END
