-- Errors that have no caller, reported once and with the place; warnings; and the diagnostics of a manager: configure,
-- leaks, and with `trace` the history in the error of a stale use.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

-- The reports since the last call, with the line numbers of this file taken out.
local function reports()
  return (spec.reports():gsub("tests/lua/spec_reports.lua:%d+: ", "here: "))
end
reports()

-- {== Errors without a caller ================================================

kit.test("an error in on_restore is reported: all is restored, and the other objects are told", { fields = { n = 0 } },
  function(pools, Cube)
  local add <const>, log <const> = kit.log()
  function Cube:on_restore(o)
    add(o.id, o.n)
    if o.id == 2 then error "boom" end
  end
  for i = 1, 3 do pools:alloc("Cube", 0, { n = i }) end
  local snapshot <const>, text <const>, hash <const> = pools:snapshot(), pools:save(), pools:hash()
  for _, restored in ipairs {
    function() return pools:restore(snapshot) and pools end,
    function() return (pools:restore(text)) and pools end,
    function() return (spawnpool.load(text)) end,
  } do
    for o in pools:each() do o.n = 9 end
    spec.equal({ restored():hash(), reports(), log() },
      { hash, "Cube.on_restore: here: boom (traced)\n", "1 1, 2 2, 3 3" })
  end
end)

-- Ends a life whose on_despawn raises `value`; returns what is reported.
local function reported(value)
  local pools <const> = kit.new()
  local Cube <const> = spawnpool.class "Cube"
  function Cube:on_despawn() error(value, 0) end
  spec.equal({ pools:alloc("Cube"):recycle() }, { true })
  return reports()
end

spec.test("an error value of any type is told with its place, and once if it repeats: it names no address", function()
  spec.equal(reported(12), "Cube.on_despawn: 12 (traced)\n")
  local told <const> = setmetatable({}, { __tostring = function() return "my own words" end })
  spec.equal(reported(told), "Cube.on_despawn: my own words (traced)\n")
  local sly <const> = setmetatable({}, { __tostring = function() error "not me" end })
  local nameless <const> = "Cube.on_despawn: here: (error object is a %s value) (traced)\n"
  spec.equal({ reported(nil), reported(sly), reported {} }, { nameless:format "nil", nameless:format "table", "" })
end)

kit.test("an error that repeats is told at every tenth power, one that always differs every time", {},
  function(pools, Cube)
  local text
  function Cube:on_despawn() error(text, 0) end
  local function fail(times, said)
    text = said
    for _ = 1, times do pools:alloc("Cube"):recycle() end
    local _, count <const> = reports():gsub("boom", "")
    return count
  end
  local told <const> = {}
  for i, times in ipairs { 1, 8, 1, 89, 1, 50 } do told[i] = fail(times, "boom") end
  spec.equal(told, { 1, 0, 1, 0, 1, 0 })
  for i = 1, 1100 do spec.equal({ i, fail(1, "boom " .. i) }, { i, 1 }) end
end)

kit.test("a chain of ends is no recursion; one without end in on_despawn is reported, and every count is right", {},
  function(pools, Cube)
  local objects <const>, act = {}, nil
  for i = 1, 1000 do objects[i] = pools:alloc "Cube" end
  function Cube:on_despawn(o) act(o) end
  function act(o) if o.id < 900 then objects[o.id + 1]:recycle() end end
  spec.equal({ objects[1]:recycle(), reports(), pools:stats("Cube").recycles }, { true, "", 900 })
  function act(o) return 1 + act(o) end
  spec.equal({ objects[901]:recycle(), reports():find "overflow" ~= nil }, { true, true })
  local s <const> = pools:stats "Cube"
  spec.equal({ s.live, s.recycles }, { 99, 901 })
  Cube.on_despawn = nil
  spec.equal(pools:recycle_all(), s.live)
end)

kit.test("misuse = 'error' inside a hook is reported, and so is a warning, as one", {}, function(silent, Cube)
  local pools <const> = kit.new { misuse = "error" }
  function Cube:on_despawn(o) o:recycle() end
  spec.equal({ pools:alloc("Cube"):recycle() }, { true })
  spec.equal(reports():find("Cube.on_despawn: here: recycle of Cube#1 refused: dying", 1, true), 1)
  silent:alloc "Zebra"
  spec.equal(reports(), "warning: unknown type 'Zebra' (no class of that name): it gets the generic pool\n")
end)

-- }==

-- {== Diagnostics ============================================================

local function here() return debug.getinfo(2, "l").currentline end

kit.test("configure gives Lua text that loads, with numbers from what was seen", { limit = 40 }, function(pools)
  local ODD <const> = "odd name\n\"]]"
  for _, type in ipairs { "Ball", "end", ODD } do spawnpool.class(type, {}) end
  pools:pool "Ball":prewarm(50)
  local unused <const> = pools:configure()
  spec.equal({ load(unused)(), unused:find "Ball: never used" ~= nil }, { {}, true })
  local cubes <const> = {}
  for i = 1, 41 do cubes[i] = pools:alloc "Cube" end
  for i = 1, 39 do cubes[i]:recycle() end
  for _ = 1, 10 do pools:alloc "Ball" end
  pools:alloc "end"
  pools:alloc(ODD)
  local text <const> = pools:configure()
  local settings <const> = assert(load(text))()
  spec.equal(settings.Cube, { prealloc = 40, grow = 10, limit = 50, idle_limit = 40 })
  spec.equal(settings["end"], { prealloc = 1, grow = 1, limit = 2, idle_limit = 1 })
  spec.equal({ settings[ODD].prealloc, text:find "Cube: 40 live at most.*1 refused" ~= nil }, { 1, true })
  spec.equal(assert(load(pools:configure { headroom = 2 }))().Cube.limit, 80)
  spec.equal(assert(load(pools:configure {}))(), settings)
  spec.equal(spawnpool.class("Cube", settings.Cube).limit, 50)
end)

spec.test("leaks lists live objects by type, site and age, oldest first", function()
  local pools <const> = kit.new { trace = true }
  local Ball <const> = spawnpool.class("Ball", { grow = 1 })
  function Ball:alloc(...) return (Ball.super.alloc(self, ...)) end -- the site is the line that asked, not this one
  local cubes <const>, line_a = {}, nil
  for i = 1, 3 do
    cubes[i], line_a = pools:alloc "Cube", here()
    kit.tick(pools)
  end
  cubes[2]:recycle()
  local ball <const>, line_b <const> = pools:alloc "Ball", here()
  kit.tick(pools, 10)
  local first <const>, second <const> = table.unpack(pools:leaks())
  spec.equal({ first.type, first.count, first.object, first.oldest }, { "Cube", 2, cubes[1], 13 / 64 })
  spec.equal({ second.type, second.count, second.object, second.oldest }, { "Ball", 1, ball, 10 / 64 })
  spec.equal({ first.site:match ":(%d+)$", second.site:match ":(%d+)$" }, { tostring(line_a), tostring(line_b) })
  for older_than, count in pairs { [11 / 64] = 1, [1] = 0, [0] = 2 } do
    spec.equal(#pools:leaks { older_than = older_than }, count)
  end
  spec.equal(pools:leaks({ older_than = 13 / 64 })[1].count, 1)
  pools:recycle_all()
  local taken <const>, line_taken <const> = pools:take "Ball", here()
  spec.equal({ taken.alive, pools:leaks()[1].site:match ":(%d+)$" }, { true, tostring(line_taken) })
  local plain <const> = kit.new()
  plain:alloc "Cube"
  local list <const> = plain:leaks()
  spec.equal({ #list, list[1].count, list[1].site }, { 1, 1, "unknown (make the manager with trace = true)" })
end)

-- }==

-- {== The story of a stale use ===============================================

local function story_of(o) return spec.expect_error("stale", function() return o.x end) end

local has <const> = spec.contains

local FILE <const> = "tests/lua/spec_reports.lua"

local function open(settings)
  return kit.new { trace = true, misuse = "error" }, spawnpool.class("Cube", settings or { grow = 1 })
end

spec.test("a stale use tells which object, where it began, where and when it ended, and who is there now", function()
  local pools <const> = open()
  kit.tick(pools, 64)
  local o <const>, born <const> = pools:alloc "Cube", here()
  kit.tick(pools, 32)
  o:recycle()
  local ended <const> = here() - 1
  has(story_of(o), "Cube#1 is stale", (":%d, 1.00 s"):format(born), ("recycled at %s:%d, 1.50 s"):format(FILE, ended))
  spec.equal(story_of(o):find "slot is now", nil)
  local tenant <const>, there <const> = pools:alloc "Cube", here()
  has(story_of(o), ("the slot is now Cube#1 (live), allocated at %s:%d"):format(FILE, there))
  tenant:recycle()
  has(story_of(tenant), (":%d"):format(there))
  for _, use in ipairs {
    function() o.x = 1 end, function() o:after(1, print) end, function() pools:recycle(o) end,
  } do has(spec.expect_error("stale", use), "allocated at", "recycled at") end
  local p <const> = kit.new():alloc "Cube"
  p:recycle()
  spec.equal(story_of(p):find("allocated", 1, true), nil)
end)

spec.test("a stale use gives the reason of every end, also of an alloc that was undone", function()
  local pools <const>, Cube <const> = open { limit = 1, overflow = "oldest", grow = 1 }
  for _, case in ipairs {
    { "expired at ", function(o)
      o.remaining = 0
      kit.tick(pools)
    end },
    { ("evicted at %s:%d"):format(FILE, here()), function() pools:alloc "Cube" end },
    { "recycled_all at ", function() pools:recycle_all() end },
    { "removed at ", function() pools:remove "Cube" end },
  } do
    local o <const> = pools:alloc "Cube"
    case[2](o)
    has(story_of(o), case[1])
    pools:recycle_all()
  end
  local seen
  function Cube:on_spawn(o)
    seen = o
    error "no"
  end
  spec.expect_error("no", pools.alloc, pools, "Cube")
  has(story_of(seen), "Cube#1 is stale")
  pools:close()
  spec.expect_error("stale: its manager is closed", function() return seen.x end)
end)

spec.test("a stale use remembers thousands of lives, and no more", function()
  local pools <const> = open()
  local function live_and_die()
    local last
    for _ = 1, 4200 do
      last = pools:alloc "Cube"
      last:recycle()
    end
    collectgarbage()
    collectgarbage()
    return last, collectgarbage "count"
  end
  local first <const> = pools:alloc "Cube"
  first:recycle()
  local _, before <const> = live_and_die()
  spec.equal(story_of(first):find("allocated at", 1, true), nil)
  local last <const>, after <const> = live_and_die()
  spec.equal(after - before < 16, true)
  has(story_of(last), "allocated at", "recycled at")
end)

-- }==
