-- The player from outside, for tests: a folder with a small game, command lines, keys by frame, edits while it runs;
-- and what must come of them. In the plans of the folder `player` these words are globals. A test is a few lines:
--
--   test("a camera shows the world around its place",
--     { main = FAR_AWAY, args = "--frames 2", pixels = { { 50, 30, RED } } })
local host <const> = require "host"
local spec <const> = require "spec"

local player <const> = { BLACK = 0x000000, EMPTY = 0x12131b, RED = 0xff0000, GREEN = 0x00ff00, BLUE = 0x0000ff }

local PATIENCE <const> = 60 -- seconds of waiting for what comes in real time

local folder -- of the test; the game is in the folder `game` there

-- {== The folder ================================================================

local root <const> = host.root

-- The path of a file of the game, or with a leading "/" of one beside it.
function player.path(name)
  return name:sub(1, 1) == "/" and folder .. name or folder .. "/game/" .. name
end

-- Writes a file in place; folders are made.
function player.save(name, text)
  local path <const> = player.path(name)
  spec.make_folder(path:match "^(.*)/")
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

function player.read(name)
  local file <close> = assert(io.open(player.path(name), "rb"))
  return file:read "a"
end

-- A PNG of two halves, 0xRRGGBB.
function player.paint(name, w, h, left, right)
  spec.make_folder(player.path(name):match "^(.*)/")
  host.paint(player.path(name), w, h, 0xff000000 | left, 0xff000000 | (right or left))
end

-- A mono WAV file at 48000 samples a second: a square wave, so that each sample has this amplitude.
function player.tone(name, seconds, amplitude)
  local wave <const> = ("<i2"):pack(amplitude):rep(100) .. ("<i2"):pack(-amplitude):rep(100)
  local count <const> = math.floor(seconds * 48000 + 0.5)
  local data <const> = wave:rep(count // 200 + 1):sub(1, 2 * count)
  player.save(name, ("<c4I4c8I4I2I2I4I4I2I2c4s4"):pack("RIFF", #data + 36, "WAVEfmt ", 16, 1, 1, 48000, 96000, 2, 16,
    "data", data))
end

-- }==

-- {== Tests ======================================================================

local function begin()
  folder = spec.folder()
  spec.make_folder(folder .. "/game")
end

local function finish()
  host.close()
  spec.remove(folder)
end

local function add_test(name, it, fn, level)
  spec.test(name, function()
    begin()
    local _ <close> = setmetatable({}, { __close = finish })
    if type(it) == "function" then it() else player.run(it, fn) end
  end, level + 1)
end

-- Runs `it` of player.run; or fn(), with which `it` may be left out.
function player.test(name, it, fn) add_test(name, it, fn, 2) end

-- Returns a function like `test` for tests whose runs have these fields, unless they say otherwise: always a run, also
-- when `it` is left out.
function player.tests(shared)
  return function(name, it, fn)
    local is_left_out <const> = type(it) == "function"
    add_test(name, setmetatable(is_left_out and {} or it, { __index = shared }), is_left_out and it or fn, 2)
  end
end

function player.expect(is_so, ...)
  if not is_so then error(select("#", ...) > 0 and string.format(...) or "it is not so", 2) end
end

function player.near(got, want, tolerance)
  local is_near <const> = math.abs(got - want) <= tolerance
  if not is_near then error(("it is %s, expected %s"):format(got, want), 2) end
end

-- `want`: the whole text, or a list of parts that stand in it in this order. `level` as for `error`.
local function expect_text(got, want, what, level)
  level = level or 2
  if type(want) == "string" then
    if got ~= want then error(("%s is\n%s\nexpected\n%s"):format(what, got, want), level + 1) end
    return
  end
  local at = 1
  for _, part in ipairs(want) do
    local first <const>, last <const> = got:find(part, at, true)
    if not first then error(("'%s' is not in %s%s:\n%s"):format(part, what, at > 1 and ", or earlier" or "", got),
      level + 1) end
    at = last + 1
  end
end

player.expect_text = expect_text

-- }==

-- {== Pictures ===================================================================

-- A picture of these pixels, with the function `at(x, y)`: 0xRRGGBB, and `lit(x, y, w, h, ground)`: how many pixels are
-- not `ground`.
function player.picture_of(w, h, bytes)
  local it <const> = { w = w, h = h, bytes = bytes }
  function it.at(x, y)
    if x >= w or y >= h then error("it is outside of the picture", 2) end
    return ((">I3"):unpack(bytes, (y * w + x) * 3 + 1))
  end
  function it.lit(x0, y0, width, height, ground)
    local count = 0
    for y = y0, y0 + height - 1 do
      for x = x0, x0 + width - 1 do
        if it.at(x, y) ~= ground then count = count + 1 end
      end
    end
    return count
  end
  return it
end

-- Returns a picture of what the game has drawn, on black, with the counts of host.scene.
function player.scene()
  local w <const>, h <const>, quads <const>, runs <const>, vertices <const>, textures <const> = host.scene()
  local it <const> = player.picture_of(w, h, host.seen(0, 0, w, h))
  it.quads, it.runs, it.vertices, it.textures = quads, runs, vertices, textures
  return it
end

-- A game that draws what a test tells it to, below its objects if `is_below`, with more entries of its table.
player.DRAWN = [[spawnpool = require "spawnpool"
  function paint() end
  local function draw(g) problem = select(2, pcall(paint, g)) end
  return { draw = function(g) if not is_below then draw(g) end end,
    draw_below = function(g) if is_below then draw(g) end end, %s }]]

-- Has the game draw a picture in which draw(g) runs this code; what it raised.
function player.try_draw(code)
  host.ask("function paint(g) " .. code .. " end")
  player.frames(1)
  return host.ask "return problem"
end

-- Does the same with code that raises nothing; the picture.
function player.draw(code)
  local problem <const> = player.try_draw(code or "")
  if problem ~= "nil" then error(problem, 2) end
  return player.scene()
end

function player.picture(name) return player.picture_of(host.picture(player.path(name))) end

-- `pixels`: { { x, y, color }, ... }. `level` as for `error`.
function player.expect_pixels(picture, pixels, level)
  level = level or 1
  for _, row in ipairs(pixels) do
    local x <const>, y <const>, want <const> = table.unpack(row)
    local got <const> = picture.at(x, y)
    if got ~= want then error(("at %d, %d: %06x, not %06x"):format(x, y, got, want), level + 1) end
  end
end

-- Draws a picture by this code, in which so many pixels are lit, or false; and `pixels`.
function player.expect_drawn(code, lit, pixels)
  local it <const> = player.draw(code)
  if lit then spec.equal(it.lit(0, 0, it.w, it.h, player.BLACK), lit, code) end
  player.expect_pixels(it, pixels or {}, 2)
  return it
end

-- The sound in a file that the player wrote: how many samples it has, and `peak(from, to)`, the loudest ones of both
-- sides in a stretch of seconds.
function player.wave(name)
  local bytes <const> = player.read(name)
  local it <const> = { samples = (#bytes - 44) // 4 }
  if bytes:sub(1, 4) ~= "RIFF" or bytes:sub(9, 16) ~= "WAVEfmt " or (("<I4"):unpack(bytes, 41)) ~= it.samples * 4 then
    error(name .. " is no WAV file", 2)
  end
  function it.at(i) return ("<i2i2"):unpack(bytes, 45 + 4 * i) end
  function it.peak(from, to)
    local left, right = 0, 0
    for i = math.floor(from * 48000 + 0.5), math.min(math.floor(to * 48000 + 0.5), it.samples) - 1 do
      local l <const>, r <const> = it.at(i)
      left, right = math.max(left, math.abs(l)), math.max(right, math.abs(r))
    end
    return left, right
  end
  return it
end

-- }==

-- {== Events =====================================================================

local MODS <const> = { C = 0x0040, R = 0x0080, A = 0x0100, S = 0x0001 } -- left and right Ctrl, left Alt and Shift

local function push_key(word, kind)
  local mod <const>, name <const> = word:match "^(%u)%-(.+)$"
  host.push { kind = kind, name = name or word, mod = mod and MODS[mod] or 0 }
end

-- "click:3,4", "down:3,4,2" (a button: 1 left, 3 right), "up:3,4", "move:3,4", "wheel:0,-1"
local function push_mouse(kind, x, y, button)
  button = tonumber(button) or 1
  if kind == "click" then
    push_mouse("down", x, y, button)
    kind = "up"
  end
  host.push { kind = kind, x = tonumber(x), y = tonumber(y), button = button }
end

-- "pad2:+a", "pad2:-a", "pad1:leftx=-32768": names are those of SDL; "pad1:in" and "pad1:out" plug it in and out
local function push_pad(number, sign, name, value)
  host.pad(tonumber(number), name, tonumber(value) or sign == "+" and 1 or 0)
end

local function push_word(word)
  local number <const>, pad_sign <const>, name <const>, value <const> = word:match "^pad(%d):([+-]?)(%a+)=?(.*)$"
  if number then return push_pad(number, pad_sign, name, value) end
  local kind <const>, x <const>, y <const>, button <const> = word:match "^(%l+):(-?%d+),(-?%d+),?(%d*)$"
  if kind then return push_mouse(kind, x, y, button) end
  local is_kind <const> = word == "quit" or word == "focus" or word == "unfocus" or word == "device_reset"
  if is_kind then return host.push { kind = word } end
  local sign <const>, key <const> = word:match "^([+-])(..*)$"
  if sign ~= "-" then push_key(key or word, "key_down") end
  if sign ~= "+" then push_key(key or word, "key_up") end
end

-- Pushes events that come with the next frame. Words between blanks: "F3" is pressed and released, "+left" pressed,
-- "-left" released, "C-c" with Ctrl (R- the right one, A- Alt, S- Shift); "click:3,4" and so on, "quit", "focus",
-- "unfocus", "pad1:+a" and so on. "text ..." is typed, and "line ..." is typed and sent. Or a table for host.push, a
-- function, which is called, or a list of all these.
function player.push(events)
  if type(events) == "function" then return events() end
  if type(events) == "table" then
    if events.kind then return host.push(events) end
    for _, event in ipairs(events) do player.push(event) end
    return
  end
  local kind <const>, text <const> = events:match "^(%l+) (.*)$"
  if kind ~= "text" and kind ~= "line" then
    for word in events:gmatch "%S+" do push_word(word) end
    return
  end
  for _, code in utf8.codes(text) do host.push { kind = "text", name = utf8.char(code) } end
  if kind == "line" then push_word "Return" end
end

-- }==

-- {== Runs =======================================================================

local BUILD <const> = host.build:find "^/" and host.build or root .. "/" .. host.build
local ENV <const> = ("PATH='%s':\"$PATH\" SP_ROOT='%s' SP_BUILD='%s'"):format(BUILD, root, BUILD)
-- Paths have spaces: only lines are split into words.
local AWAIT <const> = [[IFS='
'
await() { i=0; until [ $(grep -c "$1" said) -ge ${2:-1} ]; do
  i=$((i + 1)); [ $i -lt %d ] && kill -0 ${p:-$$} || exit 99; sleep 0.02; done; }]]

local function in_folder(command)
  return ("cd '%s' && export %s\n%s\n%s"):format(folder, ENV, AWAIT:format(math.ceil(3000 * host.patience())), command)
end

local person -- the coroutine of a test that acts in the gallery

-- Runs so many frames of the player in this process.
function player.frames(count)
  if person then return coroutine.yield(count) end
  for _ = 1, count do
    if not host.frame() then error("the player has ended", 3) end
  end
end

local function words_of(it, args, fn)
  local words <const> = { it.program or "spawnpool" }
  if it.headless or not (it.at or fn) then words[2] = "--headless" end
  if not (it.at or fn) then words[#words + 1] = "--frames=10" end
  for word in args:gmatch "%S+" do words[#words + 1] = word end
  for _, text in ipairs(it.exec or {}) do words[#words + 1] = "--exec=" .. text end
  if it.game ~= false then words[#words + 1] = it.game or "game" end
  for word in (it.rest and "-- " .. it.rest or ""):gmatch "%S+" do words[#words + 1] = word end
  return words
end

local function play_gallery(words, fn)
  local wake, picture = 3, 0
  person = coroutine.create(fn)
  local status <const>, out <const>, err <const> = host.gallery(words, folder, function()
    picture = picture + 1
    if picture < wake then return end
    local ok <const>, pause <const> = coroutine.resume(person)
    if not ok then error(pause, 0) end
    local has_left <const> = coroutine.status(person) == "dead"
    wake = has_left and math.huge or picture + pause
    if has_left then player.push "quit" end
  end)
  person = nil
  return status, out, err
end

-- Plays to the end in this process; `fn` acts in the window after the first frames.
local function play(it, args, fn)
  local words <const> = words_of(it, args, fn)
  if it.game == false then return play_gallery(words, fn) end
  if it.events then player.push(it.events) end
  host.open(words, folder, it)
  if fn then
    player.frames(3)
    if it.before then player.press(it.before) end
    fn()
    player.push "quit"
  end
  local shown = fn and math.huge or 0
  repeat
    local goes_on <const>, picture <const> = host.frame()
    local now <const> = picture > shown and it.at and it.at[picture]
    if type(now) == "function" then now(picture) elseif now then player.push(now) end
    if picture > shown and it.each then it.each(picture) end
  until not goes_on
  return host.close()
end

local function run_each(rows, fn)
  local got
  for i, row in ipairs(rows) do
    local ok
    ok, got = pcall(player.run, setmetatable(row, { __index = rows }), fn)
    if not ok then error(("row %d: %s"):format(i, got), 3) end
  end
  return got
end

-- Runs the player on the game, for 10 frames unless `args` says otherwise; or, `sh`, a command line beside the folder
-- `game`, where `spawnpool` is the player. Before that `main` is saved as main.lua, and `files` by their names, and
-- `pictures` are painted: { name = { w, h, left, right } }; then the command line `setup` is run.
--
--   args, rest     options; what follows "--"; `game`: another game, false: the gallery; `program`: its own name
--   events, at     play in this process: events before the first frame; `at[n]` has events that come after picture n,
--                  or a function, and there is a window that nobody sees. `each`: is called with each picture's number
--   before         events after the first frames, before `fn`
--   exec           texts for --exec; `letters`, `density`, `patience`: see host.open
--   status         0 if not given
--   out, err       see expect_text; nothing on stderr if not given; false: anything
--   err_lines      how many lines stderr has
--   lacks          a part that is in neither
--   pixels         of the last frame: { { x, y, color }, ... }
--
-- `fn` acts in this process, by the functions below, in a window that nobody sees unless `it` is `headless`; the player
-- quits at its end. Returns what was found: { status, out, err, seconds, picture }. A list of such tables is run in
-- turn: each has the other fields of the list too, and the last result is returned.
function player.run(it, fn)
  if rawget(it, 1) then return run_each(it, fn) end
  if it.main then player.save("main.lua", it.main) end
  for name, text in pairs(it.files or {}) do player.save(name, text) end
  for name, args in pairs(it.pictures or {}) do player.paint(name, table.unpack(args)) end
  if it.setup then player.sh(it.setup) end
  local got <const>, args <const> = {}, (it.args or "") .. (it.pixels and " --screenshot out.png" or "")
  if it.events or it.at or fn then
    got.status, got.out, got.err = play(it, args, fn)
  else
    local command <const> = it.sh or ("%s spawnpool --headless --frames 10 %s %s%s"):format(it.env or "", args,
      it.game or "game", it.rest and " -- " .. it.rest or "")
    got.status, got.out, got.err, got.seconds = host.run(in_folder(command))
  end
  local said <const> = ("out: %s\nerr: %s"):format(got.out:sub(-2000), got.err:sub(-2000))
  if got.status ~= (it.status or 0) then error(("status %d\n%s"):format(got.status, said), 2) end
  if it.out then expect_text(got.out, it.out, "stdout", 2) end
  if it.err ~= false and not (it.err == nil and it.err_lines) then expect_text(got.err, it.err or "", "stderr", 2) end
  local _, lines <const> = got.err:gsub("\n", "")
  if it.err_lines and lines ~= it.err_lines then error("stderr has not so many lines\n" .. said, 2) end
  local has_it <const> = it.lacks and (got.out .. got.err):find(it.lacks, 1, true)
  if has_it then error(("'%s' is in:\n%s"):format(it.lacks, said), 2) end
  if it.pixels then
    got.picture = player.picture "/out.png"
    player.expect_pixels(got.picture, it.pixels, 2)
  end
  return got
end

-- Runs a command line beside the game that must succeed; what it printed.
function player.sh(command)
  local status <const>, out <const>, err <const> = host.run(in_folder(command))
  if status ~= 0 then error(("%s: status %d\n%s%s"):format(command, status, out, err), 2) end
  return out
end

-- Runs the player in real time, for 3600 frames at most; both its streams go to the file `said`. The shell commands
-- `it.meanwhile` run beside it: `await TEXT COUNT` waits until so many lines have a text, $p is the player's process.
function player.run_meanwhile(it)
  it.sh = ([[: >said; env %s spawnpool --frames 3600 %s game >>said 2>&1 & p=$!
    trap 'kill -KILL $p 2>&-; sed "/^spawnpool: the second wall of the sandbox is incomplete/d" said' EXIT
    %s
    wait $p]]):format(it.env or "", it.args or "--headless --realtime", it.meanwhile)
  return player.run(it)
end

-- Whether a command line succeeds; if not the test is skipped, with this reason, and returns.
function player.can(command, why)
  local able <const> = host.run(in_folder(command)) == 0
  if not able then host.skip("player", why) end
  return able
end

-- Returns whether programs count coverage, and says then that the test is skipped: a program that may not write its
-- counts prints more than the test expects.
function player.counts_coverage(name)
  local counts <const> = host.tool == "coverage"
  if counts then host.skip(name, "coverage is counted") end
  return counts
end

-- }==

-- {== In the window ==============================================================

-- Pushes events as `push` does, and runs some frames.
function player.press(events, pictures)
  player.push(events)
  player.frames(pictures or 2)
end

-- Lets so many seconds pass.
function player.wait(seconds)
  host.pass(seconds)
  player.frames(2)
end

-- What is written in the picture and has this part, and how often it is there: { text, x, y, w, color }.
function player.seen(part)
  local first, count = nil, 0
  for _, it in ipairs(host.texts()) do
    if it.text:find(part, 1, true) then first, count = first or it, count + 1 end
  end
  return first, count
end

local function all_seen()
  local lines <const> = {}
  for i, it in ipairs(host.texts()) do lines[i] = it.text end
  return table.concat(lines, "\n")
end

function player.expect_seen(...)
  for _, part in ipairs { ... } do
    if not player.seen(part) then error(("'%s' is not seen:\n%s"):format(part, all_seen()), 2) end
  end
end

-- Runs frames until fn() is so: they take no time, while files are watched by a real clock. Returns what it said last.
function player.await_so(fn)
  local naps, is_so = 0, fn()
  while not is_so and naps < PATIENCE * host.patience() / 0.005 do
    host.nap(0.005)
    player.frames(1)
    naps, is_so = naps + 1, fn()
  end
  return is_so
end

function player.await_seen(part)
  player.await_so(function() return player.seen(part) end)
  player.expect_seen(part)
end

function player.expect_unseen(...)
  for _, part in ipairs { ... } do
    if player.seen(part) then error(("'%s' is seen:\n%s"):format(part, all_seen()), 2) end
  end
end

-- Clicks on a text, or `dx` to its right.
function player.click_on(part, dx)
  local it <const> = player.seen(part)
  if not it then error(("'%s' is not seen:\n%s"):format(part, all_seen()), 2) end
  player.press(("click:%d,%d"):format(math.floor(it.x + (dx or 2)), math.floor(it.y + 4)))
end

-- }==

-- Makes the words of a plan globals.
function player.speak()
  for name, word in pairs(player) do _G[name] = word end
  for _, name in ipairs { "equal", "expect_error" } do _G[name] = spec[name] end
  _G.ask, _G.player, _G.host, _G.spec = host.ask, player, host, spec
end

return player
