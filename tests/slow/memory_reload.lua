-- A reload that changes fields, their kinds, prealloc, limits and a parent at once, and the edit that undoes it;
-- classes that change without a reload; a pool that is tuned. check_lua_memory.c plays it while memory is refused:
-- after each attempt the new code is in force, or the old code with an unchanged dump of the pools.
-- luacheck: globals Hooks Global
local folder, open = ...
open()
local M = { version = 1 }
package.path = folder .. '/?.lua'
local reload, spawnpool = require 'spawnpool.reload', require 'spawnpool'
Hooks = 0
local function save(name, text)
  local f = assert(io.open(folder .. '/' .. name, 'w'))
  f:write(text)
  f:close()
end
local edits = {
  { tag = "'plain'", note = 'spawnpool.any {}', base = 'prealloc = 2, grow = 3, idle_limit = 40',
    own = "overflow = 'refuse'" },
  { tag = 'spawnpool.fresh(function(o) return { o.id } end)', note = "'text'",
    base = "prealloc = 300, grow = 5, idle_limit = 500, order = 'lifo'", own = "overflow = 'oldest', radius = 3" },
}
local function write(v)
  local e = edits[v]
  save('helper.lua', ('local M = { v = %d, list = { %d } }\nlocal n = 0\n'
    .. 'Global = %d\nfunction M.next() n = n + 1 return n end\nreturn M'):format(v, v, v))
  save('Base.lua', ('local spawnpool = require "spawnpool"\n'
    .. 'local Base = spawnpool.class("Base", { %s, fields = { base%d = %d, tag = %s } })\n'
    .. 'function Base:on_create() Hooks = Hooks + 1 end\nfunction Base:on_destroy() Hooks = Hooks + 1 end\n'
    .. 'function Base.of() return %d end\nreturn Base'):format(e.base, v, v, e.tag, v))
  save('Cube.lua', ('local spawnpool = require "spawnpool"\nlocal helper = require "helper"\n'
    .. 'local Cube = spawnpool.class("Cube", { extends = "Base", limit = %d, %s, fields = { v%d = %d, hp = 1,\n'
    .. '  note = %s, speed = spawnpool.live(%d), lives = spawnpool.keep(%d) } })\n'
    .. 'local first = spawnpool.pools:alloc("Spark")\n'
    .. 'function Cube:on_spawn(o) helper.next() end\nfunction Cube.version() return %d, first end\n'
    .. 'return Cube'):format(v + 10, e.own, v, v, e.note, v * 100, v, v))
end
write(1)
save('Ball.lua', 'return require "spawnpool".class("Ball", { extends = "Base" })')
spawnpool.class('Spark', {})
reload.watch(folder)
local pools, more = spawnpool.new { path = folder .. '/?.lua' }, spawnpool.new { path = folder .. '/?.lua' }
local cubes = {}
for i = 1, 4 do cubes[i] = pools:alloc('Cube', 0, { x = i }) cubes[i].hp = i end
cubes[2].speed = 7
for i = 1, 3 do more:alloc('Ball', 0, i, i) end
more:alloc('Cube')
local Cube, Base, helper = spawnpool.class 'Cube', spawnpool.class 'Base', require 'helper'
local first = select(2, Cube.version())
local names = { 'x', 'y', 'radius', 'v1', 'v2', 'one', 'two', 'own', 'list', 'base1', 'base2', 'hp', 'tag',
  'note', 'speed', 'lives' }
local function get(o, name) return o[name] end
local function dump_pool(out, pool)
  local stats = {}
  for key, value in pairs(pool:stats()) do
    if key == 'prewarm' then value = value.done .. ' of ' .. value.wanted end
    stats[#stats + 1] = key .. '=' .. tostring(value)
  end
  table.sort(stats)
  for _, key in ipairs { 'type', 'limit', 'idle_limit', 'grow', 'overflow', 'live', 'idle', 'total' } do
    out[#out + 1] = key .. ' ' .. tostring(pool[key])
  end
  out[#out + 1] = table.concat(stats, ' ')
  for o in pool:each() do
    out[#out + 1] = tostring(o)
    for _, name in ipairs(names) do
      local there, value = pcall(get, o, name)
      out[#out + 1] = name .. '=' .. (there and tostring(value) or 'no field')
    end
  end
end
local function dump()
  local out = { 'hooks ' .. Hooks }
  for _, it in ipairs { { pools, 'Cube' }, { more, 'Cube' }, { more, 'Ball' } } do dump_pool(out, it[1]:pool(it[2])) end
  return table.concat(out, '\n')
end
function M.save()
  M.version = 3 - M.version
  write(M.version)
  M.cube, M.base, M.before = Cube.version(), Base.of(), dump()
end
function M.reload() M.result = reload.now() end
local function check_helper(v)
  assert(helper.v == v and Global == v, 'mixed')
  assert(helper.list[1] == v and #helper.list == 1)
end
local function check_cube(v)
  assert(Cube.version() == v, 'mixed')
  assert(pools:pool('Cube').limit == v + 10 and pools:pool('Cube').live == 4)
  for i, o in ipairs(cubes) do
    assert(o.alive and o.x == i and o.hp == i and o['v' .. v] == v and o.lives == 1)
    assert(o.speed == (i == 2 and 7 or v * 100) and type(o.note) == (v == 1 and 'table' or 'string'))
  end
  assert(select(2, Cube.version()) == first and first.alive)
  assert(spawnpool.pools:pool('Spark').live == 1, 'sparks')
  assert(not pcall(get, cubes[1], 'v' .. (3 - v)))
end
local function check_base(v)
  local ball = more:pool 'Ball'
  for o in ball:each() do
    assert(o.x == o.id and o['base' .. v] == v and not pcall(get, o, 'base' .. (3 - v)))
    assert(v == 1 and o.tag == 'plain' or v == 2 and o.tag[1] == o.id)
  end
  assert(ball.live == 3 and ball.grow == 2 * v + 1 and ball.total == (v == 1 and 43 or 300))
end
-- The watch tells of a file later when it was refused the memory to read it: then the others go first.
function M.check()
  check_helper(helper.v)
  check_cube(Cube.version())
  if Cube.version() ~= M.cube or Base.of() ~= M.base then return end
  local now = dump()
  if M.before == now then return end
  local at = 1
  while M.before:byte(at) == now:byte(at) do at = at + 1 end
  error(('%q is now %q'):format(M.before:sub(math.max(at - 60, 1), at + 60), now:sub(math.max(at - 60, 1), at + 60)))
end
function M.finish()
  M.result = reload.poll()
  for _ = 1, 3 do M.result = reload.now() end
  check_helper(M.version)
  check_cube(M.version)
  check_base(M.version)
  local n = helper.next()
  assert(helper.next() == n + 1 and n >= 5)
end
-- Classes that no file declares, one below the other.
local direct = {
  { prealloc = 2, idle_limit = 40, fields = { one = 1, tag = 'plain', hp = 3, list = spawnpool.any {} } },
  { prealloc = 600, idle_limit = 800, overflow = 'oldest', order = 'lifo', limit = 900, fields = {
    two = 2, tag = spawnpool.fresh(function(o) return { o.id } end), hp = spawnpool.live(4), list = 'text' } },
}
local Direct = spawnpool.class('Direct', direct[1])
spawnpool.class('Below', { extends = 'Direct', fields = { own = 'b' } })
for i = 1, 3 do pools:alloc('Direct', 0, i).hp = i more:alloc('Below', 0, i) end
local function dump_direct()
  local out = { 'hooks ' .. Hooks }
  for key, value in pairs(Direct) do out[#out + 1] = key .. ' ' .. tostring(value) end
  table.sort(out)
  dump_pool(out, pools:pool 'Direct')
  dump_pool(out, more:pool 'Below')
  return table.concat(out, '\n')
end
M.direct, M.declared = 1, 1
M.save_direct = function() M.before, M.saved = dump_direct(), M.direct end
function M.declare()
  spawnpool.class('Direct', direct[3 - M.direct])
  M.direct = 3 - M.direct
end
function M.check_direct()
  assert(M.direct ~= M.saved or M.before == dump_direct(), 'not as it was')
end
function M.finish_direct()
  if M.direct == M.declared then M.declare() end
  M.declared = M.direct
  local v, at = M.direct, 0
  for o in pools:pool('Direct'):each() do
    at = at + 1
    assert(o.x == at and o.hp == (at == 3 and 4 or at) and o[v == 1 and 'one' or 'two'] == v)
    assert(type(o.tag) == (v == 1 and 'string' or 'table') and type(o.list) == (v == 1 and 'table' or 'string'))
  end
  for o in more:pool('Below'):each() do assert(o.own == 'b' and o[v == 1 and 'one' or 'two'] == v) end
  assert(more:pool('Below').total == (v == 1 and 43 or 600))
end
local full, victims = pools:pool 'Spark', 0
local function victim() victims = victims + 1 end
full.limit = 70
for _ = 1, 70 do full:alloc() end
function M.save_tune() full.overflow, M.tuned = victim, false end
function M.tune() full.overflow = 'oldest' M.tuned = true end
function M.finish_tune()
  local before = victims
  local o = full:alloc()
  assert(full.overflow == (M.tuned and 'oldest' or victim) and full.live == 70)
  assert(o and M.tuned or not o and not M.tuned and victims == before + 1)
end
M.cube, M.base, M.before = 1, 1, dump()
return M
