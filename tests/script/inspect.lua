-- Looking into a running game: fields as words, and written back.
local spec <const> = require "spec"
local games <const> = require "games"

local GAME <const> = [[
local spawnpool <const> = require 'spawnpool'
local pools <const> = spawnpool.pools
made = 0
local Cube <const> = spawnpool.class('Cube', { fields = {
  damage = 3, speed = 1.5, armed = true, owner = spawnpool.ref, name = spawnpool.any('plain'), list = spawnpool.any(),
  bag = spawnpool.fresh(function() made = made + 1 return { 1, 2 } end) } })
cube = pools:alloc('Cube', 2, 10, 20)
return { update = function() print(cube.damage, cube.armed, cube.name, cube.x, made) end,
  count = function() collectgarbage() collectgarbage 'stop' before = collectgarbage 'count' end,
  compare = function() print(collectgarbage 'count' - before) end }]]

-- The text of a field, and what else there is to say of it.
local function field(g, name)
  local fields <const> = g:fields "Cube"
  for _, it in ipairs(fields) do
    local text <const> = it:match("^" .. name .. "=(.*)$")
    if text then return text, fields[name] end
  end
end

local function expect_update(g, told)
  spec.equal(g:update(), true)
  spec.equal(g:told(), "print: " .. told .. "\n")
end

spec.test("fields are listed, own ones first, and nothing is made by looking", function()
  local g <const> = games.start { GAME }
  local all <const> = table.concat(g:fields "Cube", " ")
  spec.equal(all:find("armed=true bag=(not made yet) damage=3 list=nil name=plain owner=nil speed=1.5 x=10 y=20 ", 1,
    true), 1)
  spec.contains(all .. "|", " sprite=circle ", " remaining=2|")
  expect_update(g, "3\ttrue\tplain\t10.0\t0")
  g:call "count"
  for _ = 1, 100 do g:fields "Cube" end
  g:call "compare"
  spec.equal(g:told(), "print: 0.0\n")
  g:eval "#cube.bag"
  spec.equal(field(g, "bag"), "{2 items}")
  g:tick(3)
  spec.equal(g:fields "Cube", {})
end)

-- A value of a field, and its words.
local WORDS <const> = {
  { "nil", "nil" }, { "{ 1 }", "{1 item}" }, { "{ 1, 2, x = 3 }", "{3 items}" },
  { "(function() local t = {} for i = 1, 5000 do t[i] = i end return t end)()", "{1000 items or more}" },
  { "print", "(a function)" }, { "pools", "(a userdata)" }, { "cube", "Cube#1" },
  { "(function() local c = pools:alloc('Cube') c:recycle() return c end)()", "Cube#2 (stale)" },
  { "(function() local other = spawnpool.new() local c = other:alloc('Cube') other:close() return c end)()",
    "(an object that is gone)" },
  -- A text is never cut inside a character.
  { "('\\u{20AC}'):rep(100)", ("\u{20AC}"):rep(20) .. "..." },
  { "' ' .. ('\\u{20AC}'):rep(100)", " " .. ("\u{20AC}"):rep(19) .. "..." },
  { "'two\\nlines'", "two lines" },
}

spec.test("values of every kind have words", function()
  local g <const> = games.start { GAME }
  for _, it in ipairs(WORDS) do
    spec.equal(g:eval("cube.name = " .. it[1]), "done", it[1])
    local text <const>, rest <const> = field(g, "name")
    spec.equal(text, it[2])
    spec.equal(rest, rest:find "string" and "own string" or "own other") -- and cannot be written
  end
end)

-- Assigned one after the other: the field, the text, what it is, and what is wrong.
local WRITTEN <const> = {
  { "damage", "12", "own number, writable" },
  { "armed", "false", "own boolean, writable" },
  { "name", "a new one", "own string, writable" },
  { "x", "-2.5", "number, writable" },
  { "remaining", "inf", "number, writable" },
  { "damage", "many", nil, "'many' is no number" },
  { "armed", "yes", nil, "'yes' is neither true nor false" },
  { "layer", "1.5", nil, "field 'layer' of Cube#1 must be an integer from -32768 to 32767, got 1.5" },
  { "owner", "3", nil, "only numbers, true and false, and strings can be written here" },
  { "hat", "3", nil, "has no field 'hat'" },
}

spec.test("what is written is what the game reads, and what is refused changes nothing", function()
  local g <const> = games.start { GAME }
  for _, it in ipairs(WRITTEN) do
    local name <const>, text <const>, kind <const>, wrong <const> = table.unpack(it, 1, 4)
    local error <const> = g:set_field("Cube", name, text)
    if wrong then
      spec.contains(error, wrong)
    else
      spec.equal({ error, field(g, name) }, { nil, text, kind })
    end
  end
  spec.equal(g:last_error(), nil)
  expect_update(g, "12\tfalse\ta new one\t-2.5\t0")
  spec.equal(g:eval "cube:recycle()", "done")
  spec.equal(g:set_field("Cube", "x", "1"), "the object is no longer live")
end)

spec.test("commands from outside are heard before they run", function()
  local g <const> = games.start { GAME }
  g:hear()
  g:eval "print 'runs'"
  g:select "Cube"
  g:eval "sel.x = 1"
  g:set_field("Cube", "y", "2")
  spec.equal(g:told(), "print: nothing: eval: print 'runs'\nprint: runs\nprint: object: eval: sel.x = 1\n" ..
    "print: object: y: 2\n")
end)
