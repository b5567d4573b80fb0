-- Wrong arguments at every position of every call raise one clear error at the caller's line, and change nothing.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local function open()
  local pools <const> = kit.new()
  spawnpool.class("Cube", { fields = { hp = 1 } })
  return pools, pools:pool "Cube", pools:alloc "Cube"
end

-- Values of every type but the ones named.
local function all_but(...)
  local allowed <const> = {}
  for _, name in ipairs { ... } do allowed[name] = true end
  local values <const> = {}
  for _, value in ipairs { true, 12, 1.5, "text", {}, print, coroutine.create(print), io.stdout } do
    if not allowed[type(value)] then values[#values + 1] = value end
  end
  return values
end

spec.describe("wrong arguments", function()
  spec.test("self: methods of managers", function()
    local pools <const>, pool <const>, o <const> = open()
    for _, name in ipairs {
      "alloc", "recycle", "pool", "is_live", "update", "each", "recycle_all", "clear", "remove", "close", "stats",
    } do
      local method <const> = pools[name]
      for _, value in ipairs { true, 12, "Cube", {}, print, io.stdout, pool, o } do
        kit.blames("bad argument #1 to '.*' %(pools %(call methods with a colon: pools:alloc%(...%)%) expected, got",
          function() method(value, "Cube") end)
      end
      kit.blames("expected, got no value", function() method() end)
      kit.blames("calling 'method' on bad self", function()
        local fake <const> = { method = method }
        fake:method()
      end)
    end
  end)

  spec.test("self: methods of pools", function()
    local pools <const>, pool <const>, o <const> = open()
    for _, name in ipairs { "alloc", "recycle", "prewarm", "each", "stats", "recycle_all", "clear", "trim" } do
      local method <const> = pool[name]
      for _, value in ipairs { true, 12, "Cube", {}, print, io.stdout, pools, o } do
        kit.blames("bad argument #1 to '.*' %(pool %(call methods with a colon: pool:alloc%(...%)%) expected, got",
          function() method(value, 1) end)
      end
      kit.blames("expected, got no value", function() method() end)
    end
  end)

  spec.test("self: super", function()
    local pools <const>, pool <const>, o <const> = open()
    local base <const> = spawnpool.class("Cube").super
    for _, value in ipairs { true, 12, "Cube", {}, pools, o } do
      kit.blames("bad argument #1 to '.*' %(pool .*expected", function() base.alloc(value) end)
      kit.blames("bad argument #1 to '.*' %(pool .*expected", function() base.recycle(value, o) end)
    end
    for _, value in ipairs(all_but()) do
      kit.blames("bad argument #2 to '.*' %(object expected, got", function() base.recycle(pool, value) end)
    end
    kit.blames("bad argument #2 to '.*' %(object expected, got no value", function() base.recycle(pool) end)
  end)

  spec.test("type: of alloc, pool, remove, stats", function()
    local pools <const> = open()
    local function refused(pattern, value)
      kit.blames("bad argument #1 to 'alloc' " .. pattern, function() pools:alloc(value) end)
      kit.blames("bad argument #1 to 'pool' " .. pattern, function() pools:pool(value) end)
      kit.blames("bad argument #1 to 'remove' " .. pattern, function() pools:remove(value) end)
      if value ~= nil then
        kit.blames("bad argument #1 to 'stats' " .. pattern, function() pools:stats(value) end)
      end
    end
    for _, value in ipairs(all_but "string") do refused("%(string expected, got ", value) end
    refused("%(string expected, got n", nil)
    refused("%(a type is a name of 1 to 200 characters", "")
    refused("%(a type is a name of 1 to 200 characters", ("n"):rep(201))
    refused("%(a type has no zero bytes", "Cube\0")
    spec.equal({ pools:stats().total, tostring(pools) }, { 32, "pools (1 types, 1 live)" })
  end)

  spec.test("lifetime: of alloc", function()
    local pools <const>, pool <const> = open()
    local add <const>, log <const> = kit.log()
    local Ball <const> = spawnpool.class "Ball"
    function Ball:alloc(...)
      add "override"
      return Ball.super.alloc(self, ...)
    end
    local pattern <const> = "lifetime must be a finite number of seconds %(at most 1e11%), got "
    local wrong <const> = all_but "number"
    for _, value in ipairs { 0 / 0, math.huge, -math.huge, 1.1e11, -1.1e11, math.maxinteger, "1" } do
      wrong[#wrong + 1] = value
    end
    for _, value in ipairs(wrong) do
      kit.blames("bad argument #2 to 'alloc' %(" .. pattern, function() pools:alloc("Cube", value) end)
      kit.blames("bad argument #1 to 'alloc' %(" .. pattern, function() pool:alloc(value) end)
      kit.blames("bad argument #2 to 'alloc' %(" .. pattern, function() pools:alloc("Ball", value) end)
      kit.blames(pattern, function() Ball.super.alloc(pool, value) end)
    end
    spec.equal({ log(), pool.live, pools:pool("Ball").live }, { "", 1, 0 })
    spec.equal({ pools:alloc("Cube", nil).lifetime, pools:alloc("Cube", 1e11).lifetime }, { 0.0, 1e11 })
    kit.check(pools, "Cube", "Ball")
  end)

  spec.test("place: of alloc", function()
    local pools <const>, pool <const> = open()
    for i, name in ipairs { "x", "y", "angle" } do
      local wrong <const> = all_but("number", i == 1 and "table" or nil)
      for _, value in ipairs { 0 / 0, math.huge, -math.huge, "1" } do wrong[#wrong + 1] = value end
      for _, value in ipairs(wrong) do
        local arguments <const> = { 1, 1, 1 }
        arguments[i] = value
        local pattern <const> = "bad argument #%d to 'alloc' %%(%s must be a finite number, got "
        kit.blames(pattern:format(i + 2, name), function() pools:alloc("Cube", 0, table.unpack(arguments)) end)
        kit.blames(pattern:format(i + 1, name), function() pool:alloc(0, table.unpack(arguments)) end)
      end
      local far <const> = { 0, 0, 0 }
      far[i] = 1e39
      kit.blames(("bad argument #%d to 'alloc' %%(too large"):format(i + 2),
        function() pools:alloc("Cube", 0, table.unpack(far)) end)
    end
    spec.equal(pool.live, 1)
    spec.equal(pools:alloc("Cube", 0, 3e38, -3e38, 1e-45).alive, true)
    kit.check(pools, "Cube")
  end)

  spec.test("object: of recycle", function()
    local pools <const>, pool <const>, o <const> = open()
    local userdata <const> = { pools, pool, io.stdout }
    for _, value in ipairs(all_but()) do userdata[#userdata + 1] = value end
    for _, value in ipairs(userdata) do
      kit.blames("bad argument #1 to 'recycle' %(object expected, got ", function() pools:recycle(value) end)
      kit.blames("bad argument #1 to 'recycle' %(object expected, got ", function() pool:recycle(value) end)
      kit.blames("object expected, got ", function() o.recycle(value) end)
    end
    kit.blames("bad argument #1 to 'recycle' %(object expected, got nil", function() pools:recycle(nil) end)
    kit.blames("bad argument #1 to 'recycle' %(object expected, got no value", function() pools:recycle() end)
    spec.equal(o.alive, true)
  end)

  spec.test("are named with the right caller through pcall, coroutines and metamethods", function()
    local pools <const> = open()
    local co <const> = coroutine.create(function() pools:alloc(12) end)
    local ok <const>, message <const> = coroutine.resume(co)
    local line <const> = debug.getinfo(1, "l").currentline - 2
    spec.equal({ ok, message:match ":(%d+):" }, { false, tostring(line) })
    local proxy <const> = setmetatable({}, { __index = function(_, type) return pools:pool(type).live end })
    spec.equal(proxy.Cube, 1)
    spec.expect_error("spec_arguments.lua:%d+: bad argument #1 to 'pool'", function() return proxy[12] end)
  end)

  spec.test("that are missing are told as such, and by what they are, not by how methods are called", function()
    local pools <const>, pool <const> = open()
    kit.blames("'within' %(radius must be a finite number, got no value%)$", function() pool:within(0, 0) end)
    kit.blames("'update' %(dt must be a finite number, got no value%)$", function() pools:update() end)
    kit.blames("'overlaps' %(pool expected, got no value%)$", function() pool:overlaps() end)
    kit.blames("'overlaps' %(pool expected, got spawnpool.pools%)$", function() pool:overlaps(pools, print) end)
  end)

  spec.test("in excess do no harm", function()
    local pools <const>, pool <const>, o <const> = open()
    spec.equal({ pools:alloc("Cube", 0, 1, 2, 3, nil, "x", {}, 4).x, pools:is_live(o, 1, 2) }, { 1.0, true })
    spec.equal({ pools:update(0, 1, "x"), pool:prewarm(0, {}), pools:recycle(o, 1, 2) }, { true, 0, true })
  end)
end)
