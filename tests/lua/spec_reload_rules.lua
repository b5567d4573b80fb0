-- The rules of an edit: a re-run is a start in small, and one comparison of last run, new run and game.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
local projects <const> = require "reload_kit"

local test <const> = projects.test

spec.describe("files that run again find", function()
  test("what the file that begins first had set before it required them", {
    config = "return { speed = 1 }",
    a = "local c = require 'config'\nreturn { v = 1, speed = c.speed, tongue = TONGUE }",
    main = "TONGUE = 'de'\nrequire 'config'.speed = 3\nreturn { a = require 'a' }" }, {
    { "a", "v = 1", "v = 2" }, "equal({ a.v, a.speed, a.tongue }, { 2, 3, 'de' })",
  }, "main")

  test("nothing of what another one writes before they require it, and nothing if they do no longer", {
    bus = "return {}", panel = "table.insert(require 'bus', 'panel')\nreturn {}",
    main = "local bus = require 'bus'\nlocal early = #bus\nrequire 'panel'\nreturn { early = early }" }, {
    { "main", "return {", "return { v = 1," }, "equal({ main.early, #bus }, { 0, 1 })",
    { "main", "require 'panel'\n", "" }, "? #bus == 0", { "main", "return {", "require 'panel'\nreturn {" },
    "equal(bus, { 'panel' })",
  }, "main")

  test("one list, although one that does not run again was the first to make it", {
    bus = "local lists = {}\nlocal function of(e) lists[e] = lists[e] or {} return lists[e] end\n"
      .. "return { on = function(e, f) table.insert(of(e), f) end, of = of }",
    hud = "return {}", hero = "require 'bus'.on('hit', 'hero')\nreturn {}", main = "require 'bus'\nrequire 'hud'\n"
      .. "require 'hero'\nreturn {}" }, {
    "held = bus.of 'hit'", { "hud", "return", "require 'bus'.on('hit', 'hud')\nreturn" },
    "equal(bus.of 'hit', { 'hud', 'hero' })", "equal(held, bus.of 'hit')", { "hud", "'hud')", "'hud' .. 2)" },
    "equal(bus.of 'hit', { 'hud2', 'hero' })",
  }, "main")

  test("values without what the game has made of them", {
    state = "return { mode = 'easy' }", boss = "local label = 'boss of ' .. require 'state'.mode\n"
      .. "return { label = function() return label end }" }, {
    "state.mode = 'hard'", { "boss", "boss of", "chief of" }, "equal({ boss.label(), state.mode }, { 'chief of easy',"
    .. " 'hard' })",
  }, "boss")

  test("clock and chance as they were, where the text is", { m = "local a = 1\nlocal born, dice = os.clock(), "
    .. "math.random(1 << 40)\nreturn { get = function() return a, born, dice end }" }, {
    "_, born, dice = m.get() for _ = 1, 1e5 do end", { "m", "a = 1", "a = 2" },
    "equal({ m.get() }, { 2, born, dice })", { "m", "1 << 40", "1 << 41" }, "? select(3, m.get()) ~= dice",
  }, "m")

  test("the next number of a counter that the game has raised, for what is new", {
    ids = "local I = { n = 0 }\nfunction I.next() I.n = I.n + 1 return I.n end\nreturn I",
    main = "local ids = require 'ids'\nlocal hero = { id = ids.next() }\nreturn { hero = hero }" }, {
    "for _ = 1, 40 do ids.next() end",
    { "main", "return {", "local cat = { id = ids.next() }\nreturn { cat = cat," },
    "equal({ main.hero.id, main.cat.id, ids.next() }, { 1, 42, 43 })", { "main", "return {", "return { v = 1," },
    "equal({ main.hero.id, main.cat.id, ids.next() }, { 1, 42, 44 })",
  }, "main")

  test("no way around an error of a changed file", { opt = "return { v = 1 }",
    main = "local ok, opt = pcall(require, 'opt')\nreturn { ok = ok, opt = opt }" }, {
    { opt = "error 'boom'" }, "! boom", "equal({ main.ok, main.opt.v }, { true, 1 })",
  }, "main")
end)

spec.describe("where the author and the game have both changed a value", function()
  local TEXT <const> = "local MOST = 100\nlocal hp = MOST\nreturn { hurt = function(n) hp = hp - n return hp end }"
  test("it is the author's where that statement was edited", { m = TEXT }, {
    "m.hurt(63)", { "m", "hp = MOST", "hp = MOST + 1" }, "? m.hurt(0) == 101",
  }, "m")
  test("it is the game's where only what it is made of was edited, and the line says so", { m = TEXT }, {
    "m.hurt(63)", { "m", "100", "120" }, "? m.hurt(0) == 37 and result.line:find 'hp stays 37'",
  }, "m")
  test("it is the author's where the call was edited that gave it", { m = "local function spawn(n, hp) return { n = n, "
    .. "hp = hp } end\nlocal hero = spawn('hero', 100)\nreturn { hero = hero }" }, {
    "m.hero.hp = 37", { "m", "100", "120" }, "? m.hero.hp == 120",
  }, "m")
  test("elements of a list are each their own", { m = "return { 'sword', 'bow', 'map' }" }, {
    "table.remove(m, 2)", { "m", "'map'", "'map', 'key'" }, "equal(m, { 'sword', 'map', 'key' })",
  }, "m")
end)

spec.describe("a name", function()
  local COUNTER <const> = "local n = 0\nlocal M = {}\nfunction M.go() n = n + 1 return n end\nreturn M"
  test("lives as long as the text declares it", { m = COUNTER }, {
    "for _ = 1, 41 do m.go() end", { "m", "n = n + 1 return n", "--[[ n = n + 1 return n ]]" },
    "? not result.line:find 'gone'", { "m", "--[[ n = n + 1 return n ]]", "n = n + 1 return n" }, "? m.go() == 42",
  }, "m")
  test("that an edit took out comes back with it", { m = COUNTER }, {
    "for _ = 1, 41 do m.go() end", { m = "local M = {}\nfunction M.go() return 'off' end\nreturn M" },
    "has(result.line, 'file-local `n`, 41, is gone')", { m = COUNTER }, "? m.go() == 42",
  }, "m")
  test("keeps its value when it becomes global, and when it goes to another file", { m = COUNTER, u = "return {}" }, {
    "for _ = 1, 41 do m.go() end", { "m", "local n = 0", "n = 0" }, "? m.go() == 42", { m = COUNTER }, "? m.go() == 43",
    { u = COUNTER, m = "return { go = require('u').go }" }, "equal({ m.go(), n }, { 44 })",
  }, "m u")
  test("of a function is what its definition became, not its other names", {
    m = "local M = {}\nfunction M.range() return 'range' end\nM.count = M.range\nreturn M" }, {
    "held = m.range", { m = "local M = {}\nfunction M.count() return 'count' end\nfunction M.range() return 'range 2' "
      .. "end\nreturn M" },
    "equal({ held(), m.range(), m.count() }, { 'range 2', 'range 2', 'count' })",
  }, "m")
  test("of a file may be another one: it goes on", { waves = COUNTER, main = "return { go = function() return "
    .. "require('waves').go() end }" }, {
    "main.go() main.go() os.rename(folder .. '/waves.lua', folder .. '/tides.lua')", { "main", "'waves'", "'tides'" },
    "? main.go() == 3",
  }, "main")
end)
