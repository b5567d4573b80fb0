-- Small games that are edited while they run, as authors edit them: who fails, what goes back, what stays, and what the
-- line says. The games run by timers of a manager, in whose calls the library notices errors.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local kit <const> = require "kit"
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"

-- {== A game ==================================================================

local function line_has(line, ...)
  for _, part in ipairs { ... } do
    if not line:find(part, 1, true) then error(("%q is not in: %s"):format(part, line), 2) end
  end
end

local function line_lacks(line, part) spec.equal(line:find(part, 1, true), nil, line) end

-- Opens a project, requires its main.lua, and calls main.update in every frame.
local function open(files)
  local it <const> = projects.open(files)
  _G.pools_of_game = it.pools
  it.results = {}
  it.main = require "main"
  if it.main.update then it.pools:every(kit.STEP, function() it.main.update() end) end

  -- Frames with a poll after each; what the polls say.
  function it.play(frames)
    spec.hear(function()
      for _ = 1, frames do
        kit.tick(it.pools)
        local result <const> = reload.poll()
        if result and not result.note then table.insert(it.results, result) end
      end
    end)
  end

  -- Since the last call a save was taken back, once; the line names these files.
  function it.went_back(...)
    spec.equal(#it.results, 1, "how often something went back")
    local result <const> = table.remove(it.results)
    spec.equal({ result.ok, result.reverted }, { false, true }, result.line)
    line_has(result.line:gsub(" are reverted", " is reverted"), " is reverted", ...)
  end

  function it.stays() spec.equal(it.results[1] and it.results[1].line, nil, "what a poll says") end

  return it
end

-- }==

-- {== What goes back ==========================================================

spec.describe("a save that makes the game fail is taken back, and nothing else", function()
  -- A boss whose code runs once a second.
  local BOSS <const> = "local M <const> = { hp = 100 }\nfunction M.roar() M.hp = M.hp - 1 end\nreturn M"
  local MAIN <const> = [[
local boss <const> = require "boss"
local M <const> = { frames = 0 }
function M.update()
  if M.frames % 60 == 59 then boss.roar() end
  M.frames = M.frames + 1
end
return M
]]
  spec.test("code that runs rarely is on probation until it has run in 120 frames", function()
    local it <close> = open { ["boss.lua"] = BOSS, ["main.lua"] = MAIN }
    it.edit("boss.lua", "M.hp = M.hp - 1", "M.hp = M.hp - 1 if M.hp < 95 then nothing.x = 1 end")
    it.play(6 * 60 + 1)
    it.went_back "boss.lua"
    spec.equal({ it.main.frames, require("boss").hp < 95 }, { 361, true })
    it.stays()
  end)

  local function versions(n) return ("local M <const> = {}\nfunction M.n() return %s end\nreturn M"):format(n) end
  local ADDING <const> = [[
local a <const>, b <const> = require "a", require "b"
local M <const> = { sum = 0 }
function M.update() M.sum = M.sum + a.n() + b.n() end
return M
]]
  spec.test("the next save starts from the texts on the disk", function()
    local it <close> = open { ["a.lua"] = versions(0), ["b.lua"] = versions(0), ["main.lua"] = ADDING }
    it.edit("a.lua", "return 0", "return helper()")
    it.play(1)
    it.went_back "a.lua"
    it.edit("b.lua", versions(2) .. "\n")
    it.play(1)
    it.went_back()
    spec.equal({ require("a").n(), require("b").n() }, { 0, 0 })
    it.edit("b.lua", "function helper() return 7 end\n" .. versions(2))
    it.play(1)
    it.stays()
    spec.equal({ require("a").n(), require("b").n(), it.main.sum }, { 7, 2, 9 })
  end)

  spec.test("the file-locals that it left without a value keep what the game made of them", function()
    local it <close> = open { ["main.lua"] = [[
local n, kills = 0, 0
local M <const> = {}
function M.update() n = n + 1 kills = kills + 2 end
function M.kills() return kills end
return M
]] }
    it.play(100)
    it.edit("main.lua", "local n, kills = 0, 0", "local n, kills = 0")
    it.play(10)
    spec.equal(it.main.kills(), 220)
    it.edit("main.lua", "n = n + 1", "n = n + nothing.x")
    it.play(1)
    it.went_back "main.lua"
    spec.equal(it.main.kills(), 222)
  end)
end)

-- }==

-- {== What stays ==============================================================

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
  local function speed(n) return ("return { speed = %d }"):format(n) end

  spec.test("an actor once in the list of its file, with its id", function()
    local it <close> = open { ["actor.lua"] = LISTED, ["config.lua"] = speed(1), ["main.lua"] = HERO }
    local actor <const>, hero <const> = require "actor", it.main.hero()
    for _ = 1, 4 do actor.new() end
    for i = 2, 4 do
      it.edit("config.lua", speed(i))
      it.edit("main.lua", "return M", "-- a remark\nreturn M")
      spec.equal({ { actor.last() }, it.main.hero() == hero, hero.id }, { { 5, 5 }, true, 1 })
    end
    it.edit("main.lua", "local M", "local cat <const> = actor.new()\nlocal M")
    spec.equal({ { actor.last() }, hero.id }, { { 6, 6 }, 1 })
  end)

  spec.test("what the game took out of a registry out of it", function()
    local it <close> = open { ["config.lua"] = speed(1), ["registry.lua"] = "return { list = {} }", ["main.lua"] =
      "local M <const> = { speed = require('config').speed }\nlocal registry <const> = require 'registry'\n"
      .. "registry.orc, registry.elf = { hp = 1 }, { hp = 2 }\ntable.insert(registry.list, 'a')\nreturn M" }
    local registry <const> = require "registry"
    registry.orc, registry.list[1] = nil, nil
    it.edit("config.lua", speed(2))
    it.edit("main.lua", "return M", "-- a remark\nreturn M")
    spec.equal({ registry.orc, #registry.list, registry.elf.hp, it.main.speed }, { nil, 0, 2, 2 })
  end)

  spec.test("a list without what the game took out of it; a new element comes behind", function()
    local WAVES <const> = "return { { hp = 1 }, { hp = 2 }, { hp = 3 }%s }"
    local it <close> = open { ["main.lua"] = WAVES:format "" }
    table.remove(it.main, 1)
    local second <const> = it.main[1]
    it.edit("main.lua", WAVES:format ", { hp = 4 }")
    spec.equal({ #it.main, it.main[1] == second, it.main[3].hp }, { 3, true, 4 })
    it.edit("main.lua", WAVES:format "")
    spec.equal({ #it.main, it.main[1] == second, it.main[2].hp }, { 2, true, 3 })
  end)

  spec.test("a value that was read from outside, where the game has set another since", function()
    _G.stored = 50
    local it <close> = open { ["main.lua"] = "local best = stored\nlocal M <const> = {}\n"
      .. "function M.best(v) best = v or best return best end\nreturn M" }
    it.main.best(70)
    _G.stored = 60
    it.edit("main.lua", "return M", "-- a remark\nreturn M")
    spec.equal(it.main.best(), 70)
  end)

  spec.test("a value that was read from outside, where nobody has set another", function()
    _G.outside, _G.storage = 50, function() return _G.outside end
    local it <close> = open { ["main.lua"] = "local best = storage()\nlocal SPEED <const> = 1\n"
      .. "return { best = function() return best end, speed = SPEED }" }
    _G.outside = 60
    local line <const> = it.edit("main.lua", "SPEED <const> = 1", "SPEED <const> = 2").line
    spec.equal({ it.main.best(), it.main.speed }, { 50, 2 })
    line_lacks(line, "best")
    it.edit("main.lua", "storage()", "storage() + 1")
    spec.equal(it.main.best(), 61)
  end)

  spec.test("a function from load(), which is new when its text is", function()
    local it <close> = open {
      ["main.lua"] = "local f = load('return 1', '=g')\nreturn { f = function() return f() end }" }
    it.edit("main.lua", "return 1", "return 2")
    spec.equal(it.main.f(), 2)
  end)
end)

-- }==

-- {== Timers ==================================================================

spec.describe("a timer that a file starts when it runs", function()
  local TIMED <const> = [[
local M <const> = { beats = 0, timer = false }
M.timer = pools_of_game:every(1 / 64, function() M.beats = M.beats + 1 end)
local other <const> = require "other"
function M.other() return other.n end
return M
]]
  local OTHER <const> = "return { n = 1 }"

  -- The game after `frames` frames, an edit, and as many again.
  local function play(frames, text, ...)
    local it <close> = open { ["main.lua"] = text, ["other.lua"] = OTHER }
    local timer <const> = it.main.timer
    it.play(frames)
    it.edit(...)
    it.play(frames)
    it.stays()
    return it.main, timer
  end

  for name, edit in pairs {
    ["goes on once when another file is edited"] = { "other.lua", "n = 1", "n = 2" },
    ["goes on once when something else in its file is edited"] = { "main.lua", "return other.n", "return -other.n" },
    ["goes on once when a timer before it is new"] =
      { "main.lua", "M.timer", "M.late = pools_of_game:every(1, print)\nM.timer" },
  } do
    spec.test(name, function()
      local main <const>, timer <const> = play(10, TIMED, table.unpack(edit))
      spec.equal({ main.beats, main.timer == timer, timer:stop() }, { 20, true, true })
    end)
  end

  spec.test("starts again with another time", function()
    local main <const>, timer <const> = play(8, TIMED, "main.lua", "1 / 64", "1 / 32")
    spec.equal({ main.beats, main.timer == timer, timer:stop() }, { 12, true, true })
  end)

  spec.test("is not started by a run that fails", function()
    local it <close> = open { ["main.lua"] = TIMED, ["other.lua"] = OTHER }
    it.play(10)
    it.save("other.lua", "return { n = 2 }")
    it.refuse("main.lua", "return M", "error 'no'")
    it.play(10)
    spec.equal(it.main.beats, 20)
  end)
end)

-- }==

-- {== Handlers ================================================================

spec.describe("handlers on a bus", function()
  local LISTS <const> = [[
local on <const> = {}
local M <const> = {}
function M.list(event) on[event] = on[event] or {} return on[event] end
function M.on(event, f) local list <const> = M.list(event) list[#list + 1] = f end
function M.fire(event) for _, f in ipairs(M.list(event)) do f() end end
return M
]]
  local KEYS <const> = "local on <const> = {}\nlocal M <const> = {}\nfunction M.on(_, f) on[f] = true end\n"
    .. "function M.fire() for f in pairs(on) do f() end end\nreturn M"
  local RECORDS <const> = "local all <const> = {}\nlocal M <const> = { all = all }\n"
    .. "function M.on(_, f) all[#all + 1] = { fun = f } end\n"
    .. "function M.fire() for _, r in ipairs(all) do r.fun() end end\nreturn M"

  -- A file with handlers of these names; each adds its name to `heard`.
  local function user(names, more)
    local lines <const> = { "local bus <const> = require 'bus'\nlocal M <const> = {}\n" }
    for name in names:gmatch "%a" do
      lines[#lines + 1] = ("local n%s = 0\nlocal function on_%s() heard = heard .. '%s' n%s = n%s + 1 end\n"
        .. "bus.on('hit', on_%s)\nfunction M.%s() return n%s end\n"):gsub("%%s", name)
    end
    return table.concat(lines) .. (more or "") .. "return M"
  end
  local function heard()
    _G.heard = ""
    require("bus").fire "hit"
    return _G.heard
  end

  spec.test("as keys: each runs once, and counts in the variable of its file", function()
    local it <close> = open { ["bus.lua"] = KEYS, ["main.lua"] = user "a" }
    spec.equal({ heard(), it.main.a() }, { "a", 1 })
    it.edit("main.lua", "return M", "-- a remark\nreturn M")
    spec.equal({ heard(), it.main.a() }, { "a", 2 })
    it.edit("bus.lua", "return M", "-- a remark\nreturn M")
    spec.equal({ heard(), it.main.a() }, { "a", 3 })
  end)

  spec.test("one that the game took off stays off when another file makes their table", function()
    local SETS <const> = "local on <const> = {}\nlocal M <const> = {}\n"
      .. "function M.on(event, f) on[event] = on[event] or {} on[event][f] = true end\n"
      .. "function M.off(event, f) on[event][f] = nil end\n"
      .. "function M.fire(event) for f in pairs(on[event]) do f() end end\nreturn M"
    local it <close> = open { ["bus.lua"] = SETS, ["lib.lua"] = user "",
      ["main.lua"] = "require 'lib'\n" .. user("a", "function M.off() bus.off('hit', on_a) end\n") }
    it.main.off()
    it.edit("lib.lua", user "b")
    spec.equal(heard(), "b")
  end)

  spec.test("a new one runs in place of another that the game took off", function()
    local it <close> = open { ["bus.lua"] = LISTS, ["main.lua"] = user "ab" }
    table.remove(require("bus").list "hit", 1)
    it.edit("main.lua", user "cb")
    spec.equal(#heard(), 2, _G.heard)
    it.edit("main.lua", user "b")
    spec.equal(heard(), "b")
  end)

  spec.test("a new one runs where the game took the only one off", function()
    local it <close> = open { ["bus.lua"] = LISTS, ["main.lua"] = user "a" }
    require("bus").list("hit")[1] = nil
    it.edit("main.lua", user "ab")
    spec.equal({ heard(), it.main.b() }, { "b", 1 })
  end)

  spec.test("those of others stay when the first one, for which the list was made, leaves the text", function()
    local it <close> = open { ["bus.lua"] = LISTS, ["util.lua"] = user "a", ["main.lua"] =
      user("b", "M.util = require 'util'\n"), ["later.lua"] = user "c" }
    require "later"
    spec.equal(heard(), "bac")
    it.edit("main.lua", user("", "M.util = require 'util'\n"))
    spec.equal({ heard(), it.main.util.a() }, { "ac", 2 })
    it.edit("main.lua", user("bd", "M.util = require 'util'\n"))
    local now <const> = heard()
    spec.equal({ #now, now:find "a" ~= nil, now:find "b" ~= nil, now:find "c" ~= nil, now:find "d" ~= nil },
      { 4, true, true, true, true })
  end)

  spec.test("records of a function: the one that leaves the text goes, where the game has removed another", function()
    local it <close> = open { ["bus.lua"] = RECORDS, ["main.lua"] = user "abc" }
    table.remove(require("bus").all, 2)
    it.edit("main.lua", user "bc")
    spec.equal({ heard(), it.main.c() }, { "c", 1 })
  end)
end)

-- }==

-- {== What is said ============================================================

spec.describe("reload.now() returns the result of its own call", function()
  local function value(n) return ("return { value = %s }"):format(n) end
  local FILES <const> = { ["a.lua"] = value(1), ["b.lua"] = value(1), ["main.lua"] = "require 'b' return require 'a'" }

  spec.test("beside a file that is gone", function()
    local it <close> = open(FILES)
    it.refuse("a.lua", "return {")
    spec.remove(it.folder .. "/b.lua")
    reload.now()
    for i = 2, 4 do
      it.edit("a.lua", value(i))
      spec.equal(require("a").value, i)
      line_has((it.refuse("a.lua", "return { value = ")), "a.lua")
    end
  end)

  spec.test("when a broken file is as it was, and one saved with it comes through", function()
    local it <close> = open(FILES)
    it.save("b.lua", value(2))
    it.refuse("a.lua", "return {")
    it.edit("a.lua", value(1))
    spec.equal(require("b").value, 2)
    it.refuse("b.lua", "return {")
    it.edit("b.lua", value(3))
  end)
end)

spec.describe("the line of a reload", function()
  -- Returns the line that a reload reports for an edit of main.lua.
  local function line_of(before, from, to, play)
    local it <close> = open { ["bus.lua"] = "return { on = {} }", ["main.lua"] = before }
    if play then play(it.main) end
    return it.edit("main.lua", from, to).line
  end

  spec.test("says what a renamed file-local throws away", function()
    local function text(name)
      return ("local entities = {}\nlocal M <const> = {}\nfunction M.add(x) entities[#entities + 1] = x end\nreturn M")
        :gsub("entities", name)
    end
    local line <const> = line_of(text "entities", text "entities", text "list", function(main)
      for i = 1, 20 do main.add(i) end
    end)
    line_has(line, "`entities`, 20 entries, is gone", "`list` is new: renamed?")
  end)

  spec.test("names a function that is added to a table of Lua's", function()
    local line <const> = line_of("return {}", "return", "function string.split(s) return { s } end\nreturn")
    line_has(line, "string.split")
    line_lacks(line, "nothing visible elsewhere")
  end)

  spec.test("knows of a handler that is added to a bus", function()
    local line <const> = line_of("local bus = require 'bus'\nreturn {}", "return", "bus.on[1] = function() end\nreturn")
    line_lacks(line, "nothing visible elsewhere")
  end)

  local LOOP <const> = [[
local M <const> = { n = 0 }
local function step() M.n = M.n + 1 end
function M.run() while true do step() coroutine.yield() end end
return M
]]
  spec.test("says what of a coroutine's code is new", function()
    local it <close> = open { ["main.lua"] = LOOP, ["other.lua"] = "return {}" }
    require "other"
    local co <const> = coroutine.wrap(it.main.run)
    co()
    line_lacks(it.edit("other.lua", "return {}", "return { n = 1 }").line, "coroutine")
    line_lacks(it.edit("main.lua", "M.n + 1", "M.n + 5").line, "coroutine")
    line_has(it.edit("main.lua", "step() co", "step() step() co").line,
      "1 suspended coroutine finishes with the old code; functions called from there are new")
    line_lacks(it.edit("main.lua", "M.n + 5", "M.n + 20").line, "coroutine")
    co()
    spec.equal(it.main.n, 21)
  end)
end)

-- }==
