-- The player as a person meets it: a real window, real keys and a real mouse, by xdotool on a display of its own.
local host <const> = require "host"
local player <const> = require "player"

-- All waits are for a condition, for 30 s at most: `pass WORD` waits for two more lines that begin with it, as one may
-- have been on its way before.
local WAITING <const> = [[
await() { i=0; until "$@"; do sleep 0.05; i=$((i + 1)); [ $i -lt 600 ] || { echo "no $*"; exit 1; }; done; }
count() { grep -c "^$1" out; }
more() { [ "$(count "$1")" -gt $(($2 + 1)) ]; }
pass() { await more "$1" "$(count "$1")"; }
]]

local function test(name, tools, script, files, out)
  player.test(name, function()
    if host.tool ~= "" -- instrumented, it is too slow for a person's waits
      or not player.can(("for tool in xvfb-run xauth xdotool %s; do command -v $tool || exit 1; done"):format(tools),
        "no xvfb-run, xdotool or window manager") then return end
    player.save("/run.sh", WAITING .. script)
    player.run { files = files, err = false, out = out,
      sh = "xvfb-run -a -s '-screen 0 800x600x24 -noreset' sh run.sh" }
  end)
end

-- Keys, clicks, a picture, a pause, single steps, the console, another size of the window and the timeline. An object
-- far away says "tick" ten times a second of game time: every key that was pressed before has then been taken.
test("what was recorded in a window replays without one and in another", "", [[
key() { xdotool key $1; pass tick; }
tick='local o = pools:alloc("Ticker", 0, 0, -5000) o:every(0.1, function() print("tick") end)'
cp -r "$SP_ROOT"/scripts/shooter/. game
spawnpool --size 640x480 --record-input in --exec "$tick" game >out 2>err & pid=$!
window=$(timeout 30 xdotool search --sync --onlyvisible --name 'game - spawnpool' | head -1)
focused() { xdotool windowfocus "$window"; [ "$(xdotool getwindowfocus)" = "$window" ]; }
await focused; pass tick
for i in 1 2 3 4; do
  xdotool keydown Left; pass tick; xdotool keyup Left keydown Right; pass tick; xdotool keyup Right
  xdotool mousemove --window $window $((i * 99)) 200 click 1; key space
done
key F8; await test -n "$(ls spawnpool-*.png)"
xdotool key F6; await grep -q '"count":0}' in; xdotool key F7 key x key F7; sleep 0.2; xdotool key F6; pass tick
key grave; xdotool type --delay 15 'pools:alloc("Spark", 9, 40, 40, 1, 9) print("typed", {})'; key Return; key grave
await grep -q '^typed' out
xdotool windowsize $window 500 400; await grep -q '"width":500,"height":400,' in; pass tick
# Back by two seconds, looked at on the way, and on from there; then back again, and closed without a change.
xdotool key F10 Left; sleep 0.7; xdotool key Left Return; pass tick; await grep -q '"back"' in
xdotool keydown Right; pass tick; xdotool keyup Right key F10 Home; sleep 0.7; xdotool key Escape; pass tick
xdotool key Escape; wait $pid; echo "exit $?"; grep -c '"back"' in
spawnpool --headless --replay in game 2>&1
spawnpool --size 300x500 --replay in game 2>&1
grep -c unheard in; grep -E '"(steps|eval)"' in; cat err >&2]], nil,
  { "exit 0\n1\n", "all as recorded\n", "the view is scaled to 300x500", "all as recorded\n", '"count":0}',
    '"text":"pools:alloc' })

local function ticking(version, setting)
  return ([[local n = 0 return { %supdate = function()
    n = n + 1 if n %% 10 == 0 then print "%s ticks" end end }]]):format(setting or "", version)
end

-- The other window stands for an editor. Paused is a game that has said nothing while the other one went on for ten of
-- its lines.
test("a game is edited while another window has the focus", "openbox", [[
find() { id=$(xdotool search --onlyvisible --name "^$1 - spawnpool" 2>/dev/null) && [ -n "$id" ]; }
active() { xdotool windowactivate $1; [ "$(xdotool getactivewindow)" = $1 ]; } 2>/dev/null
managed() { xdotool get_desktop; } >/dev/null 2>&1 # a window shown before that may get lost
openbox >/dev/null 2>&1 & await managed
spawnpool --size 320x240 game >out 2>err & pid=$!
spawnpool --size 200x150 other >>out 2>/dev/null & editor=$!
await find game; game=$id; await find other; other=$id
await active $game; pass first
await active $other; pass first; echo 'ran unfocused'
cp second.lua game/main.lua; pass second; echo 'edited unfocused'
cp pausing.lua game/main.lua; await grep -q pause_unfocused out
still() { before=$(count pausing); for i in 1 2 3 4 5; do pass other; done; [ $(count pausing) = $before ]; }
await still && echo 'paused'
await active $game; pass pausing; echo 'continued'
kill -INT $pid $editor; wait $pid; echo "exit $?"; cat out err >&2]], {
  ["main.lua"] = ticking "first", ["/other/main.lua"] = ticking "other", ["/second.lua"] = ticking "second",
  ["/pausing.lua"] = ticking("pausing", "pause_unfocused = true, "),
}, "ran unfocused\nedited unfocused\npaused\ncontinued\nexit 0\n")
