#!/bin/sh
# Tests what `make windows` has built, under wine.
#   run.sh FOLDER TESTS NATIVE PREFIX
# FOLDER is that of the zip, TESTS the suites as a program, NATIVE the player of this system, PREFIX that of the
# libraries.
set -eu

folder=$(cd "$1" && pwd) tests=$2 native=$3 prefix=$4
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEDEBUG=-all WINEPREFIX="${WINEPREFIX:-$here/build/wine}" SDL_AUDIODRIVER=dummy
mkdir -p "$(dirname "$WINEPREFIX")"

player() {
  timeout 300 wine "$folder/spawnpool.exe" "$@"
}

# passes NAME COMMAND...: what failed, and the end of the output, are shown when it fails, at the first command that
# does. In a condition it would go on there.
passes() {
  name=$1 begin=$(date +%s) told=$(mktemp "$work/told.XXXXXX")
  shift
  set +e
  (set -e; "$@") >"$told" 2>&1
  code=$?
  set -e
  if [ $code = 0 ]; then
    printf '  ok     %s, %d s\n' "$name" $(($(date +%s) - begin))
  else
    printf '  FAILED %s\n' "$name"
    grep -a FAILED "$told" || true
    tail -n 20 "$told"
    echo "$name" >>"$work/failed"
  fi
}

# A suite that fails runs once more, by itself: under wine on a busy machine an event of a file may be lost. What failed
# at first is shown either way.
suites() {
  timeout 1800 wine "$tests" >"$work/suites" 2>&1 && return
  cat "$work/suites"
  names=$(tr -d '\r' <"$work/suites" | awk '/checks .* FAILED$/ { print $1 }' "$work/suites")
  [ "$names" ] || return 1
  echo "again: $names"
  # shellcheck disable=SC2086
  timeout 1800 wine "$tests" $names
}

# The recording in the tree replays with the same hashes there, with a picture; what is recorded meanwhile does here. So
# does the game as it is packed, alone in a folder.
same_game() {
  player --headless --no-watch --replay "tests/demo/golden/$1.input" --record-input "$work/out" \
    --screenshot "$work/picture.png" "scripts/$1" 2>&1 | grep 'all as recorded'
  "$native" --headless --replay "$work/out" "scripts/$1" 2>&1 | grep 'all as recorded'
  [ "$(head -c 4 "$work/picture.png" | tail -c 3)" = PNG ]
  mkdir -p "$work/packed"
  "$native" pack --for windows --out "$work" "scripts/$1"
  (cd "$work/packed" && unzip -q "../$1-windows.zip" && timeout 300 wine "$1.exe" --headless \
    --replay "Z:$here/tests/demo/golden/$1.input" 2>&1) | grep 'all as recorded'
  rm -r "$work/packed" "$work/$1-windows.zip"
}

# Letters of all kinds, in a path with slashes and backslashes and in what is printed.
letters() {
  game="$work/Spiel ü€🎮"
  mkdir -p "$game"
  printf 'return { update = function() print "größer als ∞: 🎮" error "Fehler: ü" end }\r\n' >"$game/main.lua"
  (cd "$work" && player --headless --frames 1 '.\Spiel ü€🎮\main.lua') >"$work/out" 2>"$work/err" && return 1
  echo 'größer als ∞: 🎮' | cmp - "$work/out" && grep 'Spiel ü€🎮/main.lua:1: Fehler: ü' "$work/err"
}

stored() {
  echo 'return { load = function() local s = require "spawnpool".storage
    s.save("nul", { (s.load "nul" or { 0 })[1] + 1 })
    s.save("Save", 1) s.save("save", 2) print((s.load "nul")[1]) assert(s.load "Save" == 1) end }' >"$work/stored.lua"
  player --headless --frames 1 "$work/stored.lua" >"$work/one" && player --headless --frames 1 "$work/stored.lua" \
    >"$work/two" && [ $(($(cat "$work/one") + 1)) = "$(cat "$work/two")" ]
}

window() {
  command -v xvfb-run >/dev/null || { echo "no Xvfb here"; return 0; }
  WINEPREFIX=$work/wine xvfb-run -a -s '-screen 0 1280x800x24' timeout 300 wine "$folder/spawnpool.exe" --frames 60 \
    --seed 5 --screenshot "$work/window.png" scripts/shooter && [ "$(wc -c <"$work/window.png")" -gt 50000 ]
}

# Without arguments: a game is chosen and played in another process, and the gallery is back when that ends. A busy
# machine loses keys and is slow to show and to hide windows: a key is pressed again only when nothing came of it for
# long.
gallery() {
  for tool in xvfb-run xdotool; do command -v $tool >/dev/null || { echo "no $tool here"; return 0; }; done
  first=$(sed -n 's/^local FIRST .* = { "\([a-z_]*\)".*/\1/p' demo/tools/gallery/main.lua)
  title=$(sed -n 's/.* title = "\([^"]*\)".*/\1/p' "scripts/$first/main.lua")
  cat >"$work/gallery.sh" <<'END'
wine "$1" &
pid=$!
hall='^spawnpool$' game="^$2$"
window() { timeout 20 xdotool search --onlyvisible --name "$1" 2>/dev/null | head -n 1 | grep .; }
press() {
  echo "$1 for $2"
  id=$(window "$2") && timeout 20 xdotool windowfocus "$id" && sleep 1 && timeout 20 xdotool key "$1"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 1; window "$2" >/dev/null || return 0; done
}
alone() { window "$1" >/dev/null && ! window "$2" >/dev/null; }
until alone "$hall" "$game"; do sleep 1; done
until alone "$game" "$hall"; do if window "$hall"; then press Return "$hall"; else sleep 1; fi; done
until alone "$hall" "$game"; do if window "$game"; then press Escape "$game"; else sleep 1; fi; done
while kill -0 $pid 2>/dev/null; do if window "$hall"; then press Escape "$hall"; else sleep 1; fi; done
wait $pid && echo "the gallery ended"
END
  WINEPREFIX=$work/wine xvfb-run -a -s '-screen 0 1280x800x24' timeout 600 sh "$work/gallery.sh" \
    "$folder/spawnpool.exe" "$title" >"$work/steps" 2>&1 || true
  cat "$work/steps"
  grep -q 'the gallery ended' "$work/steps"
}

# The module in a stock lua54.exe.
module() {
  cp "$prefix/bin/lua54.exe" "$prefix/bin/lua54.dll" "$work"
  (cd "$work" && LUA_CPATH="Z:$folder/lua/?.dll" wine lua54.exe -e 'local p <const> = require "spawnpool".pools
    local o <const> = p:alloc("Cube", 1) p:update(2) print(o.alive, require "spawnpool".VERSION)') | grep '^false'
}

# The library, as pkg-config and CMake name it.
library() {
  cp "$folder/lib/spawnpool.dll" "$work"
  flags=$(PKG_CONFIG_LIBDIR="$folder/lib/pkgconfig" pkg-config --cflags --libs spawnpool)
  # shellcheck disable=SC2086
  x86_64-w64-mingw32-gcc -std=c11 demo/embed/hello.c -o "$work/hello.exe" $flags
  "$(dirname "$native")/embed/hello" >"$work/a"
  (cd "$work" && wine hello.exe | tr -d '\r') | cmp - "$work/a"
}

# Unpacked where people unpack: a game is begun, checked, broken and checked again, and wrong words are refused.
unpacked() {
  place=$work/$1
  mkdir -p "$place"
  cp -R "$folder"/. "$place"
  player() { timeout 120 wine "$place/spawnpool.exe" "$@"; }
  player --version | grep '^spawnpool [0-9.]* (Lua 5.4.*no second wall'
  player games >"$work/games"
  "$native" games | cmp - "$work/games"
  cd "$place"
  player init 'my gäme'
  player --check 'my gäme'
  printf 'return {\r\n  update = 1 +\r\n}\r\n' >'my gäme/main.lua'
  code=0
  player --check 'my gäme' >"$work/checked" 2>&1 || code=$?
  [ $code = 1 ] && grep 'my gäme/main.lua:3:' "$work/checked"
  player --no-such-option || code=$?
  [ $code = 2 ]
  rm -rf "$place"
}

wine wineboot -i >/dev/null 2>&1 || true
passes 'the suites' suites &
for recording in tests/demo/golden/*.input; do
  game=$(basename "$recording" .input)
  passes "the same game: $game" same_game "$game"
done
passes 'all letters' letters
passes 'stored data, and a name of a device' stored
passes 'unpacked into a folder with blanks and letters' unpacked 'Program Files/Müller ü€'
passes 'a window' window
passes 'the gallery and a game' gallery
passes 'the module in lua54.exe' module
passes 'the library by pkg-config' library
wait
grep -a ' checks' "$work/suites"
[ ! -e "$work/failed" ]
