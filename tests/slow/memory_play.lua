-- A small game that uses all of the library, and what must hold of the managers that it leaves behind:
-- check_lua_memory.c plays it while memory is refused.
local _, open = ...
local M = { open = open }
function M.play()
  local spawnpool = require 'spawnpool'
  local Base = spawnpool.class('Base', { fields = { hp = 1, name = 'crate' }, sprite = 'star' })
  local Cube = spawnpool.class('Cube', { extends = 'Base', limit = 3, overflow = 'oldest', idle_limit = 2,
    grow = 2, fields = { skin = spawnpool.keep 'plain' } })
  local seen = 0
  function Cube:alloc(...) return Cube.super.alloc(self, ...) end
  function Cube:on_spawn(o) o.name = 'new ' .. o.id seen = seen + 1 end
  function Cube:on_despawn(o, why) seen = seen + #why end
  function Cube:recycle(o) o.skin = 'gold ' .. seen return Cube.super.recycle(self, o) end
  M.pools = spawnpool.new { step = 1, trace = true }
  local pools = M.pools
  spawnpool.class('Spark', { prealloc = 3, ay = 1 })
  local last
  for i = 1, 6 do
    last = pools:alloc('Cube', i % 2, i, i)
    pools:alloc('Spark', 2, { x = i, sprite = 'spark ' .. i })
  end
  pools:recycle(last)
  pools:recycle(last)
  pools:update(1)
  for o in pools:each { group = 'none' } do o.x = 1 end
  for o in pools:each(function(o) return o.id > 1 end) do o.x = 2 end
  Base.radius = 3
  function Base:on_reject(o) seen = seen + o.id end
  local text = tostring(last) .. tostring(pools) .. tostring(pools:pool 'Cube')
  assert(not pcall(function() return last.x end) and not last.alive)
  pools:recycle_all(function(o) return o.type == 'Cube' end)
  pools:pool('Spark').limit = 9
  pools:pool('Spark').overflow = function() return nil end
  pools:pool('Spark'):prewarm(20)
  local home = pools:alloc('Spark', 0, 1, 2)
  local child = pools:alloc('Cube', 0, 3, 4, 0, home) or home
  child:after(1, function(o) o:recycle() end)
  pools:after(1, function() seen = seen + 1 end)
  home:every(1, function() seen = seen + 1 return seen < 9 end)
  home:run(function(o) coroutine.yield(1) o.x = 2 coroutine.yield(9) end)
  Base.fields = { hp = 2, name = spawnpool.live 'box', tag = spawnpool.any {}, to = spawnpool.ref,
    made = spawnpool.fresh(function(o) return { o } end), more = 1, another = 'b' }
  Base.methods = { shout = function(o) return o.name .. '!' end }
  if child.alive and child ~= home then child.tag, child.to = child.made, child:shout() and home end
  Base.fields = { another = 3, name = 'z', hp = 1 }
  pools:update(1)
  pools:pool('Spark'):overlaps(pools:pool 'Spark', function(a, b) a.x = b.x end)
  local near = #pools:pool('Spark'):within(0, 0, 99)
  pools:pool('Spark'):set('radius', near)
  pools:take(function(o) return o.type == 'Cube' end)
  assert(load(pools:configure()))
  pools:leaks()
  home:recycle()
  pools:pool('Spark'):prewarm(40, { per_frame = 30 })
  pools:update(1)
  pools:remove 'Cube'
  pools:alloc 'Cube'
  M.keep(spawnpool)
  return text, pools:stats().live
end
function M.keep(spawnpool)
  spawnpool.class('Bag', { sprite = 'sack', fields = { any = spawnpool.any(), to = spawnpool.ref } })
  local pools = spawnpool.new { step = 1 }
  M.other = pools
  local a, b = pools:alloc('Bag', 9, 1, 2), pools:alloc 'Bag'
  b.parent, a.to, a.any, b.any = a, b, { 1, x = { a } }, 'text'
  a:after(2, 'recycle')
  local s, hash = assert(pools:snapshot()), pools:hash()
  a.any = nil
  pools:update(3)
  local now = pools:hash()
  local done, result = pcall(pools.restore, pools, s)
  if not (done and result) then assert(pools:hash() == now) error(result) end
  assert(pools:hash() == hash and a.any.x[1] == a)
  local text = assert(pools:save { roots = { a } })
  M.loaded = assert(spawnpool.load(text))
  assert(M.loaded:hash() == hash)
  pools:update(1)
  now = pools:hash()
  done, result = pcall(pools.restore, pools, text)
  if not (done and result) then assert(pools:hash() == now) error(result) end
  assert(pools:hash() == hash and pools:snapshot(s) == s)
end
function M.check()
  local pools = M.pools
  if not pools then return end
  local names = { 'hp', 'name', 'tag', 'to', 'made', 'more', 'another', 'skin', 'x', 'shout' }
  for o in pools:each() do
    for _, name in ipairs(names) do pcall(function() o[name] = o[name] end) end
  end
  for _, type in ipairs { 'Cube', 'Spark' } do
    local s = pools:stats(type)
    assert(s.allocs - s.recycles == s.live and s.created - s.destroyed == s.total and s.live + s.idle == s.total)
    local count = 0
    for o in pools:each(type) do assert(o.alive) count = count + 1 end
    assert(count == s.live)
  end
  local live, total = pools:stats().live, pools:stats().total
  local recycled, destroyed = pools:close()
  assert(recycled == live and destroyed == total)
  M.pools = nil
  for _, name in ipairs { 'other', 'loaded' } do
    if M[name] then
      live = 0
      for o in M[name]:each() do live = live + 1 end
      assert(M[name]:stats().live == live and M[name]:close() == live)
      M[name] = nil
    end
  end
end
-- Now that there is memory again: every fifth time all of it is played once more.
function M.finish(n)
  open()
  M.check()
  if n % 5 ~= 0 then return end
  M.play()
  M.check()
end
return M
