-- The script host from outside: how a game is opened and started, its callbacks, and what the host hears of it.
local spec <const> = require "spec"
local games <const> = require "games"

-- {== Opening and starting ====================================================

spec.test("what cannot be opened is one line", function()
  local g <const> = games.make { nil }
  for path, part in pairs {
    [g:path "."] = "no main.lua in this folder", [""] = "no such file or folder",
    ["/nowhere/at all"] = "/nowhere/at all: no such file or folder", ["nowhere.lua"] = "nowhere.lua: no such file",
  } do
    local error <const> = g:open(path)
    spec.contains(error, part)
    spec.equal(error:find "\n", nil)
  end
  for limit = 1000, 64000, 3000 do
    spec.contains(games.make({ "return {}", memory_limit = limit }):open(), "not enough memory")
  end
end)

spec.test("a game is a folder or a file, and opening runs nothing", function()
  local g <const> = games.make {
    "print 'main' return {}", ["other.lua"] = "return { load = function(args) print(#args, args[1], args.n) end }",
  }
  local rows <const> = { [""] = "main", ["//"] = "main", ["main.lua"] = "main", ["other.lua"] = "1\tone of them\tnil" }
  for path, told in pairs(rows) do
    spec.equal(g:open(g:path(path)), nil)
    spec.equal({ g:update(), g:has "update", g:veto "quit", g:told() }, { true, false, false, "" }) -- absent is fine
    spec.equal(g:begin "one of them", true)
    spec.equal(g:told(), "print: " .. told .. "\n")
  end
end)

-- A module's list that several files change: no entry is put back, or moved, because its file has run.
spec.test("what files did stays as they did it", function()
  local g <const> = games.start {
    "local bus <const> = require 'bus' require 'a' bus[#bus + 1] = 'main' require 'b'\n" ..
    "table.remove(bus, 1) return { load = function() print(table.concat(bus, ' ')) end }",
    ["bus.lua"] = "return {}", ["a.lua"] = "local bus <const> = require 'bus' bus[#bus + 1] = 'a'",
    ["b.lua"] = "local bus <const> = require 'bus' bus[#bus + 1] = 'b'", reload = true,
  }
  spec.equal(g:told(), "print: main b\n")
end)

-- }==

-- {== Callbacks ===============================================================

spec.test("quit may ask to stay", function()
  local g <const> = games.start { "return { quit = function() return answer() end }" }
  local rows <const> = { ["return true"] = true, ["return 1"] = true, ["return false"] = false, ["error()"] = false }
  for body, stays in pairs(rows) do
    g:eval("function answer() " .. body .. " end")
    spec.equal(g:veto "quit", stays, body)
  end
end)

spec.test("an error is told, kept and over", function()
  local g <const> = games.start {
    "local n = 0\nreturn { update = function(dt)\n  n = n + dt\n  if n < 0.5 then error('at ' .. n) end\n" ..
    "  print(n)\nend }",
  }
  spec.equal(g:update(), false)
  spec.contains(g:last_error(), "/main.lua:4: at 0.25\n")
  spec.contains(g:told(), "error: GAME/main.lua:4: at 0.25\n    if n < 0.5 then error('at ' .. n) end\n")
  spec.equal(g:update(), true)
  spec.equal(g:told(), "print: 0.5\n")
  spec.equal(g:last_error() ~= nil, true)
  g:clear_error()
  spec.equal(g:last_error(), nil)
end)

spec.test("odd callback tables do no harm", function()
  local g <const> = games.start {
    "return setmetatable({ update = 12 }, { __index = function(_, k)\n" ..
    "  if k ~= 'load' then error('no ' .. k, 0) end end })",
  }
  spec.equal(g:update(), false)
  spec.contains(g:told(), "error: GAME/main.lua:1: the callback 'update' must be a function, got a number")
  spec.equal(g:call "draw", false)
  spec.contains(g:told(), "error: no draw")
  spec.equal(g:has "quit", false)
end)

spec.test("print and warnings go to the host, whatever they are", function()
  local g <const> = games.start { [[
print() print(1, nil, 1.5, 'x', true) print(setmetatable({}, { __tostring = function() return 'T' end }))
warn '@off' warn('careful: ', 'hot') warn(('x'):rep(1e6), 'y') warn 'c'
require('spawnpool').pools:alloc 'Zebra' return {}]] }
  local told <const> = g:told()
  spec.contains(told, "print: \nprint: 1\tnil\t1.5\tx\ttrue\nprint: T\nwarning: careful: hot\nwarning: xxx",
    "x\nwarning: c\nwarning: unknown type 'Zebra' (no class of that name, no GAME/pools/Zebra.lua): it gets the ")
  spec.equal(g:last_error(), nil)
end)

spec.test("there are 65536 sprites and no more", function()
  local g <const> = games.start { [[
return { update = function()
  local cube = require('spawnpool').pools:alloc 'Cube'
  for i = 1, 65535 do cube.sprite = 'name ' .. i end
  cube.sprite = 'name 9'
  print(select(2, pcall(function() cube.sprite = 'one more' end)), cube.sprite)
end }]] }
  spec.equal(g:update(), true)
  spec.contains(g:told(), "would be one sprite name too many (65536 at most), got 'one more'\tname 9\n")
end)

-- Each hook fails in turn; "none" does not. Nothing is left on the stack: each call of a game looks.
spec.test("hooks may fail in every call of the host", function()
  local g <const> = games.start { [[
local spawnpool <const>, failing, failed = require 'spawnpool', 'none', 0
local pools <const>, Cube <const> = spawnpool.pools, spawnpool.class('Cube', { limit = 2, idle_limit = 1 })
local function act(name) if name == failing then failed = failed + 1 error 'boom' end end
for _, name in ipairs { 'on_create', 'on_despawn', 'on_reject', 'on_destroy', 'update' } do
  Cube[name] = function() act(name) end
end
function Cube:on_spawn(o) o:after(0.1, function() act 'timer' end) act 'on_spawn' end
return { fail = function(name) failing, failed = name, 0 end,
  update = function() for _ = 1, 5 do pcall(pools.alloc, pools, 'Cube', 0.5) end end,
  clear = function() pools:clear() print(failed > 0) end }]] }
  for name in ("none on_create on_spawn on_despawn on_reject on_destroy update timer"):gmatch "%g+" do
    g:call("fail", name)
    for i = 1, 8 do
      if i % 4 == 1 then g:update() end
      g:tick(0.25)
    end
    g:told()
    g:call "clear"
    spec.contains(g:told(), "print: " .. tostring(name ~= "none") .. "\n")
  end
end)

-- }==
