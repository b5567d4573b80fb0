-- The part of the random test that edits a class while it is in use, in a manager of its own: values of live objects
-- and file-locals stay, `live` fields follow, and what does not load changes nothing.
local model <const> = require "model"
local ops <const> = require("model_ops").list
local worlds <const> = require "reload_world"
local reload <const> = require "spawnpool.reload"
local spawnpool <const> = require "spawnpool"

local random <const>, expect <const>, same <const> = model.random, model.expect, model.same

local SOURCE <const> = [[
local spawnpool <const> = require "spawnpool"
local count = 0
local Edited <const> = spawnpool.class("Edited", {
  fields = { v = %d, tune = spawnpool.live(%d), k = spawnpool.keep(0), %s = 1 },
})
function Edited:on_spawn(o) count = count + 1 o.k = o.k + 1 end
function Edited.told() return %d, count end
return Edited]]

local edited = nil -- the state of this part

local function source(version)
  return SOURCE:format(version, version, version % 2 == 0 and "even" or "odd", version)
end

local function open()
  local folder <const> = worlds.folder()
  worlds.write(folder, "Edited.lua", source(1))
  reload.watch(folder)
  edited = { folder = folder, version = 1, spawned = 0, lives = {}, order = {} }
  edited.pools = spawnpool.new { path = folder .. "/?.lua", misuse = "ignore" }
end

function model.close_edited()
  if not edited then return end
  reload.unwatch()
  edited.pools:close()
  worlds.remove(edited.folder)
  edited = nil
end

local function check()
  local version <const>, count <const> = spawnpool.class("Edited").told()
  same(version, edited.version, "version")
  same(count, edited.spawned, "a file-local")
  for _, rec in ipairs(edited.order) do
    same(rec.o.v, rec.v, "v of %s", rec.o)
    same(rec.o.tune, edited.version, "tune of %s", rec.o)
    same(rec.o[version % 2 == 0 and "even" or "odd"], 1, "the new field of %s", rec.o)
  end
  same(#edited.order == 0 and 0 or edited.pools:pool("Edited").live, #edited.order, "live")
end

function ops.edited()
  if not edited then open() end
  local list <const> = edited.order
  if #list < 20 and random(3) > 0 then
    local o <const> = edited.pools:alloc "Edited"
    edited.spawned = edited.spawned + 1
    list[#list + 1] = { o = o, v = edited.version }
  elseif #list > 0 then
    local rec <const> = table.remove(list, random(#list) + 1)
    expect(rec.o:recycle(), "%s stays", rec.o)
  end
  if edited.spawned > 0 then check() end
end

-- A file that is broken in one of three ways, or a good one of the next version. Hooks may ask for it too.
function ops.reload()
  if random(20) ~= 0 or not edited or edited.spawned == 0 then return end
  local broken <const> = model.pick(nil, nil, nil, "return return", "error 'on purpose'", "return 5 +")
  local next_version <const> = edited.version + 1
  worlds.write(edited.folder, "Edited.lua", (broken and broken .. " -- " .. next_version) or source(next_version))
  local result <const> = reload.now()
  expect(result and result.ok == not broken, "reload of %s: %s", broken, result and (result.error or result.line))
  if not broken then edited.version = next_version end
  check()
end

return ops
