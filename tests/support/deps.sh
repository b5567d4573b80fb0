#!/bin/sh
# Finds what the build needs and is not here, and installs it through apt-get; elsewhere it prints the package names.
#   deps.sh demo|test|check-slow|bench|web|web-test|windows|windows-test [GOAL...]
#     demo: to build and play; test: also to test; check-slow: also to test windows; bench: also to compare with others;
#     web: to build the player as a page; web-test: also to test it; windows: to build it for Windows;
#     windows-test: also to test that under wine
# Packages of further goals are installed along, so that a password is asked for once.
# DEPS=no in the environment: nothing is installed.
# A stamp in the build folder makes the next call cheap. Exit status: 0 all there, 2 something is missing. What is a
# luxury may be missing.
# shellcheck disable=SC2034,SC2154 # a goal names its lists
set -eu

goal=${1:-test}
build=${BUILD:-build}
cc=${CC:-cc}
stamp=$build/stamp/deps-$goal

# One line per need: name, then its packages (a comma joins two) for Debian, Fedora, Arch, Alpine and Homebrew.
packages='
libc        libc6-dev             glibc-devel         glibc        musl-dev          -
pkg-config  pkg-config            pkgconf-pkg-config  pkgconf      pkgconf           pkgconf
lua         lua5.4,liblua5.4-dev  lua,lua-devel       lua          lua5.4,lua5.4-dev lua
sdl2        libsdl2-dev           SDL2-devel          sdl2         sdl2-dev          sdl2
SDL2_image  libsdl2-image-dev     SDL2_image-devel    sdl2_image   sdl2_image-dev    sdl2_image
SDL2_ttf    libsdl2-ttf-dev       SDL2_ttf-devel      sdl2_ttf     sdl2_ttf-dev      sdl2_ttf
SDL2_mixer  libsdl2-mixer-dev     SDL2_mixer-devel    sdl2_mixer   sdl2_mixer-dev    sdl2_mixer
libcjson    libcjson-dev          cjson-devel         cjson        cjson-dev         cjson
minizip     libminizip-dev        minizip-compat-devel minizip     minizip-dev       minizip
libseccomp  libseccomp-dev        libseccomp-devel    libseccomp   libseccomp-dev    -
font        fonts-dejavu-core     dejavu-sans-fonts   ttf-dejavu   font-dejavu       font-dejavu
libserialport libserialport-dev   libserialport-devel libserialport libserialport-dev libserialport
libuv       libuv1-dev            libuv-devel         libuv        libuv-dev         libuv
check       check                 check-devel         check        check-dev         check
luacheck    lua-check             -                   luacheck     luacheck          luacheck
dkjson      lua-dkjson            -                   -            -                 -
c++         g++                   gcc-c++             gcc          g++               -
mimalloc    libmimalloc-dev       mimalloc-devel      mimalloc     mimalloc-dev      mimalloc
colony      libplf-colony-dev     -                   -            -                 -
boost       libboost-dev          boost-devel         boost        boost-dev         boost
luajit      luajit                luajit              luajit       luajit            luajit
love        love                  love                love         love              -
Xvfb        xvfb                  xorg-x11-server-Xvfb xorg-server-xvfb xvfb         -
xauth       xauth                 xauth               xorg-xauth   xauth             -
xdotool     xdotool               xdotool             xdotool      xdotool           -
openbox     openbox               openbox             openbox      openbox           -
luarocks    luarocks              luarocks            luarocks     luarocks          luarocks
cmake       cmake                 cmake               cmake        cmake             cmake
emcc        emscripten            -                   -            -                 -
hb-subset   libharfbuzz-bin       -                   -            -                 -
dpkg-source dpkg-dev,xz-utils     -                   -            -                 -
patch       patch                 -                   -            -                 -
mingw       gcc-mingw-w64-x86-64  -                   -            -                 -
windres     binutils-mingw-w64-x86-64 -               -            -                 -
zip         zip                   zip                 zip          zip               zip
unzip       unzip                 unzip               unzip        unzip             unzip
wine        wine,wine64           -                   -            -                 -
node        nodejs                -                   -            -                 -
npm         npm                   -                   -            -                 -
chromium    chromium              -                   -            -                 -
'
demo_needs='libc pkg-config lua sdl2 SDL2_image SDL2_ttf SDL2_mixer libcjson minizip font'
demo_luxuries=libseccomp # one wall more around a game
test_needs="$demo_needs check" check_slow_needs="$demo_needs check"
test_luxuries="$demo_luxuries luacheck dkjson luajit zip unzip" # linted, played for docs/cookbook.md, tested
check_slow_luxuries="$test_luxuries c++ cmake luarocks libserialport libuv love Xvfb xauth xdotool openbox" # windows
bench_needs="$demo_needs c++"
windows_needs="mingw windres dpkg-source patch cmake zip font"
windows_test_needs="$test_needs $windows_needs wine Xvfb xauth xdotool unzip"
web_needs='emcc hb-subset dpkg-source patch font node npm' # on Debian and its relatives
web_test_needs="$demo_needs $web_needs chromium unzip" # the player plays what the page has saved
bench_luxuries="$demo_luxuries mimalloc colony boost luajit love Xvfb xauth" # whom to compare with

have_lua_library() {
  for name in lua5.4 lua-5.4 lua54 lua; do
    if pkg-config --exists "$name >= 5.4 $name < 5.5" 2>/dev/null; then return 0; fi
  done
  return 1
}

# have_file NAME FOLDER...
have_file() {
  file=$1
  shift
  find "$@" -name "$file" | grep -q .
}

# A program, or a library that pkg-config knows; these are found in another way.
have() {
  case $1 in
    c++) echo '#include <vector>' | ${CXX:-c++} -x c++ -E - ;;
    mimalloc) echo '#include <mimalloc.h>' | $cc -E - ;;
    colony) echo '#include <plf_colony.h>' | ${CXX:-c++} -x c++ -E - ;;
    boost) echo '#include <boost/pool/object_pool.hpp>' | ${CXX:-c++} -x c++ -E - ;;
    libc) echo '#include <stdio.h>' | $cc -E - ;;
    mingw) command -v x86_64-w64-mingw32-gcc ;;
    windres) command -v x86_64-w64-mingw32-windres ;;
    lua) have_lua_library && { command -v lua5.4 || command -v lua; } ;;
    dkjson) have_file dkjson.lua /usr/local/share/lua /usr/share/lua /opt/homebrew/share/lua ;;
    font) have_file DejaVuSans.ttf /usr/share/fonts /usr/local/share/fonts /Library/Fonts ~/Library/Fonts ;;
    libseccomp) [ "$(uname)" != Linux ] || pkg-config --exists libseccomp ;;
    *) command -v "$1" || pkg-config --exists "$1" ;;
  esac
}

missing() {
  for need in $1; do
    have "$need" >/dev/null 2>&1 || printf '%s ' "$need"
  done
}

# packages_for COLUMN NEEDS: the packages that column of the table names for these needs.
packages_for() {
  printf '%s' "$packages" | awk -v column="$1" -v needs="$2" '
    BEGIN { count = split(needs, wanted, " ") }
    { name[$1] = $column }
    END { for (i = 1; i <= count; i++) { p = name[wanted[i]]; gsub(/,/, " ", p); if (p != "-") printf "%s ", p } }'
}

sudo=$([ "$(id -u)" = 0 ] || echo sudo)

can_install() {
  [ "${DEPS:-yes}" != no ] && command -v apt-get >/dev/null && { [ -z "$sudo" ] || command -v sudo >/dev/null; }
}

# install NEEDED LUXURIES: packages. One call of sudo, which asks for a password once. The package lists are fetched
# only when the first try fails: they may be fresh. A luxury that the archive lacks, or an archive that does not answer,
# must not keep the rest away for long.
install() {
  # shellcheck disable=SC2016
  $sudo sh -c '
    export DEBIAN_FRONTEND=noninteractive
    get() {
      apt-get -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1 \
        -o DPkg::Lock::Timeout=120 "$@"
    }
    add() { [ -z "$1" ] || get install -y --no-install-recommends $1; }
    add "$1 $2" || { get update; add "$1 $2"; } || { [ -n "$2" ] && add "$1" && for one in $2; do add "$one"; done; }
  ' install "$1" "$2"
}

install_missing() {
  needed=$(packages_for 2 "$(missing "$1")") extra=$(packages_for 2 "$(missing "$2")")
  [ -n "$needed$extra" ] && can_install || return 0
  echo "spawnpool: ${sudo:+sudo }apt-get installs $needed$extra(make DEPS=no $goal: nothing is installed)"
  install "$needed" "$extra" || echo "spawnpool: apt-get failed" >&2
}

print_packages() {
  echo "spawnpool needs what is not here: $lacking${absent:+(and uses $absent)}"
  echo "Install it, then run make $goal again:"
  echo "  Debian, Ubuntu  apt-get install $(packages_for 2 "$1")"
  case $goal in web* | windows*) return 0 ;; esac # what it compiles are Debian's sources
  echo "  Fedora          dnf install $(packages_for 3 "$1")"
  echo "  Arch            pacman -S $(packages_for 4 "$1")"
  echo "  Alpine          apk add $(packages_for 5 "$1")"
  echo "  macOS Homebrew  brew install $(packages_for 6 "$1")"
}

# set_needs GOAL: sets needs and luxuries.
set_needs() {
  case $1 in *-*) list=${1%%-*}_${1#*-} ;; *) list=$1 ;; esac
  eval "needs=\${${list}_needs:-} luxuries=\${${list}_luxuries:-}"
  [ -n "$needs" ] && return
  echo "usage: deps.sh demo|test|check-slow|bench|web|web-test|windows|windows-test" >&2
  exit 2
}
set_needs "$goal"

# The stamp says that everything was here once, by this list; the libraries are asked for again, for they are what a
# build breaks on.
if [ -f "$stamp" ] && [ -z "$(find "$0" -newer "$stamp")" ] &&
  { [ "$goal" = web ] || [ "$goal" = windows ] ||
    { pkg-config --exists sdl2 SDL2_image SDL2_ttf SDL2_mixer libcjson minizip && have_lua_library; }; }; then
  exit 0
fi

all_needs='' all_luxuries=''
for one in "$@"; do
  set_needs "$one"
  all_needs="$all_needs $needs" all_luxuries="$all_luxuries $luxuries"
done
install_missing "$all_needs" "$all_luxuries"
set_needs "$goal"
lacking=$(missing "$needs")
absent=$(missing "$luxuries")
if [ -n "$lacking" ]; then
  print_packages "$lacking $absent" >&2
  exit 2
fi
[ -z "$absent" ] || echo "make $goal: left out: $absent(on Debian: $(packages_for 2 "$absent"))"
[ -z "$absent" ] || [ "$goal" != bench ] || exit 0
mkdir -p "$(dirname "$stamp")"
: >"$stamp"
