-- Checked pools for LuaJIT 2.1 and LÖVE 11, by FFI: `require "spawnpool.ffi"`, one file over the C library. An object
-- is a plain number that names one life of one slot: generation (21 bits), manager (8), slot (24). C calls no code of
-- the game: pools:ended() lists the lives that an update ended. Every call checks its arguments; frequent ones are
-- compiled.
--
--   local pools = require("spawnpool.ffi").new()
--   local Bullet = pools:class("Bullet", { radius = 3, vx = 200, limit = 500, fields = { damage = 1 } })
--   local bullet = pools:alloc("Bullet", 2, 100, 100)
--   pools:update(dt)
--   for ref, why in pools:ended() do ... end
local ffi = require "ffi"

local module = { VERSION = "@VERSION@" }

-- The build writes the declarations of spawnpool.h here.
local DECLARATIONS = [[
@DECLARATIONS@
]]
if DECLARATIONS:find("^@") then error("spawnpool.ffi: this is its source: take what `make` builds from it", 0) end
if not pcall(ffi.typeof, "sp_pool_desc") then
  ffi.cdef(DECLARATIONS .. "char *strcpy(char *to, const char *from);")
  -- A struct of three words is returned through a pointer on x64, and only calls with pointers are compiled.
  if jit.arch == "x64" then ffi.cdef [[void sp_walk_into(sp_walk *, sp_pool *) __asm__("sp_pool_walk");]] end
end

local floor, huge, cast, concat = math.floor, math.huge, ffi.cast, table.concat

-- {== Errors =================================================================

local HERE = debug.getinfo(1, "S").source

-- Returns the stack level of the calling game code: the first function that is not in this file.
local function caller_level()
  local level = 3
  while (debug.getinfo(level, "S") or {}).source == HERE do level = level + 1 end
  return level - 1
end

local function fail(format, ...) error(format:format(...), caller_level()) end

local function site_of_caller()
  local info = debug.getinfo(caller_level(), "Sl")
  return info and ("%s:%d"):format(info.short_src, info.currentline) or "?"
end

local function closed() fail("the manager is closed") end

local function show(value) return type(value) == "string" and ("'%s'"):format(value) or tostring(value) end

-- Receives warnings. A program may replace it.
function module.warn(text) io.stderr:write("spawnpool: ", text, "\n") end

-- Lists the keys of some tables: "'a', 'b' or 'c'".
local function names_of(...)
  local list = {}
  for _, names in ipairs { ... } do
    for name in pairs(names) do list[#list + 1] = ("'%s'"):format(name) end
  end
  table.sort(list)
  return (concat(list, ", "):gsub(", ([^,]*)$", " or %1"))
end

-- }==

-- {== The library ============================================================

local FILES = { Windows = { "spawnpool.dll", "libspawnpool.dll" }, OSX = { "libspawnpool.dylib", "libspawnpool.so" } }
-- The name with the minor version needs no package for developers.
local SONAME = "libspawnpool.so." .. module.VERSION:match "^%d+%.%d+"
FILES = FILES[ffi.os] or { SONAME, "libspawnpool.so" }

-- Returns the folders to search: those of the game, its .love file or executable, of the script, and of this file.
local function folders_of_game()
  local files, love = { (rawget(_G, "arg") or {})[0] or false, HERE:match "^@(.*)" }, rawget(_G, "love")
  local fs = love and love.filesystem
  local list = fs and { fs.getSource(), fs.getSourceBaseDirectory() } or {}
  for _, file in ipairs(files) do list[#list + 1] = file and (file:match "^(.*)[/\\]" or ".") or nil end
  return list
end

-- The second result says why a file that exists did not load.
local function load_one_of(folders)
  local problem = ""
  for _, folder in ipairs(folders) do
    for _, name in ipairs(FILES) do
      local path = folder .. "/" .. name
      local ok, library = pcall(ffi.load, path)
      local file = io.open(path, "rb")
      if ok then return library end
      if file then problem = (" (%s)"):format(library) end
      if file then file:close() end
    end
  end
  return nil, problem
end

local function open_library()
  local given = os.getenv "SPAWNPOOL_LIB"
  local folders = given and { given } or folders_of_game()
  local library, problem = load_one_of(folders)
  if library then return library end
  local found, other = pcall(ffi.load, given or FILES[1]) -- SPAWNPOOL_LIB itself, or the system's library
  if not found and not given then found, other = pcall(ffi.load, "spawnpool") end
  if found then return other end
  local where = given and "at SPAWNPOOL_LIB=" .. given or ("in %s or the system"):format(concat(folders, ", "))
  error(("spawnpool.ffi: no %s of spawnpool %s %s%s: put it beside the game, or set SPAWNPOOL_LIB to its path"):format(
    FILES[#FILES], module.VERSION, where, problem), 0)
end

local C = open_library()
module.C = C -- all of spawnpool.h, for functions that this file does not wrap

-- Structures may differ in another minor version.
local is_known, version = pcall(function() return ffi.string(C.sp_version()) end)
if not is_known or version:match "^%d+%.%d+" ~= module.VERSION:match "^%d+%.%d+" then
  version = is_known and version or "before 0.1"
  error(("spawnpool.ffi: the library is of spawnpool %s, and this file of %s: take both from one"):format(version,
    module.VERSION), 0)
end

local UNLIMITED, MAX_SLOTS, MAX_LIFETIME = 0xffffffff, 2 ^ 24, 1e11
local LIVES = 2 ^ 20 - 1 -- of a slot: a reference is exact as a number
local STALE, DYING = tonumber(C.SP_STALE), tonumber(C.SP_DYING)
local LOOK = tonumber(C.SP_LOOK)

local float_p, const_float_p = ffi.typeof "float *", ffi.typeof "const float *"
local double_p, const_double_p = ffi.typeof "double *", ffi.typeof "const double *"
local ref_p, const_ref_p = ffi.typeof "sp_ref *", ffi.typeof "const sp_ref *"
local look_p, const_look_p = ffi.typeof "sp_look *", ffi.typeof "const sp_look *"
local bits_p, address_t, pairs_t = ffi.typeof "const uint32_t *", ffi.typeof "uintptr_t", ffi.typeof "sp_pair[?]"
local result, start, counts = ffi.new "sp_result[1]", ffi.new "sp_start", ffi.new "uint32_t[2]"

-- The column of each built-in number field, and the index of its float within a cell.
local columns, indexes = {}, {}
local BUILT_IN = { "x", "y", "vx", "vy", "ax", "ay", "angle", "spin", "scale", "r", "g", "b", "a", "radius" }
for i, name in ipairs(BUILT_IN) do columns[name], indexes[name] = math.min(i - 1, LOOK), math.max(0, i - 1 - LOOK) end

local NAMES, WHYS = {}, {}
for why = 0, tonumber(C.SP_RESULT_COUNT) - 1 do NAMES[why] = ffi.string(C.sp_result_name(why)) end
for why = 0, tonumber(C.SP_WHY_COUNT) - 1 do WHYS[why] = ffi.string(C.sp_why_name(why)) end
local function name_of(why) return NAMES[tonumber(why)] end
local function text_of(why) return ffi.string(C.sp_result_text(why)) end

-- Sprites are numbers in C. A name gets its number at its first use.
local sprite_names, sprite_numbers, sprite_count = {}, {}, 0
local function sprite_number(name)
  if not sprite_numbers[name] then
    if sprite_count > 65535 then fail("there are 65536 names of sprites already") end
    sprite_names[sprite_count], sprite_numbers[name], sprite_count = name, sprite_count, sprite_count + 1
  end
  return sprite_numbers[name]
end
for name in ("circle square triangle ring spark"):gmatch "%a+" do sprite_number(name) end

-- Returns the name of a sprite's number, for drawing.
function module.sprite_name(number) return sprite_names[number] end

local function is_float(value) return type(value) == "number" and value >= -3.4e38 and value <= 3.4e38 end

-- }==

-- {== Lives ==================================================================

local Manager, Pool = {}, {}

-- Returns a reference that C can check. A value that is not a number is an error. A number with a fraction becomes 0,
-- which names no object: the conversion to an integer would cut the fraction off.
local function known(ref)
  if type(ref) ~= "number" then fail("an object is the number that alloc returned, got %s", show(ref)) end
  return floor(ref) == ref and ref or 0
end

-- Returns the pool of a reference, also of a stale one; nil when it is foreign, or its pool has given its memory away.
local function home_of(self, ref)
  local p, last = C.sp_object_pool(self.m, ref), self.home
  if last and last.p == p then return last end
  self.home = p ~= nil and self.by_address[tonumber(cast(address_t, p))] or false
  return self.home or nil
end

-- Describes a value: "Bullet#12 (live)".
function Manager:show(ref)
  local home = self.m and type(ref) == "number" and home_of(self, known(ref))
  if not home then
    local is_stale = self.m and type(ref) == "number" and C.sp_object_check(self.m, known(ref)) == STALE
    return is_stale and "object (stale)" or show(ref) .. " (foreign)"
  end
  local state = C.sp_object_is_live(self.m, ref) and "live" or "stale"
  return ("%s#%d (%s)"):format(home.type, C.sp_object_number(self.m, ref), state)
end

-- Reports a misuse as the option `misuse` says, once per calling line. Returns `refused` and the reason.
local function misused(self, ref, why, refused)
  if self.misuse == "ignore" then return refused, name_of(why) end
  local slot, site = ref % MAX_SLOTS, site_of_caller()
  local text = ("%s: %s%s"):format(self:show(ref), text_of(why),
    self.lives[slot] == ref and "; allocated at " .. self.sites[slot] or "")
  if self.misuse == "error" then fail("%s", text) end
  if not self.warned[site] then module.warn(site .. ": " .. text) end
  self.warned[site] = true
  return refused, name_of(why)
end

-- Rejects a read or a write; sp_object_check counts it.
local function unusable(self, ref, refused)
  local why = tonumber(C.sp_object_check(self.m, known(ref)))
  return misused(self, ref, why == 0 and STALE or why, refused)
end

function Manager:is_live(ref)
  return self.m and type(ref) == "number" and floor(ref) == ref and C.sp_object_is_live(self.m, ref) or false
end

local function unusual_lifetime(pool, lifetime)
  if not is_float(lifetime) or lifetime >= 0 or lifetime < -MAX_LIFETIME then
    fail("lifetime must be a finite number of seconds (at most 1e11), got %s", show(lifetime))
  end
  local prealloc = pool.settings.prealloc or 0
  C.sp_pool_prewarm(pool.p, prealloc > 0 and prealloc or pool.grow, 0, 0)
  return nil, "prewarmed"
end

-- Calls the class's `overflow` function, and recycles the victim that it returns.
local function make_room(pool)
  local victim, m = pool.overflow(pool), pool.pools.m
  if pool.pools:is_live(victim) and C.sp_object_pool(m, victim) == pool.p then C.sp_object_recycle(m, victim) end
end

local function refused_alloc(pool)
  if result[0] == C.SP_MEMORY then fail("not enough memory for another '%s'", pool.type) end
  if result[0] == C.SP_FULL and pool.overflow == "error" then
    fail("pool '%s' is full (limit %d)", pool.type, pool.limit)
  end
  return nil, name_of(result[0])
end

-- Records a new object for the override that is running, and with `trace` the line that allocated it.
local function note_alloc(pool, ref)
  local home, slot = pool.pools, ref % MAX_SLOTS
  if pool.opening then pool.opened = ref end
  if home.trace then home.lives[slot], home.sites[slot] = ref, site_of_caller() end
end

-- Implements alloc for classes without an override, and `super.alloc` for overrides.
local function base_alloc(self, lifetime, x, y, angle)
  local p = self.p
  if not p then return nil, "closed" end
  lifetime = (lifetime == nil or lifetime == huge) and 0 or lifetime
  if type(lifetime) ~= "number" or not (lifetime >= 0 and lifetime <= MAX_LIFETIME) then
    return unusual_lifetime(self, lifetime)
  end
  if self.chooses and C.sp_pool_live(p) >= (self.limit or huge) then
    make_room(self)
    if not self.p then return nil, "closed" end
  end
  local ref
  if x == nil and y == nil and angle == nil then
    ref = tonumber(C.sp_pool_alloc(p, lifetime, nil, result))
  else
    if x == nil then x = self.settings.x or 0 end
    if y == nil then y = self.settings.y or 0 end
    if angle == nil then angle = self.settings.angle or 0 end
    if not (is_float(x) and is_float(y) and is_float(angle)) then
      fail("x, y and angle must be finite numbers, got %s, %s, %s", show(x), show(y), show(angle))
    end
    start.x, start.y, start.angle = x, y, angle
    start.vx, start.vy = self.settings.vx or 0, self.settings.vy or 0
    ref = tonumber(C.sp_pool_alloc(p, lifetime, start, result))
  end
  if ref == 0 then return refused_alloc(self) end
  if self.noting then note_alloc(self, ref) end
  return ref
end

-- Gives back the object that an override's base call has opened, unless the override returned it. Without one that
-- lives, it may return what an override inside it has completed.
local function settle_alloc(pool, opened, completed, ok, ref, why)
  local home = pool.pools
  local open = opened and home.m and C.sp_object_is_live(home.m, opened)
  local mine = ok and ref and (ref == opened or (not open and ref == completed))
  if open and not mine then C.sp_alloc_undo(home.m, opened) end
  if not ok then error(ref, 0) end
  if not ref then return nil, why or "vetoed" end
  if not mine then
    fail("alloc of '%s' returned %s: it must return the object that its base call opened, or nil", pool.type, show(ref))
  end
  if not home:is_live(ref) then return nil, "recycled" end
  if home.trace then home.lives[ref % MAX_SLOTS], home.sites[ref % MAX_SLOTS] = ref, site_of_caller() end
  return ref
end

-- The object that the base call opens is noted until the override returns, so that it is not lost when that fails.
local function overridden_alloc(self, override, lifetime, ...)
  local home, outer, noting = self.pools, self.opening, self.noting
  local outer_opened, outer_completed = self.opened, self.completed
  self.opening, self.noting, self.opened, self.completed = true, true, false, false
  local ok, ref, why = pcall(override, self, lifetime == nil and 0 or lifetime, ...)
  local opened, completed = self.opened, self.completed
  self.opening, self.noting, self.opened, self.completed = outer, noting, outer_opened, outer_completed
  if ok and not noting and ref and opened == ref and self.p and C.sp_object_is_live(home.m, ref) then
    why = nil
  else
    ref, why = settle_alloc(self, opened, completed, ok, ref, why)
  end
  self.completed = outer and ref or false
  return ref, why
end

-- Two numbers and nothing else are a lifetime and x; in LÖVE they are often meant as x and y. Warns once a line.
local function note_habit(pool, lifetime, x)
  local home, site = pool.pools, site_of_caller()
  if home.misuse == "ignore" or home.warned[site] then return end
  home.warned[site] = true
  module.warn(("%s: alloc of %s: the first number is its lifetime in seconds, the second one x. For x and y write "
    .. "alloc('%s', 0, %g, %g)"):format(site, pool.type, pool.type, lifetime, x))
end

-- Returns a live object, or nil and the reason. lifetime > 0: the object is recycled after that many seconds; 0 or nil:
-- never; < 0: the pool is prewarmed, and nothing is allocated.
function Pool:alloc(lifetime, x, y, angle)
  local override = self.overrides_alloc
  if override then return overridden_alloc(self, override, lifetime, x, y, angle) end
  if y == nil and angle == nil and is_float(x) and is_float(lifetime) and lifetime > 0 then
    note_habit(self, lifetime, x)
  end
  return base_alloc(self, lifetime, x, y, angle)
end

function Manager:alloc(name, lifetime, x, y, angle)
  local pool = self.pool_of[name] or self:pool(name)
  if not pool then return nil, "closed" end
  return Pool.alloc(pool, lifetime, x, y, angle)
end

local function base_recycle(self, ref)
  if not self.p then return false, "closed" end
  local home = self.pools
  local it = known(ref)
  local owner = C.sp_object_pool(home.m, it)
  local why = (owner == self.p or owner == nil) and C.sp_object_recycle(home.m, it) or C.SP_FOREIGN
  if why ~= 0 then return misused(home, ref, why, false) end
  if home.dying[ref] then home.dying[ref] = "over" end
  return true
end

-- The object stays live unless the override calls its base. An error in the override is reported, and the object is
-- recycled.
local function overridden_recycle(pool, override, ref)
  local home = pool.pools
  if home.dying[ref] then return misused(home, ref, DYING, false) end
  if not C.sp_object_is_live(home.m, ref) then return misused(home, ref, C.sp_object_recycle(home.m, ref), false) end
  home.dying[ref] = "asked"
  local ok, wrong = pcall(override, pool, ref, "recycled")
  local over = home.dying[ref] == "over"
  home.dying[ref] = nil
  if not ok then
    module.warn(("%s.recycle: %s"):format(pool.type, tostring(wrong)))
    if pool.p and not over then C.sp_object_recycle(home.m, ref) end
  end
  if over or not ok then return true end
  pool.vetoed = pool.vetoed + 1
  return false, "vetoed"
end

function Pool:recycle(ref)
  local override = self.overrides_recycle
  if override and self.p and C.sp_object_pool(self.pools.m, known(ref)) == self.p then
    return overridden_recycle(self, override, ref)
  end
  return base_recycle(self, ref)
end

-- Recycles an object. Returns true; or false and "stale", "foreign", "dying", "vetoed" or "closed".
function Manager:recycle(ref)
  local it = known(ref)
  if not self.m then return false, "closed" end
  local home = self.has_overrides and home_of(self, it)
  if home and home.overrides_recycle then return overridden_recycle(home, home.overrides_recycle, ref) end
  local why = C.sp_object_recycle(self.m, it)
  if why == 0 then return true end
  return misused(self, ref, why, false)
end

-- }==

-- {== Classes ================================================================

local readers, writers = {}, {} -- of built-in fields that are not numbers

-- The build writes ffi_class.lua here.
local CLASSES = [==[
@CLASSES@
]==]
local classes = assert(loadstring(CLASSES, HERE)) {
  module = module, ffi = ffi, C = C, Manager = Manager, Pool = Pool, alloc = base_alloc, recycle = base_recycle,
  columns = columns, indexes = indexes, readers = readers, sprite_number = sprite_number, result = result,
  fail = fail, closed = closed, show = show, names_of = names_of, name_of = name_of, text_of = text_of,
  is_float = is_float, site_of_caller = site_of_caller, address_t = address_t,
}
local rows, wrong_with, stats_of, drop = classes.rows, classes.wrong_with, classes.stats_of, classes.drop

-- }==

-- {== Fields =================================================================

local function refuse_value(field, wanted, value) fail("field '%s' %s, got %s", field, wanted, show(value)) end

local function unknown_field(pool, field)
  if readers[field] then fail("field '%s' is read only", field) end
  fail("'%s' has no field %s, but %s", pool.type, show(field), names_of(pool.by_name, columns, readers))
end

function readers.scale_x() return 1 end -- of a pool without these fields
readers.scale_y = readers.scale_x

-- Returns the field of a pool's own. Where scale_x or scale_y is used, the pool gets both.
local function own_field(pool, field)
  if readers[field] == readers.scale_x and not pool.by_name[field] then classes.add_scales(pool.pools, pool) end
  return pool.by_name[field]
end

function readers.type(_, _, pool) return pool.type end
function readers.pool(_, _, pool) return pool end
for name, call in pairs { id = C.sp_object_number, age = C.sp_object_age, lifetime = C.sp_object_lifetime,
  remaining = C.sp_object_remaining, alive = C.sp_object_is_live } do
  readers[name] = function(m, ref) return call(m, ref) end
end
function readers.parent(m, ref)
  local parent = tonumber(C.sp_object_parent(m, ref))
  return parent ~= 0 and parent or nil
end

function writers.remaining(m, ref, value)
  local why = type(value) == "number" and C.sp_object_set_remaining(m, ref, value)
  if why ~= 0 then refuse_value("remaining", "must be seconds, from 0 up", value) end
end
function writers.parent(m, ref, value)
  local why = C.sp_object_set_parent(m, ref, value ~= nil and known(value) or 0)
  if why ~= 0 then fail("field 'parent': %s", text_of(why)) end
end

for _, name in ipairs { "layer", "sprite", "visible", "pinned" } do
  readers[name] = function(m, ref)
    local value = cast(const_look_p, C.sp_object_peek(m, ref, LOOK))[name]
    if name == "sprite" then return sprite_names[value] end
    if name == "layer" then return value end
    return value ~= 0
  end
  writers[name] = function(m, ref, value)
    local wrong = wrong_with(rows[name] or rows.visible, value)
    if wrong then refuse_value(name, wrong, value) end
    cast(look_p, C.sp_object_cell(m, ref, LOOK))[name] = name == "sprite" and sprite_number(value) or value
  end
end

-- Reads a field that is not a built-in number. `at`: the idle slot of a life that is over.
local function get_other(self, ref, field, at)
  local home = home_of(self, known(ref))
  if field == "alive" and home then return C.sp_object_is_live(self.m, ref) end
  if not home or not (at or C.sp_object_is_live(self.m, ref)) then return unusable(self, ref) end
  local own = home.by_name[field]
  if not own then return (readers[field] or unknown_field(home, field))(self.m, at or ref, home) end
  local cell = C.sp_object_peek(self.m, at or ref, own.column)
  if own.is_ref then
    local held = tonumber(cast(const_ref_p, cell)[0])
    return C.sp_object_is_live(self.m, held) and held or nil
  end
  local value = cast(const_double_p, cell)[0]
  if own.is_boolean then return value ~= 0 end
  return value
end

-- Returns the value of a field; nil and the reason when the object is stale or foreign. An unknown field is an error.
function Manager:get(ref, field)
  local m, column = self.m or closed(), columns[field]
  if not column then return get_other(self, ref, field) end
  local cell = C.sp_object_peek(m, known(ref), column)
  if cell == nil then return unusable(self, ref) end
  return cast(const_float_p, cell)[indexes[field]]
end

local function set_other(self, ref, field, value)
  local home = home_of(self, known(ref))
  if not home or not C.sp_object_is_live(self.m, ref) then return unusable(self, ref, false) end
  local own, write = own_field(home, field), writers[field]
  if not own then
    (write or unknown_field(home, field))(self.m, ref, value)
  elseif own.is_ref then
    if value ~= nil and not self:is_live(value) then refuse_value(field, "holds a live object or nil", value) end
    cast(ref_p, C.sp_object_cell(self.m, ref, own.column))[0] = value or 0
  else
    local wanted = own.is_boolean and "boolean" or "number"
    if type(value) ~= wanted then refuse_value(field, "must be a " .. wanted, value) end
    if readers[field] and not is_float(value) then refuse_value(field, "must be a finite number", value) end
    cast(double_p, C.sp_object_cell(self.m, ref, own.column))[0] = own.is_boolean and (value and 1 or 0) or value
  end
  return true
end

-- Writes a field. Returns true; or false and the reason when the object is stale or foreign.
function Manager:set(ref, field, value)
  local m, column = self.m or closed(), columns[field]
  if not column then return set_other(self, ref, field, value) end
  if not is_float(value) then refuse_value(field, "must be a finite number", value) end
  local cell = C.sp_object_cell(m, known(ref), column)
  if cell == nil then return unusable(self, ref, false) end
  cast(float_p, cell)[indexes[field]] = value
  return true
end

-- Returns the value that a field had when the life ended; nil, "stale" once the slot is reused. Velocities are 0.
function Manager:last(ref, field)
  local m, at = self.m or closed(), known(ref) + 2 ^ 32 -- the generation of the slot when it is idle
  local cell = C.sp_object_peek(m, at, columns[field] or LOOK)
  if cell == nil or floor(ref / 2 ^ 32) % 2 == 0 then return nil, "stale" end
  if columns[field] then return cast(const_float_p, cell)[indexes[field]] end
  return get_other(self, ref, field, at)
end

-- A column in chunks of 64 objects: column[k], with k from 0 to pool:chunks() - 1, is a C pointer, and column[k][i] a
-- cell. Cells do not move when a pool grows: pointers are valid until clear, trim, remove, close, or a change of the
-- class's fields.
local Column = {}
function Column:__index(chunk)
  local count = self.pool:chunks()
  if not is_float(chunk) or chunk < 0 or chunk >= count or floor(chunk) ~= chunk then
    fail("column '%s' of '%s' has %d chunks, from 0: there is no %s", self.name, self.pool.type, count, show(chunk))
  end
  local at, kept = C.sp_pool_column(self.pool.p, chunk, self.number), self.kept[chunk]
  if kept ~= at then -- a pointer is a Lua object: reusing it avoids garbage
    kept = cast(self.cells, at)
    self.kept[chunk] = kept
  end
  return kept
end

function Pool:column(field)
  local own, number, cells = own_field(self, field), columns[field], float_p
  if own then
    number, cells = own.column, own.is_ref and ref_p or double_p
  elseif field == "look" then
    number, cells = LOOK, look_p
  elseif number == LOOK or rows[field] and rows[field][1]:find "^look%." then
    fail("field '%s' is in the column 'look': column[k][i].%s", field, field)
  end
  if not number then unknown_field(self, field) end
  return setmetatable({ pool = self, number = number, cells = cells, name = field, kept = {} }, Column)
end

local live_bits = ffi.new "uint64_t[1]"
function Pool:chunks()
  local p, count = self.p or closed(), 0
  while C.sp_pool_live_bits(p, count, live_bits) do count = count + 1 end
  return count
end

-- Returns the live bits of a chunk, as they are now: object i has bit i % 32 of word i / 32. They are valid until the
-- next call.
function Pool:live_bits(chunk)
  if not C.sp_pool_live_bits(self.p or closed(), is_float(chunk) and chunk >= 0 and chunk or UNLIMITED, live_bits) then
    fail("pool '%s' has no chunk %s", self.type, show(chunk))
  end
  return cast(bits_p, live_bits)
end

-- }==

-- The build writes ffi_walks.lua here.
local WALKS = [==[
@WALKS@
]==]
local open_loaded, saved_id = assert(loadstring(WALKS, HERE)) {
  module = module, ffi = ffi, C = C, Manager = Manager, Pool = Pool, fail = fail, closed = closed, show = show,
  names_of = names_of, name_of = name_of, text_of = text_of, is_float = is_float, result = result,
  pairs_t = pairs_t, sprites = { names = sprite_names, number = sprite_number },
}

-- {== Managers ===============================================================

-- Reserves room for the ends of all current lives.
local function make_room_for_ends(self)
  local live, list = 0, self.list
  for i = 1, #list do live = live + C.sp_pool_live(list[i].p) end
  if live <= self.ends.most then return end
  self.ends.most = live * 2
  self.ends_room = pairs_t(self.ends.most)
  self.ends.list = self.ends_room
end

-- Advances the clock: lives expire, objects move, curves and bounds apply.
function Manager:update(dt)
  if type(dt) ~= "number" or not (dt >= 0 and dt < huge) then
    fail("dt must be a finite number of seconds, from 0 up, got %s", show(dt))
  end
  if not self.m then return false, "closed" end
  make_room_for_ends(self)
  if C.sp_manager_update(self.m, dt) == 0 then return true end
  fail("dt is too long: %s", show(dt))
end

local function next_end(cursor)
  local home, i = cursor.home, cursor.i
  if home.m and i < home.ends.count then
    cursor.i = i + 1
    return tonumber(home.ends_room[i].object), WHYS[tonumber(home.ends_room[i].other)]
  end
  home.cursor = cursor
end

-- `for ref, why in pools:ended() do`: the lives that ended in the last update, in that order: "expired", "outside",
-- "parent". The references are stale; `last` returns the last values of their fields.
function Manager:ended()
  local cursor = (self.m or closed()) and self.cursor or { home = self }
  self.cursor, cursor.i = false, 0
  return next_end, cursor
end

-- Recycles, destroys and removes a pool. Returns how many objects were live, and how many there were in all.
function Manager:remove(name)
  local pool = (self.m or closed()) and self.pool_of[name]
  if not pool then return 0, 0 end
  local p = pool.p
  drop(self, pool)
  C.sp_pool_remove(p, counts, counts + 1)
  return counts[0], counts[1]
end

function Manager:stats(name)
  local m, pool, vetoed = self.m or closed(), self.pool_of[name], 0
  if name then return stats_of(pool and classes.pool_stats(pool.p) or ffi.new "sp_stats", pool and pool.vetoed or 0) end
  for _, each in ipairs(self.list) do vetoed = vetoed + each.vetoed end
  return stats_of(classes.total(m), vetoed)
end

-- Lists live objects by type and line of alloc, the oldest first. Lines need the option `trace`.
function Manager:leaks(options)
  local least, list, by_site, m = options and options.older_than or 0, {}, {}, self.m or closed()
  local function add(name, ref, age)
    local slot = ref % MAX_SLOTS
    local site = self.lives[slot] == ref and self.sites[slot] or "unknown (make the manager with trace = true)"
    local entry = by_site[name .. site] or { type = name, site = site, count = 0, oldest = -1 }
    if entry.count == 0 then by_site[name .. site], list[#list + 1] = entry, entry end
    entry.count = entry.count + 1
    if age > entry.oldest then entry.oldest, entry.object = age, ref end
  end
  for _, pool in ipairs(self.list) do
    for ref in pool:each() do
      if C.sp_object_age(m, ref) >= least then add(pool.type, ref, C.sp_object_age(m, ref)) end
    end
  end
  table.sort(list, function(a, b)
    if a.oldest ~= b.oldest then return a.oldest > b.oldest end
    return a.type .. a.site < b.type .. b.site
  end)
  return list
end

-- Returns sp_manager_hash: a 64-bit cdata that is equal for equal states, on every machine.
function Manager:hash() return C.sp_manager_hash(self.m or closed()) end

local clock = ffi.new "sp_clock"
local properties = { time = true, time_scale = true, paused = true }
local manager_mt = {}
function manager_mt:__index(key)
  if Manager[key] then return Manager[key] end
  if not properties[key] then fail("pools has no field %s, but %s", show(key), names_of(Manager, properties)) end
  C.sp_manager_clock(self.m or closed(), clock)
  return clock[key]
end

function manager_mt:__newindex(key, value)
  local m = self.m or closed()
  if key == "paused" and type(value) == "boolean" then return C.sp_manager_set_paused(m, value) end
  if key == "time_scale" and type(value) == "number" and C.sp_manager_set_time_scale(m, value) == 0 then return end
  fail("pools: time_scale may be 0 to 1e6, and paused a boolean: %s is no value of %s", show(value), show(key))
end

function manager_mt:__tostring()
  return self.m and ("pools (%d live)"):format(classes.total(self.m).live) or "pools (closed)"
end

-- Open managers have different ids. The library begins one that reuses an id after all references of the last one, so
-- that none is ever live in two managers; it refuses an id whose lives are used up.
local free_ids = {}
for id = 1, 255 do free_ids[id] = id end

local OPTIONS = { unknown = "string", misuse = "string", trace = "boolean", step = "number" }
local WORDS = { unknown = { generic = true, error = true }, misuse = { warn = true, error = true, ignore = true } }

-- Opens a manager of the core by `open(options)`, with an id that is free: `wanted` where it is.
local function open_core(options, open, wanted)
  for key, value in pairs(options) do
    local wrong = type(value) ~= OPTIONS[key] or WORDS[key] and not WORDS[key][value]
    if wrong then fail("option %s of %s cannot be %s", show(key), names_of(OPTIONS), show(value)) end
  end
  if #free_ids == 0 then collectgarbage() end
  local core = classes.options()
  local id, m
  core.step, core.lives = options.step or 0, LIVES
  for i, free in ipairs(free_ids) do
    if free == wanted then table.insert(free_ids, 1, table.remove(free_ids, i)) break end
  end
  repeat
    id = table.remove(free_ids, 1) or fail("255 managers are open: close one")
    core.id = id
    m = open(core)
  until m ~= nil or result[0] ~= C.SP_FULL
  if m == nil then free_ids[#free_ids + 1] = id end
  return m, id
end

-- Returns the table of a manager of the core. Its id is free again once it is closed or collected.
local function manager_of(m, id, options)
  local function discard(dead)
    C.sp_manager_discard(dead)
    free_ids[#free_ids + 1] = id
  end
  local self = {
    m = ffi.gc(m, discard), id = id, list = {}, pool_of = {}, by_address = {}, classes = {}, dying = {},
    warned = {}, lives = {}, sites = {}, cursor = false, hits = false, home = false,
    has_overrides = false, ends = ffi.new "sp_pairs", ends_room = false,
    unknown = options.unknown or "generic", misuse = options.misuse or "warn", trace = options.trace or false,
  }
  C.sp_manager_list_ends(m, self.ends)
  return setmetatable(self, manager_mt)
end

-- Opens a manager: a set of pools with one clock. Options: `step`, seconds per tick (1/60); `misuse` of a stale or
-- foreign object: "warn", "error" or "ignore"; `unknown` types: "generic" or "error"; `trace = true` keeps lines.
function module.new(options)
  options = options or {}
  local m, id = open_core(options, function(core) return C.sp_manager_open(core, result) end)
  if m == nil then fail("no manager: %s", result[0] == C.SP_INVALID and classes.problem() or text_of(result[0])) end
  return manager_of(m, id, options)
end

-- Opens a manager from what `pools:save` returned, with the same options. Give it the classes by pools:class, then go
-- on. In a process that had no such manager yet references are those of the save; else they have changed, those in
-- fields too. nil and the reason when it is damaged.
function module.load(bytes, options)
  if type(bytes) ~= "string" then fail("load needs the text that pools:save returned, got %s", show(bytes)) end
  options = options or {}
  local m, id = open_core(options, function(core) return open_loaded(core, bytes) end, saved_id(bytes))
  if m == nil then return nil, name_of(result[0]) end
  return manager_of(m, id, options)
end

-- Recycles and destroys everything. Returns how many objects were live, and how many there were in all. Later calls
-- fail with "closed".
function Manager:close()
  if not self.m then return 0, 0 end
  local m, all = ffi.gc(self.m, nil), classes.total(self.m)
  for i = #self.list, 1, -1 do drop(self, self.list[i]) end
  self.m = false
  C.sp_manager_close(m)
  free_ids[#free_ids + 1] = self.id
  return all.live, all.total
end

-- }==

return module
