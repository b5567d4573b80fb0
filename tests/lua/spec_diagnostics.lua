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
    spec.equal({ pools:leaks({ older_than = 13 / 64 })[1].count, #pools:leaks {} }, { 1, 2 })
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

  local FILE <const> = "tests/lua/spec_diagnostics.lua"

  local function open(settings)
    return kit.new { trace = true, misuse = "error" }, spawnpool.class("Cube", settings or { grow = 1 })
  end

  spec.test("tells which object, where it began, where and when it ended, who is there now", function()
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
    local plain <const> = kit.new()
    local p <const> = plain:alloc "Cube"
    p:recycle()
    spec.equal(story_of(p):find("allocated", 1, true), nil)
  end)

  spec.test("gives the reason of every end", function()
    local pools <const> = open { limit = 1, overflow = "oldest", grow = 1 }
    for _, case in ipairs {
      { "expired at ", function(o)
        o.remaining = 0
        kit.tick(pools)
      end },
      { ("evicted at %s:%d"):format(FILE, here()), function() pools:alloc "Cube" end },
      { "cleared at ", function() pools:recycle_all() end },
      { "removed at ", function() pools:remove "Cube" end },
    } do
      local o <const> = pools:alloc "Cube"
      case[2](o)
      has(story_of(o), case[1])
      pools:recycle_all()
    end
  end)

  spec.test("remembers thousands of lives, and no more", function()
    local pools <const> = open()
    local function live_and_die()
      local last
      for _ = 1, 6000 do
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

  spec.test("survives hooks that fail and allocs that are undone", function()
    local pools <const>, Cube <const> = open()
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
    spec.expect_error("stale: its manager is closed", function() return seen.x end)
  end)
end)
