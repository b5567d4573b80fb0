-- Random games: hooks that do anything they may, at any depth, and what must hold after every step.
local spec <const> = require "spec"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local TYPES <const> = { "A", "B", "C", "D" }
local POLICIES <const> = { "refuse", "oldest", "grow", "error" }

-- A manager and four classes whose hooks act at random, three hooks deep at most.
local function open()
  local game <const> = { pools = kit.new { misuse = "ignore" }, objects = {}, depth = 0 }
  local random <const> = math.random
  local act

  local function from_hook()
    if game.quiet or game.depth >= 3 or random(3) > 1 then return end
    game.depth = game.depth + 1
    local ok <const>, message <const> = pcall(act)
    game.depth = game.depth - 1
    if not ok then error(message, 0) end
  end

  local function any_type() return TYPES[random(#TYPES)] end
  local function any_object() return game.objects[random(math.max(1, #game.objects))] end
  local function keep(o)
    if o then game.objects[random(60)] = o end
    for i = 1, 60 do game.objects[i] = game.objects[i] or o end
  end
  local function alloc()
    local lifetime <const> = random(3) == 1 and random(8) * kit.STEP or 0
    local ok <const>, o <const> = pcall(game.pools.alloc, game.pools, any_type(), lifetime, random(9))
    if ok then keep(o) end
  end
  local function recycle()
    local o <const> = any_object()
    if o then game.pools:recycle(o) end
  end
  local function write()
    local o <const> = any_object()
    if o and o.alive then o.name, o.hp, o.remaining = "n" .. random(9), random(9), random(9) * kit.STEP end
  end
  local function configure()
    local pool <const> = game.pools:pool(any_type())
    pcall(function() -- it may be on its way out
      pool.limit = random(4) > 1 and random(0, 12) or nil
      pool.idle_limit = random(4) > 1 and random(0, 6) or nil
      pool.overflow, pool.grow = POLICIES[random(4)], random(9)
    end)
  end
  local function walk()
    for o in game.pools:each(random(2) == 1 and any_type() or nil) do
      if random(4) == 1 then o:recycle() elseif random(6) == 1 then alloc() elseif random(20) == 1 then break end
    end
  end
  local function sweep()
    local pick <const> = random(6)
    if pick == 1 then game.pools:remove(any_type())
    elseif pick == 2 then game.pools:clear(any_type())
    elseif pick == 3 then game.pools:recycle_all { type = any_type() }
    elseif pick == 4 then game.pools:pool(any_type()):prewarm(random(9))
    elseif pick == 5 then game.pools:pool(any_type()):trim()
    else spawnpool.class(any_type()).radius = random(9) end
  end

  local actions <const> = { alloc, alloc, alloc, alloc, recycle, recycle, write, configure, walk, sweep }
  function act() actions[random(#actions)]() end
  game.act = act

  for i, name in ipairs(TYPES) do
    local class <const> = spawnpool.class(name, {
      extends = i > 2 and TYPES[i - 1] or nil, fields = { hp = i, name = name, ["own" .. i] = spawnpool.keep(i) },
    })
    function class:on_spawn()
      from_hook()
      if not game.quiet and random(15) == 1 then error("on_spawn", 0) end
    end
    class.on_create, class.on_despawn, class.on_reject, class.on_destroy = from_hook, from_hook, from_hook, from_hook
    if i % 2 == 0 then
      function class:alloc(...)
        from_hook()
        local o <const>, why <const> = class.super.alloc(self, ...)
        if not game.quiet and random(15) == 1 then error("alloc", 0) end
        from_hook()
        if not o then return nil, why end
        return random(15) > 1 and o or nil
      end
      function class:recycle(o, why)
        if random(15) == 1 then return false end
        from_hook()
        return class.super.recycle(self, o, why)
      end
    end
  end
  return game
end

local function play(seed, steps)
  math.randomseed(seed)
  local game <const> = open()
  for step = 1, steps do
    game.act()
    if step % 3 == 0 then kit.tick(game.pools) end
    local quiet <const> = game.quiet
    game.quiet = true
    kit.check(game.pools, table.unpack(TYPES))
    game.quiet = quiet
    for _, o in pairs(game.objects) do
      if o.alive ~= game.pools:is_live(o) then error "alive and is_live disagree" end
    end
  end
  game.quiet = true
  local live <const>, total <const> = game.pools:stats().live, game.pools:stats().total
  spec.equal({ game.pools:close() }, { live, total })
  for _, o in pairs(game.objects) do spec.equal(o.alive, false) end
end

spec.describe("a random game", function()
  for seed = 1, 8 do
    spec.test("adds up after every step, with seed " .. seed, function() play(seed, 150) end)
  end
end)
