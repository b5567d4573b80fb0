-- Each part of a reload's merge, by the smallest edit that needs it.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

local test <const> = projects.test

spec.describe("lists of others:", function()
  local function filled(values)
    return ("local bus <const> = require 'bus'\nbus[1], bus[2], bus[3] = %s\nreturn {}"):format(values)
  end
  test("elements in a new order are in that order, if the game has left the list alone",
    { bus = "return {}", a = filled "'x', 'y', 'z'" }, {
      { a = filled "'z', 'y', 'x'" }, "equal(bus, { 'z', 'y', 'x' })",
    }, "bus a")

  test("one that its maker gives up is of those who are still in it",
    { bus = "return {}", a = "require('bus').list = { function() return 'a' end }\nreturn {}" }, {
      "bus.list[2] = function() return 'game' end", { a = "return {}" },
      "equal({ #bus.list, bus.list[1]() }, { 1, 'game' })",
    }, "bus a")

  for _, text in ipairs { "{ 10, 20 }", "{ [1] = { n = 5 }, [3] = { n = 6 } }" } do
    test("one that has numbers or holes now is compared by its keys: " .. text,
      { bus = "return {}", a = "require('bus').list = { { n = 1 }, { n = 2 }, { n = 3 } }\nreturn {}" }, {
        "held = bus.list held[2].n = 9", { a = "require('bus').list = " .. text .. "\nreturn {}" },
        ("equal(bus.list, %s)"):format(text),
      }, "bus a")
  end
end)

spec.describe("places that several files write:", function()
  local FILES <const> = { bus = "return {}", a = "require('bus').speed = 1\nreturn {}",
    b = "require('bus').speed = 2\nreturn {}" }
  test("the later writer has the last word", FILES, {
    { a = "require('bus').speed = 3\nreturn {}" }, "? bus.speed == 2",
    { b = "return {}" }, "? bus.speed == 3",
  }, "bus a b")

  test("what a required file puts into the table of the one that requires it is not lost with that one's edit", {
    b = "reg.x = 1\nreturn {}",
    a = "local M <const> = { n = 1 }\n_G.reg = M\nrequire 'b'\nreturn M" }, {
    { "a", "n = 1", "n = 2" }, "equal({ a.n, a.x }, { 2, 1 })",
  }, "a")
end)

spec.describe("what the game has changed:", function()
  test("stays when a file that the author has not edited runs again with other values", {
    cfg = "return { hp = 10 }", m = "return { hp = require('cfg').hp, start = require('cfg').hp }" }, {
    "m.hp = 3", { cfg = "return { hp = 20 }" }, "equal({ m.hp, m.start }, { 3, 20 })",
  }, "cfg m")
end)

spec.describe("what no look has seen:", function()
  test("an edit takes back what the last one has put far away into the game's own tables",
    { a = "return {}" }, {
      "_G.world = {} for i = 1, 3000 do world[i] = { i = i } end",
      { a = "world[2900].lamp = 'on'\nreturn {}" }, "? world[2900].lamp == 'on'",
      { a = "return {}" }, "? world[2900].lamp == nil", "_G.world = nil",
    }, "a")

  spec.test("a save that was noticed when memory was out runs with the next poll", function()
    local it <close> = projects.open { ["m.lua"] = "return { v = 0 }" }
    local m <const> = require "m"
    for n = 1, 60 do
      it.save("m.lua", ("return { v = %d }"):format(n))
      spec.refuse(n, true)
      pcall(reload.now)
      spec.refuse(0)
      reload.now()
      spec.equal(m.v, n)
    end
  end)
end)

spec.describe("identity:", function()
  test("a table at two keys is the one that is at one of them alone", {
    m = "local a <const>, b <const> = { n = 1 }, { n = 2 }\nreturn { current = a, first = a, second = b }" }, {
    "held = m.first held.n = 5",
    { m = "local a <const>, b <const> = { n = 1 }, { n = 2 }\nreturn { current = b, first = a, second = b }" },
    "equal({ m.first == held, m.first.n, m.current == m.second, m.second.n }, { true, 5, true, 2 })",
  }, "m")

  test("a closure that another file takes from one that is as it was shares its variables", {
    b = "return {}", c = "require 'b'\nreturn {}",
    a = "require 'b'\nlocal n = 0\nreturn { next = function() return function() n = n + 1 return n end end }" }, {
    "own = a.next() own()",
    { b = "return { v = 2 }", c = "require 'b'\nreturn { step = require('a').next() }" },
    "equal({ own(), c.step(), a.next()() }, { 2, 3, 4 })",
  }, "b a c")
end)

spec.describe("large tables:", function()
  local function big(speed)
    return { m = ([[
      local cells <const> = {}
      for i = 1, 20000 do cells[i] = { hp = 1 } end
      return { cells = cells, speed = %d }]]):format(speed) }
  end
  test("keep what the game has made of them, and that is told", big(1), {
    "m.cells[19999].hp = 0 m.cells[5].hp = 0 cells = m.cells", big(2),
    "equal({ m.speed, m.cells == cells, m.cells[19999].hp, m.cells[5].hp }, { 2, true, 0, 0 })",
    "? result.line:find '1 large table keeps its contents'",
  }, "m")
end)
