-- Modules that are edited while they run: edits are applied, what the game has set stays, and what others hold is new.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; spec_reload_classes runs with each"
local kit <const> = require "kit"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

local test <const> = projects.test

-- Edits that change nothing that runs.
local function remark(name) return { name, "\nreturn M", "\n-- a remark\nreturn M" } end

-- {== Modules =================================================================

spec.describe("a module that is edited", function()
  local SHAPES <const> = "local M = {}\nfunction M.area(r) return 3 * r end\nreturn M"
  test("is called by another module that keeps its function in a local", { shapes = SHAPES,
    main = "local area <const> = require('shapes').area\nreturn { total = function() return area(4) end }" }, {
    "old = main", { "shapes", "3", "4" }, "? old.total() == 16",
  }, "main")

  -- No module can be run again to bring this about: the library has to find the local of a running function.
  test("is called by a running function that keeps its function in a local", { shapes = SHAPES }, {
    { shapes = SHAPES:gsub("3", "4"), during = [[
      local area = shapes.area
      assert(area(2) == 6)
      edit()
      if area(2) ~= 8 then error "area" end]] },
  }, "shapes")

  local SETTINGS <const> = [[
    local settings = { speed = 10, lives = 3, keys = { jump = "space", fire = "x" } }
    function settings.text() return settings.speed .. " " .. settings.lives .. " " .. settings.keys.fire end
    return settings]]
  test("has the edited defaults, and keeps what the game has set where the author edited nothing",
    { settings = SETTINGS }, {
      "keys = settings.keys settings.lives, keys.fire, keys.duck = 1, 'mouse', 'c'",
      { settings = SETTINGS:gsub("10", "25"):gsub('"space"', '"up"'):gsub('" "', '"/"') },
      "equal({ settings.text(), keys.jump, keys.duck, settings.keys == keys }, { '25/1/mouse', 'up', 'c', true })",
    }, "settings")

  test("may require a module that is new", { shapes = SHAPES }, {
    { maths = "return { square = function(x) return x * x end }",
      shapes = "local maths = require 'maths'\n" .. SHAPES:gsub("3 %* r", "maths.square(r)") },
    "? shapes.area(5) == 25 and require('maths').square(3) == 9",
  }, "shapes")

  local function states(version)
    return { m = ([[
      local function idle() return "idle" end
      local function run() return "run%s" end
      local state = idle
      return { go = function() state = run end, now = function() return state() end }]]):format(version) }
  end
  test("keeps a state that is one of its own functions, in its new version", states "", {
    "old = m m.go()", states " 2", "? old.now() == 'run 2'",
  }, "m")

  local function hidden(value)
    return { m = ([[
      local fs <const> = { hidden = %s }
      do local n = 0 _G.a = function() n = n + 1 return n end end
      do local n = 0 _G.b = function() n = n + 1 return n end end
      return fs]]):format(value) }
  end
  test("keeps locals of the same name apart by the globals that hold them", hidden "nil", {
    "a() b() b()", hidden "1", "equal({ a(), b() }, { 2, 3 })",
  }, "m")

  test("that is a dependent is run again too, and keeps its state", {
    base = "return { SPEED = 2 }",
    mid = "local base <const> = require 'base'\nlocal M = { n = 0, twice = base.SPEED * 2 }\nreturn M",
    top = "local mid <const> = require 'mid'\nreturn { four = mid.twice * 2 }",
  }, {
    "mid.n = 7", { "base", "2", "3" }, "equal({ top.four, mid.twice, mid.n }, { 12, 6, 7 })",
    "equal(result.files, { 'base.lua', 'mid.lua', 'top.lua' })",
    "? result.line:match '^reloaded base.lua %(and 2 that use it%)'",
  }, "top")

  test("has an object of a class that stays, and a coroutine that goes on", { m = [[
    local M <const> = {}
    M.__index = M
    local co <const> = coroutine.create(function() for i = 1, 9 do coroutine.yield(i) end end)
    function M.step() return select(2, coroutine.resume(co)) end
    return M]] }, {
    "? m.step() == 1", { "m", "    return M", "    M.one = setmetatable({}, M)\n    return M" },
    "? getmetatable(m.one) == m and m.one.step() == 2",
  }, "m")

  test("may make a chain of a hundred thousand tables", { m =
    "local list\nfor i = 1, 100000 do list = { next = list, i = i } end\nreturn { list = list, v = 1 }" }, {
    { "m", "v = 1", "v = 2" }, "? m.v == 2 and m.list.i == 100000",
  }, "m")

  local function big(speed)
    return { m = ([[
      local cells <const> = {}
      for i = 1, 20000 do cells[i] = { hp = 1 } end
      return { cells = cells, speed = %d }]]):format(speed) }
  end
  test("keeps what the game has made of large tables, and says so", big(1), {
    "m.cells[19999].hp = 0 m.cells[5].hp = 0 cells = m.cells", big(2),
    "equal({ m.speed, m.cells == cells, m.cells[19999].hp, m.cells[5].hp }, { 2, true, 0, 0 })",
    "has(result.line, '1 large table keeps its contents')",
  }, "m")

  test("has a table at two keys: it is the one that is at one of them alone", {
    m = "local a <const>, b <const> = { n = 1 }, { n = 2 }\nreturn { current = a, first = a, second = b }" }, {
    "held = m.first held.n = 5", { "m", "current = a", "current = b" },
    "equal({ m.first == held, m.first.n, m.current == m.second, m.second.n }, { true, 5, true, 2 })",
  }, "m")

  test("has a list: what the game took out of it stays out, a new element comes behind",
    { m = "return { { hp = 1 }, { hp = 2 }, { hp = 3 } }" }, {
      "table.remove(m, 1) second = m[1]", { "m", "3 } }", "3 }, { hp = 4 } }" },
      "equal({ #m, m[1] == second, m[3].hp }, { 3, true, 4 })", { "m", ", { hp = 4 }", "" },
      "equal({ #m, m[1] == second, m[2].hp }, { 2, true, 3 })",
    }, "m")
end)

spec.describe("a value that a file read from outside", function()
  local BEST <const> = "local SPEED <const> = 1\nlocal best = storage()\nlocal M <const> = { speed = SPEED }\n"
    .. "function M.best(v) best = v or best return best end\nrequire 'other'\nreturn M"
  for name, steps in pairs {
    ["stays where the game has set another one since"] =
      { "main.best(70) _G.outside = 60", remark "main", "? main.best() == 70" },
    ["stays where nobody has set another one, and the line is silent"] =
      { "_G.outside = 60", { "main", "= 1", "= 2" }, "equal({ main.best(), main.speed }, { 50, 2 })",
        "? not result.line:find 'best'", { "main", "storage()", "storage() + 1" }, "? main.best() == 51" },
    ["stays where another file is edited"] =
      { "_G.outside = 60", { other = "return 2" }, "? main.best() == 50" },
  } do
    test(name, { other = "return 1", main = BEST },
      { "_G.outside, _G.storage = 50, function() return outside end require 'main'", table.unpack(steps) })
  end

  test("stays the game's where only a line that it names is edited", { m = "local FIRST = 5\nlocal best = FIRST\n"
    .. "return { best = function(v) best = v or best return best end }" }, {
    "m.best(70)", { "m", "FIRST = 5", "FIRST = 6" }, "? m.best() == 70 and result.line:find 'best stays 70'",
  }, "m")
end)

-- }==

-- {== Other files =============================================================

spec.describe("an edit of another file leaves", function()
  local LISTED <const> = [[
local last, all = 0, {}
local M <const> = {}
function M.new()
  last = last + 1
  all[#all + 1] = { id = last }
  return all[#all]
end
function M.last() return last, #all end
return M
]]
  local HERO <const> = "local actor <const> = require 'actor'\nlocal config <const> = require 'config'\n"
    .. "local hero <const> = actor.new()\nlocal M <const> = { speed = config.speed }\n"
    .. "function M.hero() return hero end\nreturn M"
  local SEEN <const> = "equal({ { actor.last() }, main.hero() == hero, hero.id }, { { 5, 5 }, true, 1 })"
  test("an actor once in the list of its file, with its id",
    { actor = LISTED, config = "return { speed = 1 }", main = HERO }, {
      "hero = main.hero() for _ = 1, 4 do actor.new() end",
      { "config", "1", "2" }, remark "main", SEEN, { "config", "2", "3" }, remark "main", SEEN,
      { "main", "local M", "local cat <const> = actor.new()\nlocal M" },
      "equal({ { actor.last() }, hero.id }, { { 6, 6 }, 1 })",
    }, "main")

  test("what the game took out of a registry out of it", {
    config = "return { speed = 1 }", registry = "return { list = {} }", main =
    "local M <const> = { speed = require('config').speed }\nlocal registry <const> = require 'registry'\n"
    .. "registry.orc, registry.elf = { hp = 1 }, { hp = 2 }\ntable.insert(registry.list, 'a')\nreturn M" }, {
    "registry.orc, registry.list[1] = nil, nil", { "config", "1", "2" }, remark "main",
    "equal({ registry.orc, #registry.list, registry.elf.hp, main.speed }, { nil, 0, 2, 2 })",
  }, "main")

  test("what the game has changed, where its file runs again with other values", {
    cfg = "return { hp = 10 }", m = "return { hp = require('cfg').hp, start = require('cfg').hp }" }, {
    "m.hp = 3", { cfg = "return { hp = 20 }" }, "equal({ m.hp, m.start }, { 3, 20 })",
  }, "cfg m")

  test("what it has put far away into another one's tables there, until an edit takes it out", { a = "return {}",
    world = "local t = {} for i = 1, 3000 do t[i] = { i = i } end return t" }, {
    { a = "require 'world'[2900].lamp = { v = 1 }\nreturn {}" }, "lamp = world[2900].lamp", { "a", "v = 1", "v = 2" },
    "? world[2900].lamp == lamp and lamp.v == 2", { a = "return {}" }, "? world[2900].lamp == nil",
  }, "world a")
end)

-- What a file writes into another one's table, what the game does then, and what is there after an edit.
spec.describe("what a file writes into another one's table:", function()
  local function a(body) return { a = "local bus <const> = require 'bus'\n" .. body .. "\nreturn {}" } end
  for name, row in pairs {
    ["behind its elements those of the game stay"] = { a "bus[1], bus[2], bus[3] = 'z', 'y', 'x'",
      "bus[4] = 'game'", a "bus[1], bus[2], bus[3] = 'z', 'w', 'x'", "equal(bus, { 'z', 'w', 'x', 'game' })" },
    ["a list that its maker gives up is gone, and comes back with what the game put in"] = {
      a "bus.list = { 'a', n = 1 }", "bus.list[2], bus.list.n = 'game', 5", a "", "equal(bus.list, nil)",
      a "bus.list = { 'a', n = 1 }", "equal(bus.list, { 'a', 'game', n = 5 })" },
    ["a list that has numbers now is compared by its keys"] = { a "bus.list = { { n = 1 }, { n = 2 }, { n = 3 } }",
      "held = bus.list held[2].n = 9", a "bus.list = { 10, 20 }", "equal(bus.list, { 10, 20 })" },
    ["a list that has holes now is compared by its keys"] = { a "bus.list = { { n = 1 }, { n = 2 }, { n = 3 } }",
      "held = bus.list held[2].n = 9", a "bus.list = { [1] = { n = 5 }, [3] = { n = 6 } }",
      "equal(bus.list, { [1] = { n = 5 }, [3] = { n = 6 } })" },
    ["what the text no longer writes is as it was before, and comes back with it"] = { a "bus.speed = 'slow'",
      "bus.speed = 'fast'", a "", "? bus.speed == nil", a "bus.speed = 'slow'", "? bus.speed == 'fast'" },
  } do
    test(name, { bus = "return {}", a = row[1].a }, { table.unpack(row, 2) }, "bus a")
  end

  test("an element that it takes out of a list comes back when it does so no longer",
    { bus = "return { 'x', 'y', 'z' }", a = "return {}" }, {
      a "table.remove(bus, 1)", "equal(bus, { 'y', 'z' }) bus[3] = 'game'",
      a "table.remove(bus, 1)\ntable.remove(bus, 1)", "equal(bus, { 'z', 'game' })", a "", "? #bus == 4",
    }, "bus a")

  -- Saves of one to four files: three that write one place, and the one whose place it is.
  local function last_words()
    local steps <const>, values <const>, number = {}, { a = "1a", b = "1b", c = "1c" }, 7
    local function draw(below)
      number = number * 48271 % 2147483647
      return number // 64 % below
    end
    for i = 2, 60 do
      local save <const> = {}
      for _, name in ipairs { "a", "b", "c" } do
        if draw(5) < 2 then
          values[name] = draw(5) < 3 and i .. name or nil
          local line <const> = values[name] and ("BUS.word = '%s'"):format(values[name]) or ""
          save[name] = ("%s return { n = %d }"):format(line, i)
        end
      end
      if next(save) == nil or draw(3) == 0 then save.bus = ("BUS = { n = %d } return BUS"):format(i) end
      steps[#steps + 1] = save
      local word <const> = values.c or values.b or values.a
      steps[#steps + 1] = word and ("equal(bus.word, '%s')"):format(word) or "equal(bus.word, nil)"
    end
    return steps
  end

  test("of several files the later one has the last word, whichever are edited", { bus = "BUS = {} return BUS",
    a = "BUS.word = '1a' return {}", b = "BUS.word = '1b' return {}", c = "BUS.word = '1c' return {}" },
    last_words(), "bus a b c")

  test("a closure that it takes from a file that is as it was shares its variables", {
    b = "return {}", c = "require 'b'\nreturn {}",
    a = "require 'b'\nlocal n = 0\nreturn { next = function() return function() n = n + 1 return n end end }" }, {
    "own = a.next() own()",
    { b = "return { v = 2 }", c = "require 'b'\nreturn { step = require('a').next() }" },
    "equal({ own(), c.step(), a.next()() }, { 2, 3, 4 })",
  }, "b a c")
end)

-- A file may wrap a function of another one when it runs.
spec.describe("a file that patches what it requires:", function()
  test("edits of either wrap a function of a class once", {
    m = 'require "drone" require "patcher" return {}',
    drone = 'local D <const> = require "spawnpool".class("WrappedDrone")\nfunction D.say() return "drone" end',
    patcher = 'local D <const> = require "spawnpool".class "WrappedDrone"\nlocal say <const> = D.say\n'
      .. 'function D.say() return "patched " .. say() end\nD.limit = 7',
  }, {
    "D, pool = spawnpool.class 'WrappedDrone', spawnpool.pools:pool 'WrappedDrone'",
    "equal({ D.say(), pool.limit }, { 'patched drone', 7 })", { "patcher", '"patched "', '"wrapped "' },
    { "patcher", '"wrapped "', '"twice wrapped "' }, "? D.say() == 'twice wrapped drone'",
    { "drone", '"drone"', '"new drone"' }, "equal({ D.say(), pool.limit }, { 'twice wrapped new drone', 7 })",
    { "patcher", "function D.say()", "function D.cry()" },
    "equal({ D.say(), D.cry() }, { 'new drone', 'twice wrapped new drone' })", { "patcher", "D.limit = 7", "" },
    "equal({ D.limit, pool.limit }, {})", { "patcher", "function D.cry()", "function D.say()" },
    "equal({ D.say(), D.cry }, { 'twice wrapped new drone' })",
  }, "m")
end)

-- }==

-- {== Timers ==================================================================

spec.describe("a timer that a file starts when it runs", function()
  local FILES <const> = { other = "return { n = 1 }", main = [[
local M <const> = { beats = 0, timer = false }
M.timer = pools_of_game:every(1 / 64, function() M.beats = M.beats + 1 end)
local other <const> = require "other"
function M.other() return other.n end
function M.update() end
return M
]] }
  local FIRST <const> = "require 'main' timer = main.timer play(10)"

  for name, edit in pairs {
    ["goes on once when another file is edited"] = { "other", "n = 1", "n = 2" },
    ["goes on once when something else in its file is edited"] = { "main", "return other.n", "return -other.n" },
    ["goes on once when a timer before it is new"] =
      { "main", "M.timer", "M.late = pools_of_game:every(1, print)\nM.timer" },
  } do
    test(name, FILES, { FIRST, edit, "play(10) stays()",
      "equal({ main.beats, main.timer == timer, timer:stop() }, { 20, true, true })" })
  end

  test("starts again with another time", FILES, { FIRST, { "main", "1 / 64", "1 / 32" }, "play(8) stays()",
    "equal({ main.beats, main.timer == timer, timer:stop() }, { 14, true, true })" })

  test("is not started by a run that fails", FILES, { FIRST, { "main", "return M", "error 'no'" }, "! no", "play(10)",
    "? main.beats == 20" })

  test("ends when it leaves the text", FILES, { FIRST, { "main", "M.timer = pools", "local _ = pools" },
    { "main", "local _ = pools_of_game:every(1 / 64, function() M.beats = M.beats + 1 end)", "" }, "play(10)",
    "? main.beats == 10" })
end)

-- }==

-- {== Handlers ================================================================

spec.describe("handlers on a bus", function()
  local FIRE <const> = "function M.fire() heard = '' for _, f in ipairs(M.list()) do f() end return heard end\nreturn M"
  local LISTS <const> = "local on <const> = {}\nlocal M <const> = {}\n"
    .. "function M.list() on.hit = on.hit or {} return on.hit end\n"
    .. "function M.on(f) local list <const> = M.list() list[#list + 1] = f end\n" .. FIRE
  local SETS <const> = "local on <const> = {}\nlocal M <const> = {}\nfunction M.on(f) on[f] = true end\n"
    .. "function M.off(f) on[f] = nil end\n"
    .. "function M.fire() heard = '' for f in pairs(on) do f() end return heard end\nreturn M"
  local RECORDS <const> = "local all <const> = {}\nlocal M <const> = { all = all }\n"
    .. "function M.on(f) all[#all + 1] = { fun = f } end\n"
    .. "function M.fire() heard = '' for _, r in ipairs(all) do r.fun() end return heard end\nreturn M"

  -- A file with handlers of these names; each adds its name to `heard`.
  local function user(names, more)
    local lines <const> = { "local bus <const> = require 'bus'\nlocal M <const> = {}\n" }
    for name in names:gmatch "%a" do
      lines[#lines + 1] = ("local n%s = 0\nlocal function on_%s() heard = heard .. '%s' n%s = n%s + 1 end\n"
        .. "bus.on(on_%s)\nfunction M.%s() return n%s end\n"):gsub("%%s", name)
    end
    return table.concat(lines) .. (more or "") .. "return M"
  end

  test("one that the game took off stays off when another file makes their table",
    { bus = SETS:gsub("on%[f%] =", "on.hit = on.hit or {} on.hit[f] ="):gsub("pairs%(on%)", "pairs(on.hit)"),
      lib = user "", main = "require 'lib'\n" .. user("a", "function M.off() bus.off(on_a) end\n") },
    { "main.off()", { lib = user "b" }, "? bus.fire() == 'b'" }, "main")

  for _, form in ipairs { "local function on%1()", "local on%1 = function()" } do
    local function so(names) return (user(names):gsub("local function on_(%a)%(%)", form):gsub("on_", "on")) end
    test("a new one runs in place of another that the game took off: " .. form, { bus = LISTS, main = so "ab" }, {
      "table.remove(bus.list(), 1)", { main = so "cb" }, "? #bus.fire() == 2", { main = so "b" }, "? bus.fire() == 'b'",
    }, "main")
  end

  local UTIL <const> = "M.util = require 'util'\n"
  test("those of others stay when the first one, for which the list was made, leaves the text",
    { bus = LISTS, util = user "a", main = user("b", UTIL), later = user "c" }, {
      "? bus.fire() == 'bac'", { main = user("", UTIL) }, "equal({ bus.fire(), main.util.a() }, { 'ac', 2 })",
      { main = user("bd", UTIL) }, "now = {} for c in bus.fire():gmatch '.' do now[#now + 1] = c end table.sort(now)",
      "? table.concat(now) == 'abcd'",
    }, "main later")

  test("records of a function: the one that leaves the text goes, where the game has removed another",
    { bus = RECORDS, main = user "abc" }, {
      "table.remove(bus.all, 2)", { main = user "bc" }, "equal({ bus.fire(), main.c() }, { 'c', 1 })",
    }, "main")
end)

-- }==

-- {== The library =============================================================

spec.describe("spawnpool.reload", function()
  spec.test("blames the caller for a folder that is none", function()
    kit.refuses({ reload = reload }, {
      { "reload.watch(5)", "watch needs the path of a folder, got 5" },
      { "reload.watch '/no/such'", "there is no folder '/no/such' to watch" },
      { "reload.patience(-1)", "patience is a number of seconds" },
    })
  end)

  test("leaves files of other folders alone, and those that nobody requires", { m = "return { v = 1 }" }, {
    "? type(require 'reload_history') == 'function'", -- of the tests, not of the project
    { during = "wrong = select(2, pcall(edit))", stranger = "return 1" },
    "has(wrong, 'it saw no change')",
  })

  test("says so when a file was loaded too early to be run again", {}, {
    "reload.unwatch() io.open(folder .. '/early.lua', 'w'):close() package.loaded.early = { v = 1 }",
    "reload.watch(folder)", { early = "return { v = 2 }" },
    "? result.line == 'early.lua was loaded before reload.watch: it is not reloaded' and early.v == 1",
  })

  test("does nothing while a file runs",
    { m = "return { v = 1 }", poller = "return { says = reload_now() or 'nothing' }" }, { "_G.reload_now = reload.now",
    "edit_m = io.open(folder .. '/m.lua', 'w') edit_m:write 'return { v = 2 }' edit_m:close() require 'poller'",
    "? poller.says == 'nothing' and reload.now().ok and m.v == 2",
  }, "m")

  spec.test("waits until a file has settled", function()
    local it <close> = projects.open { ["m.lua"] = "return { v = 1 }" }
    local m <const> = require "m"
    it.save("m.lua", "return { v = 2 }")
    spec.equal(reload.poll(), nil) -- it was only just saved
    local deadline <const> = os.time() + 10
    local result
    repeat result = reload.poll() until result or os.time() > deadline
    spec.equal({ result and result.ok, m.v }, { true, 2 })
  end)

  test("leaves the collector as it was", { m = "return { v = 1 }" }, {
    "collectgarbage 'stop'", { "m", "1", "2" }, "was = collectgarbage 'isrunning' collectgarbage 'restart'",
    { m = "return 1" }, "! m.lua", "equal({ was, collectgarbage 'isrunning' }, { false, true })",
  }, "m")

  local BUS <const> = "local on <const> = {}\nreturn { on = function(f) on[#on + 1] = f end }"
  local USER <const> = "local n = 0\nrequire('bus').on(function() n = n + 1 end)\nreturn { made = { 1, n = %s } }"
  local CUBE <const> = "local Cube <const> = require('spawnpool').class('Cube', { limit = 9, fields = { hp = 1%s } })\n"
    .. "function Cube:on_spawn(o) o.x = 1 %s end\nreturn Cube"
  -- Each save undoes the one before: one is refused, one taken back.
  local EDITS <const> = {
    { "bus.lua", BUS .. " -- a remark" }, { "bus.lua", BUS },
    { "user.lua", USER:format(2) }, { "user.lua", "return {" }, { "user.lua", USER:format(1) },
    { "pools/Cube.lua", CUBE:format(", power = 2", "") },
    { "pools/Cube.lua", CUBE:format("", "error 'new'") }, { "pools/Cube.lua", CUBE:format("", "") },
  }
  spec.test("leaves memory as it was after the same edits again and again", function()
    local it <close> = projects.open { ["bus.lua"] = BUS, ["user.lua"] = USER:format(1),
      ["pools/Cube.lua"] = CUBE:format("", "") }
    require "user"
    local kept <const> = {}
    for round = 1, 24 do
      for _, edit in ipairs(EDITS) do
        it.save(table.unpack(edit))
        spec.hear(function()
          reload.now()
          it.pools:alloc("Cube", 0.01)
          kit.tick(it.pools)
          while reload.poll() do end
        end)
      end
      collectgarbage()
      collectgarbage()
      kept[round] = collectgarbage "count" + it.pools:stats().bytes / 1024
    end
    if kept[24] > kept[12] + 8 then error(("%.1f KiB more than 96 edits before"):format(kept[24] - kept[12])) end
  end)
end)

-- }==
