-- The console: text that runs in a game, and what could complete it.
local spec <const> = require "spec"
local games <const> = require "games"

local GAME <const> = [[
local spawnpool <const> = require "spawnpool"
counter = 7
bullets = spawnpool.class("Bullet", { fields = { damage = 3 }, methods = { hit = function() end } })
words = setmetatable({ one = 1 }, { __index = { two = 2, call = function() end } })
return { update = function() if tick then tick() end end }]]

-- Runs a text. `told`: all that is printed; of an error, a part of what is told.
local function expect(g, text, outcome, told)
  spec.equal(g:eval(text), outcome, text)
  local got <const> = g:told()
  if outcome == "failed" then
    spec.contains(got, told)
  else
    spec.equal(got, told and told ~= "" and "print: " .. told .. "\n" or "", text)
  end
end

-- {== Running =================================================================

-- Typed one after the other.
local TYPED <const> = {
  { "'a', nil, 1 + 1.0", "done", "a\tnil\t2.0" },
  { "nil", "done", "nil" },
  { "{ 1, 'x', b = { c = true, ['a b'] = 2 } }, 5", "done", "{ 1, 'x', b = { ['a b'] = 2, c = true } }\t5" },
  { "{ { { { 1 } } } }", "done", "{ { { {...} } } }" },
  { "setmetatable({}, { __index = error, __len = error }) ~= nil", "done", "true" },
  { "setmetatable({}, { __tostring = function() return 'my words' end })", "done", "my words" },
  { "local a = 1", "done", "" },
  { "", "done", "" },
  { "for i = 1, 2 do print(i) end", "done", "1\nprint: 2" },
  { "for i = 1, 2 do", "more", "" },
  { "x = [[two\nlines", "more", "" },
  { "x = = 1", "failed", "error: unexpected symbol near '='" },
  { "error('my reason')", "failed", "error: my reason" },
  { "error({})", "failed", "error: (error object is a table value)" },
  { "local a\nlocal b = a.c", "failed", "error: console:2: attempt to index a nil value (local 'a')" },
  { "bulets.x = 1", "failed", "hint: did you mean 'bullets'?" },
  { "pols.x = 1", "failed", "hint: did you mean 'pools'?" },
  { "counter = counter + 1; fresh = 'new'", "done", "" },
  { "_G.counter, _G.fresh, rawget(_G, 'sel')", "done", "8\tnew\tnil" },
  -- The library is there without require, and a global of the game goes before it.
  { "spawnpool == require 'spawnpool', pools == spawnpool.pools, pools:stats().prewarm", "done",
    "true\ttrue\t{ done = 0, wanted = 0 }" },
  { "pools = 'mine'", "done", "" },
  { "pools", "done", "mine" },
}

spec.test("texts run in the game, and errors are over", function()
  local g <const> = games.start { GAME }
  for _, it in ipairs(TYPED) do expect(g, table.unpack(it)) end
  spec.equal(g:last_error(), nil)
  expect(g, "function tick() print('tick', counter, sel) end", "done")
  spec.equal(g:update(), true)
  spec.equal(g:told(), "print: tick\t8\tnil\n")
end)

spec.test("what is long is cut, and help says what there is", function()
  local g <const> = games.start { GAME }
  g:eval "(function() local t = {} for i = 1, 50 do t[i] = i end return t end)()"
  spec.contains(g:told(), " 19, 20, ... 30 more }")
  g:eval "('x'):rep(5000)"
  spec.equal(#g:told() < 2100, true)
  g:eval "help"
  spec.contains(g:told(), "pools:stats() shows their counts")
end)

spec.test("what takes too much is stopped", function()
  local g <const> = games.start { GAME, patience = 0.1, memory_limit = 4 << 20 }
  expect(g, "while true do end", "failed", "error: stopped: it ran for more than 0.1 s")
  expect(g, "('x'):rep(1 << 24)", "failed", "error: not enough memory\n")
  expect(g, "1", "done", "1")
end)

spec.test("what is typed does not take new code back", function()
  local part <const> = [[
local Part = require("spawnpool").class "Part"
function Part:alloc(life, n) n = %s return Part.super.alloc(self, life) end return Part]]
  local g <const> = games.start {
    "return { load = function() require('spawnpool').class 'Part' end }", reload = true,
    ["pools/Part.lua"] = part:format "1",
  }
  spec.equal(g:save("pools/Part.lua", part:format "n + 1"), "reloaded")
  expect(g, "pools:alloc('Part', 0, {})", "failed", "Part.lua:2: attempt to perform arithmetic on a table value")
  spec.equal(g:poll "now", "nothing")
  expect(g, "pools:alloc('Part', 0)", "failed", "")
end)

spec.test("sel is the selected object as long as it lives", function()
  local g <const> = games.start { GAME }
  expect(g, "b = pools:alloc('Bullet') b.x = 5", "done")
  g:select "Bullet"
  expect(g, "sel == b, sel.x", "done", "true\t5.0")
  expect(g, "b:recycle(), sel", "done", "true\tnil")
  expect(g, "pools:alloc('Bullet') ~= b, sel", "done", "true\tnil")
  g:select "Bullet"
  expect(g, "sel.type", "done", "Bullet")
  g:select "Nothing"
  expect(g, "sel", "done", "nil")
end)

-- }==

-- {== Completing ==============================================================

-- Of how many bytes the words take the place, and the words.
local ENDS <const> = {
  { "print(1 + coun", "4 counter" },
  { "'it\\'s' .. coun", "4 counter" },
  { "se", "2 sel select setmetatable" },
  { "nothing_of_this", "15" },
  { "_G['math'].flo", "3 floor" },
  { "words.", "0 call one two" },
  { "words:", "0 call" },
  { "guarded.x.", "0" },
  { "map:", "0 at each get move set solid" },
  { "pools:al", "2 alloc" },
  { "pools.ti", "2 time time_scale" },
  { "b.dam", "3 damage" },
  { "b:hi", "2 hit" },
  { "b.pool.pe", "2 peak" },
  { "gone.", "0" },
  -- What a call returns is guessed: nothing is called.
  { "pools:pool(\"Bullet\"):near", "4 nearest" },
  { "pools:alloc('Bullet', 0, 1, 2).dam", "3 damage" },
  { "print(1).", "0" },
  -- Types and modules complete inside quotes, and types without a class when there is a pool.
  { "pools:alloc('Bul", "3 Bullet" },
  { "pools:alloc('Ze", "2 Zebra" },
  { "require 'spawn", "5 spawnpool" },
  { "print('Bul", "3" },
}

spec.test("the end of a text completes, and nothing of the game runs", function()
  local g <const> = games.start { GAME }
  for _, text in ipairs {
    "guarded = setmetatable({}, { __index = function() error 'asked' end })",
    "map = spawnpool.tiles { size = 8, rows = { '#' } } pools:alloc 'Zebra'",
    "p = pools:pool('Bullet') b = p:alloc() gone = p:alloc() gone:recycle()",
  } do
    spec.equal(g:eval(text), "done")
  end
  g:told() -- a warning: the Zebra has no class
  for _, it in ipairs(ENDS) do spec.equal(g:complete(it[1]), it[2], it[1]) end
  for text in ("..|1.|a.b.c.d.|(|)).|[[|{}.|'x'.|a[b].|:|::|\n|"):gmatch "([^|]*)|" do g:complete(text) end
  spec.contains(g:complete "", " print ")
  expect(g, "p.live", "done", "1")
end)

-- }==
