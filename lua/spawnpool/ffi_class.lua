-- Classes and their pools, for LuaJIT. The build embeds this file in ffi.lua, which calls it with the table `host`.
local host = ...
local module, ffi, C, Manager, Pool = host.module, host.ffi, host.C, host.Manager, host.Pool
local columns, indexes, readers, sprite_number = host.columns, host.indexes, host.readers, host.sprite_number
local fail, closed, show, names_of, is_float = host.fail, host.closed, host.show, host.names_of, host.is_float
local result, text_of, address_t = host.result, host.text_of, host.address_t
local floor, huge, cast = math.floor, math.huge, ffi.cast
local UNLIMITED, FIELDS = 0xffffffff, tonumber(C.SP_FIELDS)

local classes = {}

-- {== Settings ===============================================================

-- For each setting: its member of sp_pool_desc, its check, the range of an integer, whether pools have it, its words.
-- `make api RENEW=1` writes these tables from the rows of the binding.
-- rows: Definition
local rows = {
  prealloc = { "settings.prealloc", "count", low = 0, high = 16777216 },
  order = { "settings.order", "word", words = { compact = 0, fifo = 1, lifo = 2 } },
  limit = { "settings.limit", "limit", low = 0, high = 16777216, pool = true },
  idle_limit = { "settings.idle_limit", "limit", low = 0, high = 16777216, pool = true },
  grow = { "settings.grow", "count", low = 1, high = 16777216, pool = true },
  overflow = { "settings.overflow", "overflow", pool = true, words = { refuse = 0, oldest = 1, grow = 2, error = 0 } },
  on_parent_end = { "on_parent_end", "word", words = { recycle = 0, detach = 1 } }, x = { "x", "number" },
  y = { "y", "number" }, vx = { "vx", "number" }, vy = { "vy", "number" }, ax = { "ax", "number" },
  ay = { "ay", "number" }, angle = { "angle", "number" }, spin = { "spin", "number" },
  radius = { "look.radius", "number" }, scale = { "look.scale", "number" }, r = { "look.r", "number" },
  g = { "look.g", "number" }, b = { "look.b", "number" }, a = { "look.a", "number" },
  layer = { "look.layer", "layer", low = -32768, high = 32767 }, sprite = { "look.sprite", "string" },
  visible = { "look.visible", "boolean" },
}
-- rows: Motion
local motion = {
  gravity = { "motion.gravity", "number" }, drag = { "motion.drag", "not_negative" },
  face_velocity = { "motion.face_velocity", "boolean" },
}
-- rows: Bounds
local bounds = {
  x = { "bounds.x", "number" }, y = { "bounds.y", "number" }, w = { "bounds.w", "positive" },
  h = { "bounds.h", "positive" },
  outside = { "bounds.outside", "word", words = { recycle = 1, wrap = 2, bounce = 3, clamp = 4 } },
}
-- rows: Box
local box = {
  w = { "box.w", "positive" }, h = { "box.h", "positive" },
}
-- end of rows

classes.rows = rows
local PARTS = { motion = motion, bounds = bounds, box = box }
local OTHERS = { motion = "table", bounds = "table", box = "table", over_life = "table", fields = "table",
  group = "string", alloc = "function", recycle = "function", scale_x = "number", scale_y = "number", blend = "string" }
local SCALES, BLENDS = { "scale_x", "scale_y" }, { add = true, alpha = true }
local TYPES = { string = "string", boolean = "boolean" }
local function is_uncalled(key) return type(key) == "string" and (key:find "^on_" ~= nil or key == "update") end

-- Returns nil, or what the value of a setting must be. C checks the rest.
function classes.wrong_with(row, value)
  local check, words = row[2], row.words
  if check == "limit" and value == huge or check == "overflow" and type(value) == "function" then
    return nil
  elseif words then
    return not words[value] and "must be " .. names_of(words) or nil
  elseif TYPES[check] then
    return type(value) ~= TYPES[check] and "must be a " .. TYPES[check] or nil
  elseif row.low then
    local fits = is_float(value) and floor(value) == value and value >= row.low and value <= row.high
    return not fits and ("must be an integer from %d to %d"):format(row.low, row.high) or nil
  end
  return not is_float(value) and "must be a finite number" or nil
end

local function wrong_with_other(key, value)
  if key == "blend" then return not BLENDS[value] and "must be " .. names_of(BLENDS) or nil end
  if OTHERS[key] == "number" then return not is_float(value) and "must be a finite number" or nil end
  return type(value) ~= OTHERS[key] and "must be a " .. OTHERS[key] or nil
end

local function check_setting(class, key, value)
  local row, other = rows[key], OTHERS[key]
  if is_uncalled(key) and not row then
    fail("class '%s': %s is not called by C: pools:ended() tells what ended", class, key)
  end
  if not row and not other and key ~= "extends" then
    fail("class '%s' has no setting %s, but %s", class, show(key), names_of(rows, OTHERS))
  end
  local wrong = row and classes.wrong_with(row, value) or other and wrong_with_other(key, value)
  if wrong then fail("class '%s': %s %s, got %s", class, key, wrong, show(value)) end
end

local Kind = {}
local function kind(name)
  return function(value) return setmetatable({ kind = name, value = value }, Kind) end
end
module.keep, module.live, module.ref = kind "keep", kind "live", kind "ref" ()

-- Writes a setting into a description. Functions stay in Lua.
local function put(class, desc, row, key, value)
  local wrong = not row and "is no part of it" or classes.wrong_with(row, value)
  if wrong then fail("class '%s': %s %s, got %s", class, tostring(key), wrong, show(value)) end
  if row[2] == "limit" then
    value = value == huge and UNLIMITED or value
  elseif row[2] == "string" then
    value = sprite_number(value)
  end
  local part, member = row[1]:match "^([%w_]+)%.([%w_]+)$"
  local to = part and desc[part] or desc
  if type(value) ~= "function" then to[member or row[1]] = row.words and row.words[value] or value end
end

local function check_field(class, name, value, default)
  if type(name) ~= "string" or rows[name] or readers[name] then
    fail("class '%s': a field cannot be called %s: that is no word, or built in", class, show(name))
  end
  if value ~= module.ref and type(default) ~= "number" and type(default) ~= "boolean" then
    fail("class '%s': field '%s' holds a number, a boolean or a ref (others: a table of your own, by object), got %s",
      class, name, show(default))
  end
end

-- Collects the settings of a class and its parents, and their fields, those of parents first.
local function gather(class, all, fields)
  if class.parent then gather(class.parent, all, fields) end
  for key, value in pairs(class.settings) do all[key] = value end
  local names, first = class.settings.fields or {}, #fields + 1
  for name, value in pairs(names) do
    local is_kind = getmetatable(value) == Kind
    local field = fields[name] or { name = name }
    field.kind, field.default = is_kind and value.kind, value
    if is_kind then field.default = value.value end
    check_field(class.name, name, value, field.default)
    field.is_ref, field.is_boolean = value == module.ref, type(field.default) == "boolean"
    if not fields[name] then fields[#fields + 1] = field end
    fields[name] = field
  end
  local own = { unpack(fields, first) }
  table.sort(own, function(a, b) return a.name < b.name end)
  for i, field in ipairs(own) do
    fields[first + i - 1] = field
    field.column = FIELDS + first + i - 2
  end
  return all, fields
end

local function fill_fields(desc, fields)
  local list, values = ffi.new("sp_field[?]", #fields + 1), ffi.new("double[?]", #fields + 1)
  for i, field in ipairs(fields) do
    local it = list[i - 1]
    it.name, it.size, it.keep, it.live, it.ref = field.name, 8, field.kind == "keep", field.kind == "live", field.is_ref
    if not field.is_ref then values[i - 1] = field.is_boolean and (field.default and 1 or 0) or field.default end
    it.initial = values + (i - 1)
  end
  desc.fields, desc.field_count = list, #fields
  return { list, values }
end

local function fill_curves(class, desc, over_life)
  local list, count = ffi.new "sp_curve[16]", 0
  for name, points in pairs(over_life) do
    if not columns[name] then fail("class '%s': over_life: %s is none of %s", class, show(name), names_of(columns)) end
    local length = type(points) == "table" and #points
    local curve = { column = columns[name], offset = indexes[name] * 4, count = length, points = points }
    if not pcall(function() list[count] = curve end) then
      fail("class '%s': over_life.%s must list 2 to 8 numbers, got %s", class, name, show(points))
    end
    count = count + 1
  end
  desc.curves, desc.curve_count = list, count
  return list
end

-- Objects have the fields scale_x and scale_y, both, from the first use of one of them on.
local function add_scales(class, all, fields)
  local is_scaled = all.scale_x or all.scale_y
  while class and not is_scaled do class, is_scaled = class.parent, class.is_scaled end
  for _, name in ipairs(is_scaled and SCALES or {}) do
    local field = { name = name, default = all[name] or 1, is_ref = false, column = FIELDS + #fields }
    fields[#fields + 1], fields[name] = field, field
  end
end

-- Returns the description of a class for C, its fields, its settings, and the values that the garbage collector must
-- keep until C has read them.
local function describe(class)
  local desc = ffi.new "sp_pool_desc"
  C.sp_pool_desc_init(desc, ffi.sizeof(desc))
  desc.type, desc.spatial = class.name, true
  local all, fields = gather(class, { grow = 32, overflow = "refuse" }, {})
  add_scales(class, all, fields)
  for key, value in pairs(all) do
    if rows[key] then put(class.name, desc, rows[key], key, value) end
    for name, part in pairs(PARTS[key] and value or {}) do put(class.name, desc, PARTS[key][name], name, part) end
    if key == "bounds" and not (value.x and value.y and value.outside) then
      fail("class '%s': bounds need x, y, w, h and outside", class.name)
    end
  end
  return desc, fields, all, { fill_fields(desc, fields), fill_curves(class.name, desc, all.over_life or {}) }
end

-- The buffer in which C writes why a description is rejected.
local problem = ffi.new "char[256]"
function classes.problem() return ffi.string(problem) end
function classes.options()
  local options = ffi.new "sp_manager_options"
  C.sp_manager_options_init(options, ffi.sizeof(options))
  options.on_log, options.log_ud = cast("sp_log_fn", ffi.C.strcpy), problem
  return options
end
local checker = ffi.gc(C.sp_manager_open(classes.options(), nil), C.sp_manager_discard)

-- Raises the error that C has for the description of a class.
local function check_class(class)
  local desc, fields, _, kept = describe(class)
  local title = ("class '%s'"):format(class.name)
  desc.settings.prealloc, desc.type = 0, title
  local p = C.sp_manager_add_pool(checker, desc, result)
  if p == nil then fail("%s", classes.problem()) end
  C.sp_pool_remove(p, nil, nil)
  return title, fields, kept
end

-- }==

-- {== Pools ==================================================================

local function read_stats(call, of)
  local stats = ffi.new "sp_stats"
  call(of, stats)
  return stats
end
function classes.pool_stats(p) return read_stats(C.sp_pool_stats, p) end
function classes.total(m) return read_stats(C.sp_manager_stats, m) end

local getters, setters = { live = C.sp_pool_live }, {}
for _, name in ipairs { "idle", "total", "peak" } do
  getters[name] = function(p) return classes.pool_stats(p)[name] end
end
for name, row in pairs(rows) do setters[name] = row.pool end

-- Names that a pool lacks are looked up in its class.
local pool_mt = {}
function pool_mt:__index(key)
  if Pool[key] then return Pool[key] end
  if key == "overflow" then return self.policy or self.settings.overflow end
  if setters[key] then
    local value = C.sp_pool_desc_of(self.p or closed()).settings[key]
    return value ~= UNLIMITED and value or nil
  end
  if not getters[key] then return self.class[key] end
  return getters[key](self.p or closed())
end

function pool_mt:__tostring()
  if not self.p then return ("pool of %s (closed)"):format(self.type) end
  return ("pool of %s (%d live, %d idle)"):format(self.type, self.live, self.idle)
end

-- `policy`: the overflow that the game has set, in place of that of the class. C knows no functions and no errors.
local function take_policy(pool, policy)
  pool.policy = policy ~= pool.settings.overflow and policy or false
  pool.chooses = type(pool.policy or pool.settings.overflow) == "function"
end

local function take_settings(pool, all)
  pool.settings = all
  take_policy(pool)
end

local policies = setmetatable({}, { __mode = "k" }) -- by snapshot: that of each pool, by type

local function check_snapshot(value)
  if ffi.istype("sp_snapshot *", value) then return value end
  fail("a snapshot is what pools:snapshot returned, got %s", show(value))
end

-- Copies the whole state. `into`: an older snapshot, whose memory is reused.
function Manager:snapshot(into)
  local taken = C.sp_snapshot_take(self.m or closed(), into ~= nil and check_snapshot(into) or nil, result)
  if taken == nil then return nil, host.name_of(result[0]) end
  into = into or ffi.gc(taken, C.sp_snapshot_free)
  policies[into] = {}
  for _, pool in ipairs(self.list) do policies[into][pool.type] = pool.policy end
  return into
end

-- Restores a snapshot. Returns true; or false and the reason, with nothing changed.
function Manager:restore(snapshot)
  if not self.m then return false, "closed" end
  local why = C.sp_snapshot_restore(self.m, check_snapshot(snapshot))
  if why ~= 0 then return false, host.name_of(why) end
  self.ends.count = 0
  for _, pool in ipairs(self.list) do take_policy(pool, policies[snapshot][pool.type]) end
  return true
end

-- pool.limit = 10
function pool_mt:__newindex(key, value)
  if not setters[key] then fail("pool '%s' can set %s, and not %s", self.type, names_of(setters), show(key)) end
  if value == nil and rows[key][2] == "limit" then value = huge end
  local now = ffi.new("sp_settings", C.sp_pool_desc_of(self.p or closed()).settings)
  put(self.type, { settings = now }, rows[key], key, value)
  local why = C.sp_pool_set_settings(self.p, now)
  if why ~= 0 then fail("pool '%s': %s", self.type, text_of(why)) end
  if key == "overflow" then take_policy(self, value) end
end

local function take_overrides(pool)
  local alloc, recycle = pool.class.alloc, pool.class.recycle
  pool.overrides_alloc = alloc ~= host.alloc and alloc
  pool.overrides_recycle = recycle ~= host.recycle and recycle
  pool.pools.has_overrides = pool.pools.has_overrides or pool.overrides_recycle ~= false
end

local function add_pool(self, class)
  local desc, fields, all, kept = describe(class)
  local p = C.sp_manager_pool(self.m, class.name)
  if p == nil then
    p = C.sp_manager_add_pool(self.m, desc, result)
  else -- it was loaded
    result[0] = C.sp_pool_redefine(p, desc)
    p = result[0] == 0 and p or nil
  end
  if p == nil or not kept then fail("cannot make a pool of '%s': %s", class.name, text_of(result[0])) end
  local pool = {
    p = p, pools = self, type = class.name, class = class.class, record = class, by_name = fields, vetoed = 0,
    opening = false, opened = false, completed = false, noting = self.trace, cursor = false,
  }
  take_settings(pool, all)
  take_overrides(pool)
  self.pool_of[class.name], self.list[#self.list + 1] = pool, pool
  self.by_address[tonumber(cast(address_t, p))] = pool
  return setmetatable(pool, pool_mt)
end

-- Removes a pool from the lists before C frees it, so that later uses of it are rejected.
function classes.drop(self, pool)
  self.by_address[tonumber(cast(address_t, pool.p))], self.pool_of[pool.type] = nil, nil
  self.home, pool.p = false, false
  for i = #self.list, 1, -1 do
    if self.list[i] == pool then table.remove(self.list, i) end
  end
end

function classes.stats_of(s, vetoed)
  local out = { vetoed = vetoed, prewarm = { done = s.prewarm_done, wanted = s.prewarm_wanted } }
  for name in ([[live idle total peak peak_time allocs recycles expired refused evicted stale_uses double_recycles
    created destroyed retired bytes]]):gmatch "[%a_]+" do out[name] = tonumber(s[name]) end
  return out
end

function Pool:stats() return classes.stats_of(classes.pool_stats(self.p or closed()), self.vetoed) end
function Pool:recycle_all() return C.sp_pool_recycle_all(self.p or closed()) end
function Pool:clear() return C.sp_pool_trim(self.p or closed(), 0) end
function Pool:trim() return C.sp_pool_trim(self.p or closed(), self.settings.prealloc or 0) end

-- Creates idle objects, within the limits. Returns how many.
function Pool:prewarm(count)
  local wrong = classes.wrong_with(rows.prealloc, count)
  if wrong then fail("prewarm: the count %s, got %s", wrong, show(count)) end
  local before = classes.pool_stats(self.p or closed()).created
  C.sp_pool_prewarm(self.p, count, 0, 0)
  return tonumber(classes.pool_stats(self.p).created - before)
end

local Base = { alloc = host.alloc, recycle = host.recycle }

local function descends(class, from)
  while class and class ~= from do class = class.parent end
  return class == from
end

-- Applies a changed class to its pools, and to those of classes that extend it.
local function apply(self, class)
  for _, pool in ipairs(self.list) do
    if descends(pool.record, class) then
      local desc, fields, all, kept = describe(pool.record)
      local why = C.sp_pool_redefine(pool.p, desc)
      if why ~= 0 or not kept then fail("cannot change the pool of '%s': %s", pool.type, text_of(why)) end
      pool.by_name = fields
      take_settings(pool, all)
      take_overrides(pool)
    end
  end
end

-- Gives the objects of a pool the fields scale_x and scale_y.
function classes.add_scales(self, pool)
  pool.record.is_scaled = true
  apply(self, pool.record)
end

-- }==

-- {== Declaring ==============================================================

-- The table that a game sees stays empty, so that __newindex sees each new override.
local function new_class(self, name)
  local class = { name = name, settings = {}, store = { super = Base } }
  class.class = setmetatable({}, {
    __index = class.store,
    __newindex = function(_, key, value)
      local is_override = OTHERS[key] == "function"
      if is_override and value ~= nil or is_uncalled(key) then check_setting(name, key, value) end
      if not is_override and (rows[key] or OTHERS[key] or key == "super" or key == "extends") then
        fail("class '%s': %s is set by pools:class", name, key)
      end
      class.store[key] = value
      for _, pool in ipairs(self.list) do take_overrides(pool) end
    end,
    __tostring = function() return ("class '%s'"):format(name) end,
  })
  return class
end

local function find_parent(self, name, extends)
  for _, other in pairs(self.classes) do
    if other.class == extends or other.name == extends then
      return descends(other, self.classes[name] or 0) and fail("class '%s' extends itself", name) or other
    end
  end
  fail("class '%s' extends %s, which is not declared: there are %s", name, show(extends), names_of(self.classes))
end

local function check_name(name)
  local fits = type(name) == "string" and #name >= 1 and #name <= 200
  if not fits then fail("a type has a name of 1 to 200 letters, got %s", show(name)) end
end

-- Declares or changes a class: a table that subclasses the pool of its type. It may override alloc and recycle; `super`
-- has the overridden functions. Declaring a name again returns the same table.
function Manager:class(name, definition)
  check_name(name)
  local class, settings = self.classes[self.m and name or closed()], {}
  if definition == nil and class then return class.class end
  if definition ~= nil and type(definition) ~= "table" then
    fail("class '%s': a definition is a table, got %s", name, show(definition))
  end
  for key, value in pairs(definition or {}) do
    check_setting(name, key, value)
    settings[key] = value
  end
  local parent = settings.extends ~= nil and find_parent(self, name, settings.extends) or nil
  check_class { name = name, settings = settings, parent = parent } -- an error changes nothing
  class = class or new_class(self, name)
  class.settings, class.parent, self.classes[name] = settings, parent, class
  class.store.alloc, class.store.recycle = settings.alloc or rawget(class.store, "alloc"),
    settings.recycle or rawget(class.store, "recycle")
  class.store.super = parent and parent.class or Base
  setmetatable(class.store, { __index = class.store.super })
  apply(self, class)
  return class.class
end

-- Returns the pool of a type, which is created at its first use; nil, "closed" when the manager is closed.
function Manager:pool(name)
  check_name(name)
  if not self.m then return nil, "closed" end
  local pool = self.pool_of[name]
  if pool and pool.total == 0 then C.sp_pool_prewarm(pool.p, 0, 0, 0) end -- a restore may have emptied it
  if pool then return pool end
  if not self.classes[name] then
    local text = ("type '%s' has no class; there are %s"):format(name, names_of(self.classes))
    if self.unknown == "error" then fail("%s", text) end
    if next(self.classes) and self.misuse ~= "ignore" then module.warn(host.site_of_caller() .. ": " .. text) end
    self:class(name)
  end
  return add_pool(self, self.classes[name])
end

-- }==

return classes
