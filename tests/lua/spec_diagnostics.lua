-- Diagnostics of a manager: configure, leaks, and with `trace` the history in the error of a stale use.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function here()
  return debug.getinfo(2, "l").currentline
end

spec.describe("configure", function()
  kit.test("gives Lua text that loads, with numbers from what was seen", { limit = 40 }, function(pools)
    spawnpool.class("Ball", {})
    spawnpool.class("end", {})
    spawnpool.class("odd name\n\"]]", {})
    local cubes <const> = {}
    for i = 1, 40 do cubes[i] = pools:alloc "Cube" end
    pools:alloc "Cube"
    for i = 1, 39 do cubes[i]:recycle() end
    for _ = 1, 10 do pools:alloc "Ball" end
    pools:alloc "end"
    pools:alloc "odd name\n\"]]"
    local text <const> = pools:configure()
    local settings <const> = assert(load(text))()
    spec.equal(settings.Cube, { prealloc = 40, grow = 10, limit = 50, idle_limit = 40 })
    spec.equal(settings.Ball, { prealloc = 10, grow = 3, limit = 13, idle_limit = 10 })
    spec.equal(settings["end"], { prealloc = 1, grow = 1, limit = 2, idle_limit = 1 })
    spec.equal(settings["odd name\n\"]]"].prealloc, 1)
    spec.equal({ text:find "Cube: 40 live at most.*1 refused" ~= nil }, { true })
    spec.equal(assert(load(pools:configure { headroom = 2 }))().Cube.limit, 80)
    spec.equal(assert(load(pools:configure {}))(), settings)
    for name, values in pairs(settings) do spawnpool.class(name, values) end
    spec.equal(pools:pool("Cube").limit, 50)
  end)

  kit.test("has nothing to say of a pool that nobody used", {}, function(pools)
    spec.equal(load(pools:configure())(), {})
    pools:pool "Cube"
    pools:pool("Cube"):prewarm(50)
    spec.equal(load(pools:configure())(), {})
    spec.equal(pools:configure():find "Cube: never used" ~= nil, true)
  end)
end)

spec.describe("leaks", function()
  spec.test("lists live objects by type, site and age, oldest first", function()
    local pools <const> = kit.new { trace = true }
    spawnpool.class("Cube", {})
    spawnpool.class("Ball", {})
    local line_a
    local first
    for i = 1, 3 do
      local o <const> = pools:alloc "Cube"
      line_a = here() - 1
      first = first or o
      kit.tick(pools)
      if i == 2 then o:recycle() end
    end
    local other <const>, line_b <const> = pools:alloc "Ball", here()
    kit.tick(pools, 10)
    local list <const> = pools:leaks()
    spec.equal({ #list, list[1].type, list[1].count, list[1].object == first }, { 2, "Cube", 2, true })
    spec.equal({ list[1].oldest, list[2].oldest, list[2].object == other }, { 13 / 64, 10 / 64, true })
    spec.equal(list[1].site:match ":(%d+)$", tostring(line_a))
    spec.equal({ list[2].site:match ":(%d+)$", list[2].type }, { tostring(line_b), "Ball" })
    spec.equal(#pools:leaks { older_than = 11 / 64 }, 1)
    spec.equal(pools:leaks({ older_than = 13 / 64 })[1].count, 1)
    spec.equal(#pools:leaks { older_than = 1 }, 0)
    spec.equal(#pools:leaks {}, 2)
    pools:recycle_all()
    spec.equal(pools:leaks(), {})
  end)

  spec.test("names the line that asked, not the line of an override", function()
    local pools <const> = kit.new { trace = true }
    local Cube <const> = spawnpool.class("Cube", {})
    function Cube:alloc(...) return (Cube.super.alloc(self, ...)) end
    local o <const>, line <const> = pools:alloc "Cube", here()
    spec.equal({ o.alive, pools:leaks()[1].site:match ":(%d+)$" }, { true, tostring(line) })
    local taken
    o:recycle()
    taken = pools:take "Cube"
    local line_taken <const> = here() - 1
    spec.equal({ taken.alive, pools:leaks()[1].site:match ":(%d+)$" }, { true, tostring(line_taken) })
  end)

  kit.test("without trace knows types and ages only, and says how to know more", {}, function(pools)
    pools:alloc "Cube"
    pools:alloc "Cube"
    local list <const> = pools:leaks()
    spec.equal({ #list, list[1].count, list[1].site }, { 1, 2, "unknown (make the manager with trace = true)" })
  end)
end)

spec.describe("the story of a stale use", function()
  local function story_of(o)
    return spec.expect_error("stale", function() return o.x end)
  end

  local function has(text, ...)
    for _, part in ipairs { ... } do
      if not text:find(part, 1, true) then error(("no %q in %q"):format(part, text), 2) end
    end
  end

  spec.test("tells which object, where it began, where and when it ended, who is there now", function()
    local pools <const> = kit.new { trace = true }
    spawnpool.class("Cube", { grow = 1 })
    kit.tick(pools, 64)
    local o <const>, born <const> = pools:alloc "Cube", here()
    kit.tick(pools, 32)
    o:recycle()
    local ended <const> = here() - 1
    local text = story_of(o)
    has(text, "Cube#1 is stale", (":%d, 1.00 s"):format(born),
      ("recycled at tests/lua/spec_diagnostics.lua:%d, 1.50 s"):format(ended))
    spec.equal(text:find "slot is now", nil)
    local tenant <const>, there <const> = pools:alloc "Cube", here()
    text = story_of(o)
    has(text, ("the slot is now Cube#1 (live), allocated at tests/lua/spec_diagnostics.lua:%d"):format(there))
    tenant:recycle()
    has(story_of(tenant), (":%d"):format(there))
    has(spec.expect_error("stale", function() o.x = 1 end), "allocated at")
    has(spec.expect_error("stale", function() o:after(1, print) end), "allocated at")
  end)

  spec.test("gives the reason of every end", function()
    local pools <const> = kit.new { trace = true }
    spawnpool.class("Cube", { limit = 1, overflow = "oldest", grow = 1 })
    local line
    local function tick()
      kit.tick(pools)
    end
    local a = pools:alloc("Cube", 1 / 64)
    tick()
    has(story_of(a), "expired at ")
    a = pools:alloc "Cube"
    local b <const> = pools:alloc "Cube"
    line = here() - 1
    has(story_of(a), ("evicted at tests/lua/spec_diagnostics.lua:%d"):format(line))
    pools:recycle_all()
    has(story_of(b), "cleared at ")
    a = pools:alloc "Cube"
    pools:remove "Cube"
    has(spec.expect_error("stale", function() return a.x end), "removed at ")
  end)

  spec.test("remembers thousands of lives, and no more", function()
    local pools <const> = kit.new { trace = true }
    spawnpool.class("Cube", { grow = 1 })
    local first <const> = pools:alloc "Cube"
    first:recycle()
    for _ = 1, 6000 do pools:alloc("Cube"):recycle() end
    spec.equal(story_of(first):find("allocated at", 1, true), nil)
    collectgarbage()
    collectgarbage()
    local before <const> = collectgarbage "count"
    local last
    for _ = 1, 6000 do
      last = pools:alloc "Cube"
      last:recycle()
    end
    collectgarbage()
    collectgarbage()
    spec.equal(collectgarbage "count" - before < 16, true)
    has(story_of(last), "allocated at", "recycled at")
  end)

  spec.test("is told by recycle too, and not at all without trace", function()
    local pools <const> = kit.new { misuse = "error", trace = true }
    spawnpool.class("Cube", { grow = 1 })
    local o <const> = pools:alloc "Cube"
    o:recycle()
    has(kit.blames("recycle of Cube#1 refused: stale", function() pools:recycle(o) end), "allocated at", "recycled at")
    local plain <const> = kit.new()
    local p <const> = plain:alloc "Cube"
    p:recycle()
    spec.equal(story_of(p):find("allocated", 1, true), nil)
  end)

  spec.test("survives hooks that fail and allocs that are undone", function()
    local pools <const> = kit.new { trace = true }
    local Cube <const> = spawnpool.class("Cube", { grow = 1 })
    local seen
    function Cube:on_spawn(o)
      seen = o
      error "no"
    end
    spec.expect_error("no", pools.alloc, pools, "Cube")
    has(story_of(seen), "Cube#1 is stale")
    function Cube:on_spawn(o)
      seen = o
      o:recycle()
    end
    spec.equal({ pools:alloc "Cube" }, { nil, "recycled" })
    has(story_of(seen), "recycled at")
    pools:close()
    kit.blames("stale: its manager is closed", function() return (seen.x) end)
  end)
end)
