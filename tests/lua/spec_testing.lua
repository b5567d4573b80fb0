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

-- A table with `__call`, as the spies of test libraries are, which notes its calls.
local function spy(fn)
  local calls <const> = {}
  return setmetatable(calls, { __call = function(_, ...)
    calls[#calls + 1] = { ... }
    return fn and fn(...)
  end })
end

spec.test("hooks and overrides may be anything that can be called", function()
  local hooks <const> = {}
  for _, name in ipairs { "on_create", "on_spawn", "on_despawn", "on_destroy", "on_reject", "update" } do
    hooks[name] = spy()
  end
  hooks.idle_limit = 0
  local Spied <const> = spawnpool.class("Spied", hooks)
  Spied.alloc = spy(function(pool, ...) return Spied.super.alloc(pool, ...) end)
  Spied.recycle = spy(function(pool, object) return Spied.super.recycle(pool, object) end)
  local o <const> = pools:alloc("Spied", 0, 3)
  pools:update(1 / 60)
  spec.equal(o.x, 3)
  o:recycle()
  for name, hook in pairs(hooks) do
    if type(hook) == "table" then spec.equal(#hook, 1, name) end
  end
  spec.equal({ #Spied.alloc, #Spied.recycle, Spied.on_spawn == hooks.on_spawn }, { 1, 1, true })
  Spied.on_spawn = spy(function() error("no", 0) end) -- as a test library replaces it
  spec.equal(fails(pools.alloc, pools, "Spied"), "no")
end)

spec.test("so may methods, functions of timers, overflow and done", function()
  local victim
  local full <const> = spy(function() return victim end)
  local Hit <const> = { hit = spy(), done = spy() }
  spawnpool.class("Hits", { methods = Hit, limit = 1, overflow = full })
  victim = pools:alloc "Hits"
  local o <const> = pools:alloc "Hits"
  spec.equal({ #full, victim.alive, o.alive }, { 1, false, true })
  local once <const>, often <const>, body <const> = spy(), spy(), spy(function() coroutine.yield(0.1) end)
  o:after(0.1, once)
  o:every(0.1, often)
  o:after(0.1, "hit")
  o:run(body)
  o:tween { x = 1, over = 0.1, done = Hit.done }
  pools:after(0.1, once)
  pools:run(body)
  pools:update(0.25)
  o:hit()
  spec.equal({ #once, #often, #body, #Hit.hit, #Hit.done, once[1][1] == o }, { 2, 2, 2, 2, 1, true })
  local pool <const>, other <const> = pools:pool "Hits", spy(function() return o end)
  pool.overflow = other
  victim = pools:alloc "Hits"
  spec.equal({ victim.alive, o.alive, #other, #full }, { true, false, 1, 1 })
  for _, wrong in ipairs { {}, setmetatable({}, {}), io.stdout } do
    spec.expect_error("method name or function expected", function() victim:after(1, wrong) end)
  end
end)
