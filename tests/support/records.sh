#!/bin/sh
# What all games do, written down before the code below them is changed, and compared after:
#   records.sh FOLDER           plays each game for 3,600 frames with the same input; keeps into FOLDER its recording,
#                               with a digest of each frame and hashes of each second, two pictures, the output of
#                               --check, and instructions per operation of the hot paths
#   records.sh FOLDER --quick   without the instructions
# Two folders are then compared with `diff -r`. Run from the repository root; BUILD names the build folder, GAMES the
# games, if not all.
set -eu

folder=$1
build=${BUILD:-build}
player=$build/spawnpool
mkdir -p "$folder"

# Keys are held and released, the mouse moves and clicks: the same for every game and on every machine.
input() {
  lua5.4 - "$1" <<'LUA'
local game <const> = ...
print(('{"format":"spawnpool-recording","version":1,"player":"0.1.0","game":"%s","files":"0","seed":"1","width":800,'
  .. '"height":600,"density":1,"step":0.016666666666666666,"start":1700000000,"memory":1073741824,"arguments":[]}')
  :format(game))
local keys <const> = { "Left", "Right", "Up", "Down", "Space", "A", "D", "W", "S", "Return", "X", "1", "2" }
local held, state, mouse = {}, 12345, false
local function chance(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end
local function say(...) print((...):format(select(2, ...))) end
for frame = 1, 3600 do
  if chance(6) == 0 then
    local key <const> = keys[1 + chance(#keys)]
    held[key] = not held[key] or nil
    say('{"kind":"key_%s","frame":%d,"key":"%s"}', held[key] and "down" or "up", frame, key)
  end
  if chance(9) == 0 then
    say('{"kind":"mouse_move","frame":%d,"x":%d,"y":%d,"dx":3,"dy":-2}', frame, chance(800), chance(600))
  end
  if chance(20) == 0 then
    mouse = not mouse
    say('{"kind":"mouse_%s","frame":%d,"x":%d,"y":%d,"button":1}', mouse and "down" or "up", frame, chance(800),
      chance(600))
  end
end
print '{"kind":"end","frame":3600}'
LUA
}

play() {
  game=$1
  name=$(basename "$game")
  input "$name" >"$folder/$name.given"
  "$player" --headless --replay "$folder/$name.given" --record-input "$folder/$name.input" "$game" \
    >"$folder/$name.out" 2>&1 || true
  for frame in 60 1200; do
    "$player" --headless --replay "$folder/$name.given" --frames $frame --screenshot "$folder/$name-$frame.png" \
      "$game" >/dev/null 2>&1 || true
  done
  "$player" --check "$game" >"$folder/$name.check" 2>&1 || true
}

for game in ${GAMES:-scripts/*/}; do play "${game%/}"; done
[ "${2:-}" = --quick ] || sh tests/bench/count/count.sh >"$folder/counts"
