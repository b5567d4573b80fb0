-- The editor annotations of the library against the library, both ways: a name that only one of them has is
-- an error. The running library is asked where it can tell; names that are branches in C code, or that only the player
-- has, are read from the sources.
local spec <const> = require "spec"
spec.ignores_collector "it reads files"
local annotations <const> = require "annotations"
local kit <const> = require "kit"
local spawnpool <const> = require "spawnpool"

local annotated <const> = annotations.read()

-- {== What there is =========================================================

local function set(list)
  local out <const> = {}
  for _, name in ipairs(list) do out[name] = true end
  return out
end

local function keys(...)
  local out <const> = {}
  for _, t in ipairs { ... } do
    for name in pairs(t) do out[name] = true end
  end
  return out
end

-- All that `pattern` captures in a source file, from `from` on up to `to`, plain texts.
local function in_source(file, pattern, from, to)
  local text <const> = assert(io.open(file)):read "a"
  local first <const> = from and assert(text:find(from, 1, true), file .. ": no " .. from) or 1
  local last <const> = to and assert(text:find(to, first, true), file .. ": no " .. to) or #text
  local out <const> = {}
  for name in text:sub(first, last):gmatch(pattern) do out[name] = true end
  spec.equal(next(out) ~= nil, true, file .. ": nothing like " .. pattern)
  return out
end

local COMPARED <const> = 'strcmp%(key, "([%w_]+)"%)'

-- The methods of an owner in the table of what a game can reach.
local function reachable(file, owner) return in_source(file, "X%(" .. owner .. ", (%l[%w_]*),") end

local function methods_of(userdata)
  return keys(debug.getmetatable(userdata).__index)
end

-- The names of an object are those that the hint for a wrong one chooses from.
local function names_of(object)
  local classes <const> = kit.kept "unknown_field"
  local real <const> = classes.unknown_field
  local out
  classes.unknown_field = function(type_name, key, candidates)
    out = set(candidates)
    return real(type_name, key, candidates)
  end
  pcall(function() return object.no_such_field end)
  classes.unknown_field = real
  return out
end

local function settings() return kit.kept "spawnpool.settings"["spawnpool.settings"] end

-- The methods of a map of tiles, and its entries but for tables that only the library reads.
local function map_names()
  local map <const> = spawnpool.tiles { size = 1, rows = { "#" }, sheet = "a" }
  local out <const> = keys(map, debug.getmetatable(map).__index)
  out.shown, out.solids = nil, nil
  return out
end

local rows_of <const> = kit.kept "rows".rows

local function named_by_rows(owner)
  local out <const> = {}
  for _, row in ipairs(rows_of(owner)) do out[row.name] = true end
  return out
end

-- }==

-- {== Comparing =============================================================

-- Names the ones that are missing on either side.
local function compare(what, notes, real)
  spec.equal(kit.only_in(real, notes), "", ("what %s has and no annotation names"):format(what))
  spec.equal(kit.only_in(notes, real), "", ("what annotations of %s name and it has not"):format(what))
end

-- }==

kit.test("the annotations name all of the library, and nothing else", { animation = {} }, function(pools)
  local BIND <const> = "src/script/bind/"
  local o <const>, pool <const>, it <const> = pools:alloc "Cube", pools:pool "Cube", settings()
  local module <const> = keys(spawnpool)
  for _, name in ipairs { "input", "view", "window", "quit", "storage", "audio", "gc_budget" } do
    module[name] = true -- from the player
  end
  for class, real in pairs {
    [""] = module, reload = keys((require "spawnpool.reload")),
    Options = named_by_rows "Options",
    Manager = keys(methods_of(pools), named_by_rows "Manager"),
    Stats = keys(pools:stats(), pool:stats()), Leak = keys(pools:leaks()[1]),
    PoolFilter = in_source(BIND .. "query.c", COMPARED),
    Map = map_names(), Tiles = in_source("lua/spawnpool/tiles.lua", '"([%w_]+)"', "ENTRIES <const> = {", "}"),
    Timer = reachable(BIND .. "members.h", "timer"),
    Pool = keys(methods_of(pool), named_by_rows "Pool"),
    PrewarmOptions = in_source(BIND .. "pool.c", COMPARED, "prewarming check_prewarm_options", "\n}"),
    Object = names_of(o), Definition = keys(it.checks), Hooks = keys(it.functions),
    Class = set { "super", "alloc", "recycle" },
  } do
    local name <const> = class == "" and "spawnpool" or "spawnpool." .. class
    compare(name, annotated.names[name], real)
  end
end)

-- `make api RENEW=1` writes them.
spec.test("the tables of the manual say what the rows of the binding say", function()
  spec.equal(table.concat(require "annotate".check(), " "), "")
end)

kit.test("every field of pools and managers that a row has can be read", {}, function(pools)
  local pool <const> = pools:pool "Cube"
  for _, row in ipairs(rows_of "Pool") do
    if row.check == "limit" then pool[row.name] = 3 end -- nil when there is none
    spec.equal({ row.name, pool[row.name] ~= nil }, { row.name, true })
  end
  for name in pairs(named_by_rows "Manager") do spec.equal({ name, pools[name] ~= nil }, { name, true }) end
end)

spec.test("the annotations name every reason", function()
  local header <const> = "src/core/spawnpool.h"
  local results <const> = in_source(header, 'X%([%u_]+, "([%w_]+)",', "define SP_RESULTS", "typedef")
  results.prewarmed = true -- the binding's own, for a lifetime below 0
  compare("ends of lives", annotated.words["spawnpool.Why"],
    in_source(header, 'X%([%u_]+, "([%w_]+)"%)', "define SP_WHYS", "typedef"))
  for _, alias in ipairs { "spawnpool.Refusal", "spawnpool.Failure", "spawnpool.SaveFailure" } do
    spec.equal(kit.only_in(annotated.words[alias], results), "", alias)
  end
  for _, row in ipairs(rows_of "Definition") do
    local words <const> = {}
    for word in (row.check == "overflow" and row.words or ""):gmatch "%a+" do words[word] = true end
    if next(words) then compare("overflow", annotated.words["spawnpool.Overflow"], words) end
  end
end)

spec.test("the annotations name all that the player adds", function()
  local function functions_of(part) return reachable("demo/bind/reachable.h", part) end
  local options <const> = in_source("demo/bind/audio_lua.c", '{"([%w_]+)", LUA_T')
  local for_music <const> = keys(options)
  for_music.pan, for_music.pinned = nil, nil
  local fields <const> = in_source("lua/spawnpool/description.lua", "([%w_]+) = ", "fields = {", "}")
  fields.fields = nil
  local calls <const> = keys(in_source("demo/app/game.c", '%[INPUT_[%u_]+%] = "([%w_]+)"'),
    in_source("demo/app/game.c", 'sp_script_[%w_]+%(it%->script, "([%w_]+)"'), { load = true })
  local read <const> = in_source("lua/spawnpool/callbacks.lua", '"([%l_]+)"', "NAMES = {", "}")
  local settings_read <const> = in_source("lua/spawnpool/callbacks.lua", "([%l_]+) =", "SETTINGS = {", "}")
  for class, real in pairs {
    Graphics = keys(functions_of "g", in_source("demo/bind/reachable.c", '%[FIELD_[%u_]+%] = "([%w_]+)"')),
    Storage = functions_of "storage", Input = functions_of "input", Audio = functions_of "audio",
    PlayOptions = options, MusicOptions = for_music, Voice = fields, Game = keys(calls, settings_read),
    Window = in_source("demo/bind/module_lua.c", '%[FIELD_[%u_]+%] = "([%w_]+)"'),
    View = keys(functions_of "view", in_source("demo/bind/view_lua.c", 'strcmp%(name, "([%w_]+)"%)')),
  } do compare(class, annotated.names["spawnpool." .. class], real) end
  compare("callbacks.lua", keys(read, settings_read), keys(calls, settings_read))
end)

spec.test("the annotations say something of every field, parameter and result, name no unknown type, and are no code",
  function()
  local nothing <const> = { "reload.patience", "reload.no_signal", "reload.watch", "reload.unwatch" }
  table.sort(nothing)
  table.sort(annotated.functions)
  spec.equal({ annotated.plain, annotated.functions }, { {}, nothing })
  spec.equal(kit.only_in(annotated.used, annotated.declared), "")
  for _, file in ipairs(annotations.FILES) do assert(loadfile(file, "t")) end
  spec.expect_error("module 'spawnpool.meta' not found", require, "spawnpool.meta")
end)
