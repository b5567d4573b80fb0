#!/bin/sh
# Builds the libraries that the player uses for Windows, from Debian's sources, as static libraries.
#   libraries.sh SOURCES PREFIX player|check [JOBS]    check: the library of the tests
# SOURCES has a folder or link per source package, as demo/support/debian_sources.sh makes them; PREFIX/lib and
# PREFIX/include are written. A library that is complete is not built again. HOST names the compilers.
set -eu

SOURCES=$(cd "$1" && pwd)
mkdir -p "$2"
PREFIX=$(cd "$2" && pwd)
WHAT=$3
JOBS=${4:-2}
HOST=${HOST:-x86_64-w64-mingw32}
CC=${CC:-$HOST-gcc}
AR=${AR:-$HOST-ar}
OUT=$PREFIX/obj
OLD_C="-Wno-incompatible-pointer-types -Wno-implicit-function-declaration" # errors since gcc 14
mkdir -p "$PREFIX/lib" "$PREFIX/include"

# archive NAME FLAGS FILE...: compiles the files, relative to the current folder, into lib/NAME.a. Folders of headers
# whose path may have a space stand in CPATH.
archive() {
  name=$1 flags=$2
  shift 2
  [ $# -gt 0 ] || { echo "windows: $name: there are no files" >&2; exit 1; }
  mkdir -p "$OUT/$name"
  # shellcheck disable=SC2016
  for file in "$@"; do echo "$file"; done | xargs -P "$JOBS" -I FILE sh -c \
    'file=$1; shift; "$@" -c "$file" -o "$0/$(echo "$file" | tr / _).o"' "$OUT/$name" FILE $CC -O2 -w $OLD_C $flags
  rm -f "$PREFIX/lib/$name.a.part"
  "$AR" rcs "$PREFIX/lib/$name.a.part" "$OUT/$name"/*.o
  mv "$PREFIX/lib/$name.a.part" "$PREFIX/lib/$name.a"
}

is_built() { [ -f "$PREFIX/lib/$1.a" ]; }

begin() {
  is_built "$1" && return 1
  echo "windows: building $1"
  return 0
}

# {== The libraries ============================================================

# Addresses are written as they are elsewhere: "table: 0x55d0". And logarithms to the base of 2 are those of log2, which
# Lua does without on Windows, for the sake of old compilers.
build_lua() {
  mkdir -p "$OUT/lua"
  cp "$SOURCES"/lua5.4/src/*.[ch]* "$OUT/lua"
  cd "$OUT/lua"
  sed -i 's/l_sprintf(buff,sz,"%p",p)/l_sprintf(buff,sz,"0x%llx",(unsigned long long)(size_t)(p))/' luaconf.h
  sed -i '/^static int math_log /,/^}/{/LUA_USE_C89/,/#endif/{/^#/d}}' lmathlib.c
  set -- *.c
  files=
  for file; do case $file in lua.c | luac.c) ;; *) files="$files $file" ;; esac; done
  # shellcheck disable=SC2086
  archive liblua "-std=gnu11 -DLUA_COMPAT_5_3" $files
  mkdir -p "$PREFIX/bin"
  # shellcheck disable=SC2086
  $CC -O2 -w -std=gnu11 -DLUA_COMPAT_5_3 -DLUA_BUILD_AS_DLL -shared -s $files -o "$PREFIX/bin/lua54.dll" \
    -Wl,--out-implib,"$OUT/lua/liblua54.dll.a"
  $CC -O2 -w -std=gnu11 -DLUA_COMPAT_5_3 -DLUA_BUILD_AS_DLL -s lua.c "$OUT/lua/liblua54.dll.a" \
    -o "$PREFIX/bin/lua54.exe"
  cp lua.h luaconf.h lualib.h lauxlib.h lua.hpp "$PREFIX/include"
}

# $1: the project. Further arguments are those of cmake. SDL's project asks for a compiler of C++, without a file in it:
# cmake would look at what compiles C, and where that has no C++ beside it, would name libraries as Microsoft's are.
with_cmake() {
  name=$1
  shift
  mkdir -p "$OUT/$name"
  cat >"$OUT/toolchain.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER $CC)
set(CMAKE_CXX_COMPILER $CC)
set(CMAKE_CXX_COMPILER_ID GNU)
set(CMAKE_CXX_COMPILER_ID_RUN TRUE)
set(CMAKE_CXX_COMPILER_FORCED TRUE)
set(CMAKE_RC_COMPILER $HOST-windres)
set(CMAKE_FIND_ROOT_PATH /usr/$HOST)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
TOOLCHAIN
  cmake -S "$SOURCES/$name" -B "$OUT/$name/build" -DCMAKE_TOOLCHAIN_FILE="$OUT/toolchain.cmake" \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" >"$OUT/$name/log" 2>&1 &&
    cmake --build "$OUT/$name/build" -j "$JOBS" >>"$OUT/$name/log" 2>&1 &&
    cmake --install "$OUT/$name/build" >>"$OUT/$name/log" 2>&1 || { tail -n 20 "$OUT/$name/log" >&2; exit 1; }
}

# What a game with a window, sound and gamepads needs; the libraries of Windows itself are loaded by name.
build_sdl() {
  with_cmake libsdl2 -DSDL_SHARED=OFF -DSDL_STATIC=ON -DSDL_TEST=OFF -DSDL2_DISABLE_SDL2MAIN=ON -DSDL_OPENGLES=OFF \
    -DSDL_VULKAN=OFF
}

# For the tests: a process cannot be forked here.
build_check() {
  with_cmake check -DCHECK_ENABLE_TESTS=OFF -DCHECK_ENABLE_SUBUNIT=OFF -DHAVE_FORK=0 -DHAVE_REGEX=0 \
    -DCMAKE_C_FLAGS="$OLD_C"
}

# PNG alone, by the reader that comes with it.
build_image() {
  cd "$SOURCES/libsdl2-image"
  export CPATH="$PREFIX/include/SDL2"
  archive libSDL2_image "-DUSE_STBIMAGE -DLOAD_PNG -DSAVE_PNG=1" \
    IMG.c IMG_WIC.c IMG_avif.c IMG_bmp.c IMG_gif.c IMG_jpg.c IMG_jxl.c IMG_lbm.c IMG_pcx.c IMG_png.c IMG_pnm.c \
    IMG_qoi.c IMG_stb.c IMG_svg.c IMG_tga.c IMG_tif.c IMG_webp.c IMG_xcf.c IMG_xpm.c IMG_xv.c
  cp SDL_image.h "$PREFIX/include/SDL2"
}

# TrueType fonts alone, without compressed ones.
build_freetype() {
  cd "$SOURCES/freetype"
  mkdir -p "$OUT/config/freetype/config"
  for driver in 'Module_Class, autofit_module' 'Driver_ClassRec, tt_driver' 'Module_Class, psnames_module' \
    'Module_Class, sfnt_module' 'Renderer_Class, ft_smooth_renderer'; do
    echo "FT_USE_MODULE( FT_${driver}_class )"
  done >"$OUT/config/freetype/config/ftmodule.h"
  sed -E 's,^#define +FT_CONFIG_OPTION_(USE_ZLIB|USE_LZW|MAC_FONTS|INCREMENTAL),// &,' \
    include/freetype/config/ftoption.h >"$OUT/config/freetype/config/ftoption.h"
  export CPATH="$OUT/config:include"
  archive libfreetype "-DFT2_BUILD_LIBRARY" src/autofit/autofit.c src/base/ftbase.c \
    src/base/ftbitmap.c src/base/ftglyph.c src/base/ftinit.c src/base/ftmm.c src/base/ftstroke.c src/base/ftsynth.c \
    src/base/ftsystem.c src/base/ftdebug.c src/psnames/psnames.c src/sfnt/sfnt.c src/smooth/smooth.c \
    src/truetype/truetype.c
}

build_ttf() {
  cd "$SOURCES/libsdl2-ttf"
  export CPATH="$PREFIX/include/SDL2:$SOURCES/freetype/include"
  archive libSDL2_ttf "-DTTF_USE_HARFBUZZ=0" SDL_ttf.c
  cp SDL_ttf.h "$PREFIX/include/SDL2"
}

build_vorbis() {
  cd "$SOURCES"
  archive libvorbis "-Ilibogg/include -Ilibvorbis/include -Ilibvorbis/lib" libogg/src/bitwise.c \
    libogg/src/framing.c $(for n in analysis bitrate block codebook envelope floor0 floor1 info lookup lpc lsp \
      mapping0 mdct psy registry res0 sharedbook smallft synthesis vorbisfile window; \
      do echo "libvorbis/lib/$n.c"; done)
}

# WAV and Ogg Vorbis, as the player offers them.
build_mixer() {
  cd "$SOURCES/libsdl2-mixer"
  export CPATH="$PREFIX/include/SDL2:$SOURCES/libogg/include:$SOURCES/libvorbis/include"
  archive libSDL2_mixer "-DMUSIC_WAV -DMUSIC_OGG -Iinclude -Isrc -Isrc/codecs" src/*.c src/codecs/*.c
  cp include/SDL_mixer.h "$PREFIX/include/SDL2"
}

build_cjson() {
  cd "$SOURCES/cjson"
  archive libcjson "-DCJSON_HIDE_SYMBOLS" cJSON.c
  mkdir -p "$PREFIX/include/cjson"
  cp cJSON.h "$PREFIX/include/cjson"
}

# Zips are read and written in memory and in files: nothing of gzip, and no files of Windows's own.
build_zip() {
  cd "$SOURCES/zlib"
  mkdir -p "$PREFIX/include/minizip"
  cp zlib.h zconf.h "$PREFIX/include"
  cp "$SOURCES/minizip"/*.h "$PREFIX/include/minizip"
  archive libz "" adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c
  cd "$SOURCES/minizip"
  export CPATH="$PREFIX/include"
  archive libminizip "-DUSE_FILE32API" ioapi.c unzip.c zip.c
}

# }==

if [ "$WHAT" = check ]; then
  if begin libcheck; then (build_check); fi
  exit
fi
if begin liblua; then (build_lua); fi
if begin libSDL2; then (build_sdl); fi
if begin libSDL2_image; then (build_image); fi
if begin libfreetype; then (build_freetype); fi
if begin libSDL2_ttf; then (build_ttf); fi
if begin libvorbis; then (build_vorbis); fi
if begin libSDL2_mixer; then (build_mixer); fi
if begin libcjson; then (build_cjson); fi
if begin libminizip; then (build_zip); fi
