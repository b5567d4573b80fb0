-- The editor annotations of the library against the library, both ways: a name that only one of them has is an error.
-- Functions are those of the tables of what a game can reach, fields those of the rows of the binding. The running
-- library is asked where it can tell; names that are branches in C code are read from the sources.
local spec <const> = require "spec"
spec.ignores_collector "it reads files"
local annotations <const> = require "annotations"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local annotated <const> = annotations.read()

-- {== What there is =========================================================

local function read(file) return assert(io.open(file)):read "a" end

-- Adds all that `pattern` captures in a source file, from `from` on up to `to`, plain texts.
local function add_source(out, source)
  local file <const>, pattern <const>, from <const>, to <const> = table.unpack(source)
  local text <const> = read(file)
  local first <const> = from and assert(text:find(from, 1, true), file .. ": no " .. from) or 1
  local last <const> = to and assert(text:find(to, first, true), file .. ": no " .. to) or #text
  local count = 0
  for name in text:sub(first, last):gmatch(pattern) do
    out[name], count = true, count + 1
  end
  spec.equal(count > 0, true, file .. ": nothing like " .. pattern)
  return out
end

local function add(out, names)
  for name in pairs(names) do out[name] = true end
  return out
end

local function words(text)
  local out <const> = {}
  for word in (text or ""):gmatch "%a[%w_]*" do out[word] = true end
  return out
end

-- By class: the owner of its functions.
local FUNCTIONS <const> = {
  spawnpool = "spawnpool", Manager = "pools", Pool = "pool", Object = "object", Timer = "timer", Map = "tiles",
  Class = "super", Graphics = "g", View = "view", Input = "input", Gamepad = "pad", Storage = "storage",
  Audio = "audio", Stream = "stream",
}
local reachable <const> = read "src/script/bind/members.h" .. read "demo/bind/reachable.h"
local rows_of <const> = kit.kept "rows".rows

-- The fields of a map but for tables that only the library reads; and others that no row has.
local function more_names(pools)
  local map <const> = add({}, spawnpool.tiles { size = 1, rows = { "#" }, sheet = "a" })
  map.shown, map.solids = nil, nil
  return {
    spawnpool = add(words "input view window storage audio gc_budget", spawnpool), -- the player's parts
    reload = require "spawnpool.reload", Map = map, Class = words "super", Leak = pools:leaks()[1],
    Stats = add(pools:stats(), pools:pool("Cube"):stats()), Gamepad = words "connected",
  }
end

local COMPARED <const> = 'strcmp%(%a+, "([%w_]+)"%)'
local SOURCES <const> = {
  PoolFilter = { { "src/script/bind/query.c", COMPARED } },
  PrewarmOptions = { { "src/script/bind/pool.c", COMPARED, "prewarming check_prewarm_options", "\n}" } },
  Tiles = { { "lua/spawnpool/tiles.lua", '"([%w_]+)"', "ENTRIES <const> = {", "}" } },
  Graphics = { { "demo/bind/reachable.c", '%[FIELD_[%u_]+%] = "([%w_]+)"' } },
  Window = { { "demo/bind/module_lua.c", '%[FIELD_[%u_]+%] = "([%w_]+)"' } },
  View = { { "demo/bind/view_lua.c", COMPARED } },
  PlayOptions = { { "demo/bind/audio_lua.c", '{"([%w_]+)", LUA_T' } },
  MusicOptions = { { "demo/bind/audio_lua.c", '{"([%w_]+)", LUA_T[^}]*false}' } },
  Voice = { { "lua/spawnpool/description.lua", "([%w_]+) = [^{]", "fields = {", "}" } },
  Game = {
    { "lua/spawnpool/callbacks.lua", '"([%l_]+)"', "NAMES = {", "}" },
    { "lua/spawnpool/callbacks.lua", "([%l_]+) =", "SETTINGS = {", "}" },
  },
}
local CALLED <const> = {
  { "demo/app/game.c", '%[INPUT_[%u_]+%] = "([%w_]+)"' },
  { "demo/app/game.c", 'sp_script_[%w_]+%(it%->script, "([%w_]+)"' },
}

-- }==

-- Names the ones that are missing on either side.
local function compare(what, notes, real)
  spec.equal(kit.only_in(real, notes), "", ("what %s has and no annotation names"):format(what))
  spec.equal(kit.only_in(notes, real), "", ("what annotations of %s name and it has not"):format(what))
end

kit.test("the annotations name all of the library and of the player, and nothing else", {}, function(pools)
  pools:alloc "Cube"
  local more <const>, count = more_names(pools), 0
  for class, notes in pairs(annotated.names) do
    local name <const> = class:gsub("^spawnpool%.", "")
    local real <const> = add({}, more[name] or {})
    for function_name in reachable:gmatch("X%(" .. (FUNCTIONS[name] or "%-") .. ", (%l[%w_]*),") do
      real[function_name] = true
    end
    for _, row in ipairs(rows_of(name) or {}) do real[row.name] = true end
    for _, source in ipairs(SOURCES[name] or {}) do add_source(real, source) end
    if next(real) then
      compare(class, notes, real)
      count = count + 1
    end
  end
  spec.equal(count > 24, true, count)
  local called <const> = add_source(add_source(words "load", CALLED[1]), CALLED[2])
  spec.equal(kit.only_in(add_source({}, SOURCES.Game[1]), called), "", "callbacks that nothing calls")
  spec.equal(kit.only_in(called, annotated.names["spawnpool.Game"]), "", "unknown callbacks that are called")
end)

-- `make api RENEW=1` writes them.
spec.test("the tables of the manual say what the rows of the binding say", function()
  spec.equal(table.concat(require "annotate".check(), " "), "")
end)

spec.test("the annotations name every reason", function()
  local header <const>, aliases <const> = "src/core/spawnpool.h", annotated.words
  local results <const> = add_source({}, { header, 'X%([%u_]+, "([%w_]+)",', "define SP_RESULTS", "typedef" })
  results.prewarmed = true -- the binding's own, for a lifetime below 0
  compare("ends of lives", aliases["spawnpool.Why"],
    add_source({}, { "src/core/spawnpool_desc.h", 'X%([%u_]+, "([%w_]+)"%)', "define SP_WHYS", "typedef" }))
  for _, alias in ipairs { "spawnpool.Refusal", "spawnpool.Failure", "spawnpool.SaveFailure" } do
    spec.equal(kit.only_in(aliases[alias], results), "", alias)
  end
  for _, row in ipairs(rows_of "Definition") do
    if row.check == "overflow" then compare("overflow", aliases["spawnpool.Overflow"], words(row.words)) end
  end
end)

spec.test("the annotations have the parameters of each function, name no unknown type, and are no code", function()
  spec.equal({ annotated.wrong, kit.only_in(annotated.used, annotated.declared) }, { {}, "" })
  for _, file in ipairs(annotations.FILES) do assert(loadfile(file, "t")) end
  spec.expect_error("module 'spawnpool.meta' not found", require, "spawnpool.meta")
end)
