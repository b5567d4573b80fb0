-- Classes: the Lua tables that subclass a pool. A class is identified by its name for as long as the program runs. Its
-- table has nothing but `super`, which every override reads; every other access goes through a store behind it, so that
-- each change is seen, checked, and applied to its pools. C calls `describe` for the flat description of a type.

local native <const> = ...
local names <const> = native.use "spawnpool.names"
local settings <const> = native.use "spawnpool.settings"
local description <const> = native.use "spawnpool.description"

local show <const>, hint <const>, keys_of <const>, text_of <const> = names.show, names.hint, names.of, names.text
local functions <const>, checks <const> = settings.functions, settings.checks

local classes <const> = { module = {} }
local records <const> = {} -- name -> { name, class, store, parent, settings }
local record_of <const> = setmetatable({}, { __mode = "k" }) -- class -> record
local record_of_store <const> = setmetatable({}, { __mode = "k" })
local loading <const> = {} -- paths of the class files that are running, innermost last; and name -> true
local declaring <const> = {} -- name -> true, while its parent is looked up
local tracker -- notified which class the running file declares, when files may run again; or nil
local staged -- while files run again: their changes, which reach the pools after all files have succeeded

-- `super` of a class without `extends`. All classes finally look names up in it, so it must not be given a metatable.
local Base <const> = setmetatable({ alloc = native.alloc, recycle = native.recycle }, {
  __name = "spawnpool.class",
  __metatable = "spawnpool.class",
})

for name, kind in next, settings.kinds do classes.module[name] = kind end
classes.module.tiles = native.use "spawnpool.tiles"

-- {== Declaring ============================================================

-- nil when there is no path, or no file can have that name.
local function file_of(name, path)
  return path and string.match(name, "^[%w_%-]+$") and (string.gsub(path, "%?", name))
end

local function find_file(name, path)
  local file <const> = file_of(name, path)
  if file then return native.load(file, name), file end
end

-- Adds the file's name to an error without a position (the call that raised it was a tail call).
local function run_file(chunk, name, path, file)
  loading[#loading + 1], loading[name] = path, true
  local done <const>, result <const> = pcall(chunk, name)
  loading[#loading], loading[name] = nil, nil
  if done then return result end
  if type(result) == "string" and not string.find(result, file, 1, true) then error(file .. ": " .. result, 0) end
  error(result, 0)
end

-- An assignment to `super` is not seen when it happens: the entry exists, because every override reads it. It is
-- undone, and returned as an error, when its file has run, at the next assignment to the class or when a pool is made
-- of it.
local function check_super(record)
  local class <const>, super <const> = record.class, record.store.super
  if rawequal(rawget(class, "super"), super) then return nil end
  rawset(class, "super", super)
  return string.format("class '%s': super is set by spawnpool.class; name another parent with extends", record.name)
end

-- Declares the class of a type from its file, if there is one. Returns its record, or nil and the error.
local function load_class(name, path)
  local chunk <const>, file <const> = find_file(name, path)
  if not chunk then return nil end
  if loading[name] then
    return nil, string.format("class '%s' is needed before its file, %s, has declared it", name, file)
  end
  local result <const> = run_file(chunk, name, path, file)
  local reassigned <const> = records[name] and check_super(records[name])
  if reassigned then return nil, string.format("%s: %s", file, reassigned) end
  if records[name] then return records[name] end
  local declared <const> = record_of[result]
  return nil, string.format("%s declares %s, not class '%s': a class file is named after its class", file,
    declared and string.format("class '%s'", declared.name) or "no class", name)
end

-- A class is looked up: the file that declares it may have to run first, and has been used.
local function need(name)
  if staged and not records[name] then staged.need(name) end
  if tracker and records[name] then tracker.found(name) end
end

local function find_parent(name, child)
  need(name)
  if records[name] then return records[name] end
  local path <const> = loading[#loading] or tracker and tracker.path() or native.path()
  local parent <const>, wrong <const> = load_class(name, path)
  if parent then return parent end
  error(wrong or string.format("class '%s' extends '%s', which is not declared%s", child, name,
    hint(name, keys_of(records))), 0)
end

local LINE_MOST <const> = 100 -- depth of inheritance; Lua follows chains of at most 2000

-- Returns the classes from `record` up to the first parent.
local function length_of_line(record)
  local count = 0
  while record do record, count = record.parent, count + 1 end
  return count
end

-- Returns the length of the longest chain of classes below a class of this name.
local function depth_below(name)
  local most = 0
  for _, other in next, records do
    local at, depth = other, 0
    while at and at.name ~= name do at, depth = at.parent, depth + 1 end
    if at and depth > most then most = depth end
  end
  return most
end

-- `extends` is a name or a class; the chain of parents must not contain the class itself.
local function check_parent(name, extends)
  if extends == nil then return nil end
  local parent = record_of[extends]
  if not parent and type(extends) ~= "string" then
    error(string.format("class '%s': extends must be the name of a class, got %s", name, show(extends)), 0)
  end
  if extends == name then error(string.format("class '%s' extends itself", name), 0) end
  if declaring[extends] and not loading[extends] then
    error(string.format("class '%s' extends itself, through '%s'", extends, name), 0)
  end
  declaring[name] = true
  parent = parent or find_parent(extends, name)
  declaring[name] = nil
  local at = parent
  while at do
    if at.name == name then error(string.format("class '%s' extends itself, through '%s'", name, parent.name), 0) end
    at = at.parent
  end
  local length <const> = length_of_line(parent) + 1 + (records[name] and depth_below(name) or 0)
  if length > LINE_MOST then
    local wrong <const> = "class '%s' has a chain of %d classes that extend each other; at most %d are allowed"
    error(string.format(wrong, name, length, LINE_MOST), 0)
  end
  return parent
end

-- Returns the record and all that descend from it, by name.
local function affected_by(record)
  local affected <const> = {}
  for name, other in next, records do
    local at = other
    while at do
      if at == record then affected[name] = true end
      at = at.parent
    end
  end
  return affected
end

-- Returns the error if class `name` had these settings and this parent: of the class itself, or of one that descends
-- from it.
local function check_clash(name, own, parent)
  local affected <const> = records[name] and affected_by(records[name]) or { [name] = true }
  for _, below in ipairs(keys_of(affected)) do
    local line <const> = {}
    local at = below == name and { name = name } or records[below]
    while at do
      local changed <const> = at.name == name
      line[#line + 1] = changed and own or at.settings
      at = changed and parent or (not changed and at.parent or nil)
    end
    local clash <const> = settings.clash_in(line)
    if clash then return string.format("class '%s': '%s' is both a field and a method", below, clash) end
  end
  return nil
end

-- Returns the error if only the setting `key` of a class changed.
local function check_change(record, key, value)
  if key ~= "fields" and key ~= "methods" then return nil end
  local own <const> = { fields = record.settings.fields, methods = record.settings.methods }
  own[key] = value
  return check_clash(record.name, own, record.parent)
    or (key == "fields" and settings.check_field_count(record.name, value, record.parent) or nil)
end

-- Checks an assignment to an existing class: constants are allowed, misspelled names are not.
local known_keys <const> = keys_of(checks, functions)

local function check_assignment(record, key, value)
  local reassigned <const> = check_super(record)
  if reassigned then return reassigned end
  if key == "extends" then return string.format("class '%s': extends is set by spawnpool.class", record.name) end
  if value == nil then return nil end
  if checks[key] or functions[key] or type(value) == "function" then
    return settings.check_entry(record.name, key, value) or check_change(record, key, value)
  end
  if type(key) ~= "string" or #key <= 3 then return nil end
  local near <const>, edits <const> = names.nearest(key, known_keys, 1)
  if near and edits == 1 then
    return string.format("class '%s' has no setting '%s' (did you mean '%s'?)", record.name, key, near)
  end
  return nil
end

-- }==

-- {== Following ============================================================

local function set_parent(record, parent)
  local super <const> = parent and parent.class or Base
  record.parent = parent
  record.store.super = super
  rawset(record.class, "super", super)
  setmetatable(record.store, { __index = super })
end

local function copy(entries)
  local result <const> = {}
  for key, value in next, entries do result[key] = value end
  return result
end

local function snapshot(record)
  local store <const> = record.store
  return { store = copy(store), settings = record.settings, parent = record.parent, meta = getmetatable(store) }
end

-- The pools of a class follow it at once, or after all files have succeeded.
local function tell(record, all)
  if staged then return end
  native.changed(affected_by(record), all)
end

-- Until `settle` or `unstage`, classes change without their pools. Before a class is looked up, needed(name) is called.
function classes.stage(needed) staged = { need = needed } end
function classes.unstage() staged = nil end

-- Settings are taken from the tables of these classes, and all pools follow. Returns the names of the changed classes
-- as keys, including those that extend them, and the number of fields that changed their kind.
function classes.settle(names_of)
  local all <const> = {}
  for name in next, names_of do
    local record <const> = records[name]
    for key in next, record and checks or {} do record.settings[key] = rawget(record.store, key) end
    for affected in next, record and affected_by(record) or {} do all[affected] = true end
  end
  return all, native.changed(all, true)
end

function classes.check_super(name) return records[name] and check_super(records[name]) end

function classes.track(functions_of_tracker) tracker = functions_of_tracker end

-- The roots of a program: the classes by name, and what all of them extend.
function classes.roots() return { records, Base } end

-- Tables of this file, which are no part of the game.
function classes.own_tables() return { classes, record_of, record_of_store, loading, declaring } end

-- Tables of classes are not data of the game.
function classes.not_entered()
  local set <const> = {}
  for _, record in next, records do set[record.class] = true end
  return set
end

-- The name of the class whose entries are in `store`, or nil.
function classes.name_of_store(store) return record_of_store[store] and record_of_store[store].name end

-- The name of the class that a table is a part of, or nil.
function classes.name_of(thing)
  local record <const> = record_of[thing] or record_of_store[thing] or record_of_store[rawget(thing, "store")]
  return record and record.name
end

function classes.find(name) return records[name] and records[name].class end

function classes.names() return keys_of(records) end

function classes.store(name) return records[name] and records[name].store end

function classes.parent_of(name) return records[name] and records[name].parent and records[name].parent.name end

-- }==

-- {== The tables ==========================================================

local Class <const> = { __name = "spawnpool.class" }

local function assign(record, key, value)
  record.store[key] = value
  if checks[key] then record.settings[key] = value end
  if checks[key] or functions[key] then tell(record, checks[key] ~= nil) end
end

-- If the pools cannot follow, the class is restored as well.
local function assign_or_restore(record, key, value)
  local entry <const>, setting <const> = rawget(record.store, key), record.settings[key]
  local done <const>, wrong <const> = pcall(assign, record, key, value)
  if done then return end
  record.store[key], record.settings[key] = entry, setting
  error(wrong, 0)
end

local function new_record(name)
  local store <const> = {}
  local meta <const> = {
    __index = store, -- the first key of a table is found fastest
    __name = Class.__name,
    __metatable = Class.__name,
    __tostring = function() return string.format("class %s", name) end,
    -- Hides the store.
    __pairs = function(class) return function(_, key) return next(store, key) end, class, nil end,
  }
  local record <const> = { name = name, store = store, settings = {}, source = native.running_file() }
  function meta.__newindex(_, key, value)
    local wrong <const> = check_assignment(record, key, value)
    if wrong then error(wrong, 2) end
    assign_or_restore(record, key, value)
  end
  record.class = setmetatable({}, meta)
  record_of[record.class], record_of_store[store] = record, record
  return record
end

-- Entries of the former definition are removed last, after all pools have followed: until then each step can be undone
-- without memory.
local function apply_definition(record, definition, parent)
  local former <const>, own <const> = record.settings, {}
  for key, value in pairs(definition) do
    if checks[key] then own[key] = value end
  end
  set_parent(record, parent)
  for key, value in pairs(definition) do record.store[key] = value end
  record.settings = own
  records[record.name] = record
  tell(record, true)
  for key in pairs(former) do
    if own[key] == nil then record.store[key] = nil end
  end
end

-- Needs no memory.
local function take_back(record, before)
  setmetatable(record.store, before.meta)
  for key in next, record.store do record.store[key] = before.store[key] end
  record.settings, record.parent = before.settings, before.parent
  rawset(record.class, "super", record.store.super)
end

local function define(name, definition, parent)
  local record <const> = records[name] or new_record(name)
  local before <const> = records[name] and snapshot(record)
  if tracker then tracker.declared(name) end
  local done <const>, wrong <const> = pcall(apply_definition, record, definition, parent)
  if done then return record.class end
  if before then
    take_back(record, before)
  else
    records[name], record_of[record.class] = nil, nil
  end
  error(wrong, 0)
end

local function declare(name, definition)
  if type(name) ~= "string" or name == "" or #name > 200 or string.find(name, "\0") then
    error(string.format("a class needs a name of 1 to 200 characters, got %s", show(name)), 0)
  end
  if definition == nil then need(name) end
  if definition == nil and records[name] then return records[name].class end
  if definition ~= nil and type(definition) ~= "table" then
    error(string.format("class '%s': the definition must be a table, got %s", name, show(definition)), 0)
  end
  if definition == nil and not loading[name] and not (tracker and tracker.declares(name)) then
    local found <const>, wrong <const> = load_class(name, loading[#loading] or native.path())
    if wrong then error(wrong, 0) end
    if found then return found.class end
  end
  definition = definition or {}
  settings.check_definition(name, definition)
  local parent <const> = check_parent(name, definition.extends)
  local too_many <const> = settings.check_field_count(name, definition.fields, parent)
  if too_many then error(too_many, 0) end
  local clash <const> = check_clash(name, definition, parent)
  if clash then error(clash, 0) end
  return define(name, definition, parent)
end

---@param name string
---@param definition? table
function classes.module.class(name, definition)
  local done <const>, result <const> = pcall(declare, name, definition)
  if done then return result end
  if type(name) == "string" then declaring[name] = nil end
  error(result, 2)
end

-- Files that declared classes are no longer loaded: a test that requires them has classes again.
local function unload(package, sources)
  for name in pairs(package.loaded) do
    local file <const> = type(name) == "string" and package.searchpath(name, package.path)
    if sources[file] then package.loaded[name] = nil end
  end
end

function classes.module.reset()
  local pools <const>, types <const>, package <const> = native.default_pools()
  if not pools then error("reset is for programs that require spawnpool themselves, with open default pools", 2) end
  for _, name in ipairs(types) do pools:remove(name) end
  local fresh <close> = native.new_pools()
  pools:restore(fresh:snapshot()) -- the clock and its own timers begin again, too
  local sources <const> = {}
  for name, record in next, records do
    if record.source then sources[record.source] = true end
    records[name], record_of[record.class] = nil, nil
  end
  unload(package, sources)
end

-- }==

-- {== Functions called from C ==============================================

local function warn_unknown(name, path)
  local near <const> = hint(name, keys_of(records))
  local file <const> = file_of(name, path)
  local where <const> = file and ", no " .. file or ""
  return string.format("unknown type '%s' (no class of that name%s)%s", name, where, near)
end

-- Returns the flat description of a type, or nil and the error.
function classes.describe(name, path, strict)
  need(name)
  local record, wrong = records[name], nil
  if not record then record, wrong = load_class(name, path) end
  wrong = wrong or record and check_super(record)
  if wrong then return nil, wrong end
  if not record then
    local own <const> = description.of_builtin(name)
    if own then return description.add_scales(name, own) end
    if strict then return nil, warn_unknown(name, path) end
    if not description.is_scaled(name) then native.warn(warn_unknown(name, path) .. ": it gets the generic pool") end
    return description.add_scales(name, description.empty())
  end
  return description.of(record, Base)
end

-- Gives the objects of a type the fields scale_x and scale_y; raises when they find no room.
function classes.scale(name)
  description.scale(name, true)
  local done <const>, wrong <const> = pcall(native.changed, { [name] = true }, true)
  if done then return end
  description.scale(name, nil)
  error(wrong, 0)
end

function classes.is_class(value)
  return record_of[value] ~= nil
end

function classes.is_a(name, class)
  local wanted <const> = record_of[class] and record_of[class].name or class
  local at = records[name]
  while at do
    if at.name == wanted then return true end
    at = at.parent
  end
  return name == wanted
end

function classes.in_group(name, group)
  local record <const> = records[name]
  return record ~= nil and record.class.group == group
end

function classes.unknown_field(type_name, key, candidates)
  table.sort(candidates)
  return string.format("%s has no field '%s'%s", type_name, text_of(key), hint(key, candidates))
end

function classes.unknown_member(key, methods)
  return string.format("pools have no field '%s'%s", key, hint(key, keys_of(methods, settings.names_of "Manager")))
end

classes.options = settings.options

-- }==

return classes
