-- What the player writes over a game: the counts of the pools, the keys, notices, and the page of an error; also in
-- windows of other sizes, and long texts.

local WHITE <const>, GREY <const>, GREEN <const> = 0xf0f0f5, 0xa0a5b4, 0x82e196
local YELLOW <const>, RED <const> = 0xfad264, 0xff7369

local test <const> = tests { main = "return {}", args = "--size 640x480 --no-watch" }

local function resize(w, h)
  host.window(w, h)
  press({}, 2)
end

-- What is written in this colour, without blanks.
local function written(color)
  local parts <const> = {}
  for _, it in ipairs(host.texts()) do parts[#parts + 1] = it.color == color and it.text or "" end
  return (table.concat(parts):gsub("%s", ""))
end

-- Nothing is written past the edges of the window, and no text lies over another.
local function expect_inside()
  local w <const>, h <const> = host.window()
  local before <const> = {}
  for i, it in ipairs(host.texts()) do
    expect(it.x >= 0 and it.x + it.w <= w and it.y >= 0 and it.y + 15 <= h, "%s at %g, %g", it.text, it.x, it.y)
    for _, other in ipairs(before) do
      expect(it.x >= other.x + other.w or other.x >= it.x + it.w or math.abs(it.y - other.y) > 11,
        "'%s' lies over '%s'", it.text, other.text)
    end
    before[i] = it
  end
end

-- {== Pools ======================================================================

local TYPES <const> = [[local spawnpool <const> = require 'spawnpool'
  for i = 1, 100 do
    spawnpool.class('Type' .. i)
    spawnpool.pools:pool('Type' .. i)
  end
  return { wheel = function() print 'wheel' end }]]

test("the wheel and the key reach every pool", { main = TYPES, out = "wheel\n" }, function()
    local function last() return seen(" of 100 pools: wheel, Shift+F2").text:match " to (%d+)" end
    press "F2"
    expect_inside()
    local first <const>, pages = tonumber(last()), 1
    press "move:40,100 wheel:0,-1"
    equal(tonumber(last()), first + 1)
    press "wheel:0,1 wheel:0,1 move:630,100 wheel:0,-1" -- beside it the wheel is the game's
    equal(tonumber(last()), first)
    while last() ~= "100" do
      press "S-F2"
      pages = pages + 1
      expect(pages < 20, "it ends at %s", last())
    end
  end)

test("the counts tell of allocations, hooks and reloads, and go with the key", {
  main = [[local spawnpool = require 'spawnpool'
    local Cube <const> = spawnpool.class('Cube', {})
    function Cube:on_spawn() for i = 1, 1000 do n = i end end
    spawnpool.class('Full', { limit = 0 })
    return { load = function() spawnpool.pools:alloc 'Cube' end,
      update = function() spawnpool.pools:alloc('Cube'):recycle() spawnpool.pools:alloc 'Full' end }]],
  status = 1, err = false,
}, function()
  save("main.lua", "return {")
  press "F2"
  expect_seen("fps", "p99", "Lua ", "type", "limit", "Cube", "Full")
  expect_unseen "alloc/s"
  press("F2 F5", 120)
  expect_seen("frame", "Lua heap", "0 reloads, last refused", "not reloaded: main.lua")
  local function below(title)
    local right <const>, row <const> = seen(title), seen "Cube"
    for _, it in ipairs(host.texts()) do
      if it.y == row.y and math.abs(it.x + it.w - right.x - right.w) < 1 then return it.text end
    end
  end
  local allocs <const>, hooks <const> = tonumber(below "alloc/s"), below "hooks"
  expect(allocs > 50 and allocs < 75 and tonumber(below "recyc/s") == allocs, allocs)
  expect(hooks:find "^[1-9].*us$", hooks)
  equal(below "live", "1")
  press "F2"
  expect_unseen("fps", "Cube")
end)

-- }==

-- {== Keys and notices ===========================================================

test("the help has a line per key, and screenshots get names that are free", function()
  press "F1"
  for _, name in ipairs { "F1", "F2", "F3", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "`", "Esc" } do
    local rows = 0
    for _, it in ipairs(host.texts()) do rows = rows + (it.text == name and it.color == GREEN and 1 or 0) end
    equal(rows, 1, name)
  end
  expect_seen("this help", "close what is open, or quit")
  expect_inside()
  press "F1"
  for _ = 1, 3 do press "F8" end
  expect_seen "saved spawnpool-"
  wait(5)
  equal(#host.texts(), 0)
  equal(tonumber(sh "ls spawnpool-*.png | wc -l"), 3)
end)

test("trouble stands until it is mended, and a deleted file is told",
  { err = { "not reloaded", "was deleted" }, out = false }, function()
    save("main.lua", "error 'boom'")
    press "F5"
    wait(10)
    equal(seen("main.lua:1: boom").color, RED)
    equal({ seen("error 'boom'").color, seen("still running the previous version").color }, { WHITE, GREY })
    press "F8"
    expect_unseen "boom"
    wait(5)
    expect_seen "main.lua:1: boom"
    save("main.lua", "return { draw = print }")
    press "F5"
    equal(seen("reloaded main.lua").color, GREEN)
    wait(10)
    equal(#host.texts(), 0)
    sh "rm game/main.lua"
    press "F5"
    await_seen "was deleted"
    equal(seen("main.lua was deleted: its last code stays").color, YELLOW)
  end)

-- }==

-- {== Long texts =================================================================

-- The names differ in their last letter; the line of code is long too.
local LONG <const> = ("a_rather_long_name_"):rep(2)
local HINT <const> = ("didyoumean'%sx'?"):format(LONG)
local MISSPELT <const> = ("%sx = print\nreturn { update = %sy(%s) }"):format(LONG, LONG,
  ("'and', 'so', 'on', "):rep(9) .. "1")
local SIZES <const> = { { 1920, 1080 }, { 640, 480 }, { 320, 240 } }

for what, main in pairs { ["a notice"] = "return {}", ["the page of an error"] = MISSPELT } do
  local is_page <const> = main == MISSPELT
  test(what .. " shows its hint, and stays in the window however long it is",
    { main = main, status = 1, err = false }, function()
      if is_page then expect_seen("The script has stopped", "Esc quits") end
      save("main.lua", MISSPELT)
      press "F5"
      wait(10)
      for _, size in ipairs(SIZES) do
        resize(table.unpack(size))
        expect(written(GREEN) == HINT, "%d x %d: %s", size[1], size[2], written(GREEN))
        expect_inside()
      end
      -- The end of what is too much: dots, behind a whole character.
      save("main.lua", ("error '%s'"):format(("\u{20ac}"):rep(400)))
      press "F5"
      resize(320, 240)
      local text <const> = written(is_page and WHITE or RED)
      expect(text:find "\u{20ac}%.%." and utf8.len(text), text:sub(-40))
      expect_inside()
    end)

  local function write_field()
    press "` F3"
    press "click:100,100"
    if not is_page then click_on "radius" end
    push("text " .. LONG)
  end
  test("what the player writes stands any window, beside " .. what, { main = main, status = 1, err = false,
    exec = { "pools:alloc('Cube', 0, { x = 100, y = 100, radius = 20 })" } }, function()
      save("main.lua", "return {")
      for _, keys in ipairs { "F2 F5", "F2 F1", "F1 F2 `", write_field, "F3 F10 Home" } do
        resize(640, 480)
        press(keys)
        for _, size in ipairs { { 20, 600 }, { 600, 20 }, { 2000, 1000 }, { 1, 1 } } do
          resize(table.unpack(size))
          press "down:30,200 move:3,3 up:3,3"
        end
      end
    end)
end

-- }==
