-- Tests of a game ask for errors of hooks and timers where they were caused.
local spec <const> = require "spec"
local spawnpool <const> = require "spawnpool"

local pools <const> = spawnpool.new()

local function fails(fn, ...)
  spawnpool.testing()
  local ok <const>, why <const> = pcall(fn, ...)
  spawnpool.testing(false)
  spec.equal(ok, false)
  return why
end

local function boom() error("boom", 0) end

spec.test("an error of a hook is raised by the call that it ran in", function()
  for _, hook in ipairs { "on_create", "on_spawn", "on_despawn", "on_destroy", "update" } do
    local name <const> = "Fails_" .. hook
    spawnpool.class(name, { [hook] = boom, idle_limit = 0 })
    local why <const> = fails(function()
      local o <const> = pools:alloc(name)
      pools:update(1 / 60)
      o:recycle()
      pools:clear()
    end)
    spec.contains(why, "boom")
    pools:remove(name)
  end
end)

spec.test("and so is one of a timer, of an override, and of a hook in a timer", function()
  local Cube <const> = spawnpool.class "Failing"
  function Cube.recycle() error("no recycling", 0) end
  spec.contains(fails(pools.recycle, pools, pools:alloc "Failing"), "Failing.recycle: no recycling")
  local o = pools:alloc "Failing"
  o:after(0.1, boom)
  spec.contains(fails(pools.update, pools, 1), "a timer: boom")
  o = pools:alloc "Failing"
  o:after(0.1, function() pools:recycle(o) end)
  spec.contains(fails(pools.update, pools, 1), "no recycling")
  spec.equal(pools:update(1), true)
  pools:remove "Failing"
end)

spec.test("testing is on or off", function()
  spec.contains(select(2, pcall(spawnpool.testing, 1)), "must be true or false, got 1")
end)
