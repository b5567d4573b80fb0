-- A repeatable state: two runs of a game that depends on all that differs from run to run (tests/lua/repeatable.lua)
-- are equal; and the hash that compares runs.
local spec <const> = require "spec"
local games <const> = require "games"

local UPDATES <const> = 130 -- two cycles of the collector where there are weak tables

-- What each update prints, and the hash behind it. `noise`: tables in memory that the other run does not have.
local function play(noise)
  local file <close> = io.open("tests/lua/repeatable.lua")
  local g <const>, lines <const> = games.make { file:read "a", seed = 7, repeatable = true }, {}
  spec.equal(g:open(), nil)
  g:eval(("local t = {} for i = 1, %d do t[i] = { ('y'):rep(i %% 90) } end"):format(noise))
  spec.equal(g:begin(), true)
  for i = 1, UPDATES do
    spec.equal({ g:update(), g:tick(1 / 60) }, { true, true })
    lines[i] = g:hash() .. " " .. g:told()
    spec.equal(lines[i]:find "error: " or lines[i]:find "warning: ", nil)
    g:eval(noise > 0 and "local junk = { {}, print }" or "")
  end
  return lines
end

spec.test("two runs are equal whatever the game looks at", function()
  local first <const> = play(0)
  spec.equal(first, play(5000))
  for i = 2, UPDATES do spec.equal(first[i]:match "^%S+" ~= first[i - 1]:match "^%S+", true) end
end)

local GAME <const> = [[
local spawnpool <const> = require 'spawnpool'
spawnpool.class('Thing', { fields = { n = 1, on = false, name = 'a', friend = spawnpool.ref,
  bag = spawnpool.any() } })
for i = 1, 9 do
  local o <const> = spawnpool.pools:alloc('Thing', 5, i, i)
  o.bag = { list = { i, { 'deep' } }, [o] = true }
end
thing = spawnpool.pools:alloc('Thing', 5)
function set_deep(text) for o in spawnpool.pools:each() do if o.x == 3 then o.bag.list[2][1] = text end end end
return {}]]

-- A change, what takes it back, and the parts that differ meanwhile.
local CHANGES <const> = {
  { "thing.x = 3", "thing.x = 0", "#10 x" },
  { "thing.vy = 1e-30", "thing.vy = 0", "#10 vy" },
  { "thing.layer = 2", "thing.layer = 0", "#10 layer" },
  { "thing.sprite = 'spark'", "thing.sprite = 'circle'", "#10 sprite" },
  { "thing.visible = false", "thing.visible = true", "#10 visible" },
  { "thing.n = 1 + 2 ^ -52", "thing.n = 1", "#10 n" },
  { "thing.on = true", "thing.on = false", "#10 on" },
  { "thing.name = 'b'", "thing.name = 'a'", "#10 name" },
  { "thing.bag = { 1, { 2 } }", "thing.bag = nil", "#10 bag" },
  { "set_deep 'deeper'", "set_deep 'deep'", "#3 bag" },
  { "thing.friend = thing", "thing.friend = nil", "#10 friend" },
  { "thing.remaining = 9", "thing.remaining = 5", "#10 remaining" },
  { "thing:after(3, print)", nil, "#10 (timers)" }, -- it cannot be stopped
}

spec.test("every part of an object is in the hash and has its name", function()
  local g <const> = games.make { GAME, repeatable = true }
  spec.equal({ g:open(), g:begin() }, { nil, true })
  local before <const>, parts <const> = g:hash()
  for _, it in ipairs(CHANGES) do
    spec.equal(g:eval(it[1]), "done", it[1])
    local now <const>, changed <const> = g:hash()
    local names <const> = {}
    for name, number in pairs(changed) do
      if number ~= parts[name] then names[#names + 1] = name end
    end
    table.sort(names)
    spec.equal({ now ~= before, table.concat(names, " ") }, { true, it[3] }, it[1])
    if it[2] then
      g:eval(it[2])
      spec.equal((g:hash()), before, it[2])
    end
  end
end)
