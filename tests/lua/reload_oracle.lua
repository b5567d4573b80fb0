-- Checks the invariants of a reload, for any edit and any reloader. Given are a capture of the running program
-- from before the edit, one from after it, and the universes (reload_universe.lua) of the texts from before and after:
--
--   * What the files made is what a fresh load makes: values, functions by their lines and variables, what is the same
--     table, function or variable as what. A variable or an entry that the game has set is excepted where the new text
--     says the same of it as the old one: there the game's value stays. What the game has appended to a list stays,
--     behind what the text has in it.
--   * Tables keep their identity, and functions that others hold are replaced by their successors.
--   * Nothing else has changed.
--
-- Where one thing has several possible successors (aliases that split, join or change places), and where a value is
-- made anew by each run (iterators, results of `load`, closures of another file's functions), either value will do.
local capture <const> = require "reload_capture"
local failures <const> = require "reload_failure"
local pairing <const> = require "reload_pairs"

local identical <const>, fail <const>, show <const> = capture.identical, failures.fail, failures.show

local oracle <const> = {}

local Check <const> = {}
Check.__index = Check

-- {== Values ==================================================================

-- The running value `live` is what a fresh load has as `new`.
function Check:match(live, new, from, key)
  local item <const> = { key = key, from = from, live = live, new = new }
  local record <const> = self.new.of[new]
  if not record then
    if not identical(live, new) then fail("value", item, "is %s, a fresh load has %s", show(live), show(new)) end
    return
  end
  local its <const> = live ~= nil and self.after.of[live]
  if not its or its.kind ~= record.kind then
    fail("value", item, "is %s, a fresh load has %s", show(live), show(new))
  end
  if self.now[live] ~= nil or self.live[new] ~= nil then
    local is_same <const> = rawequal(self.now[live], new) and rawequal(self.live[new], live)
    if not is_same and not pairing.is_unstable(record) then
      fail("alias", item, "%s is%s the same as elsewhere, unlike in a fresh load", show(live),
        self.now[live] == nil and " not" or "")
    end
    return
  end
  self.now[live], self.live[new] = new, live
  self.work[#self.work + 1] = item
end

-- Returns whether the game has put another value into a place than the old text, which has `old`, did.
function Check:is_changed(before, old)
  if self.old.of[old] then return not rawequal(self.was[before], old) end
  return not identical(before, old)
end

-- Returns whether both texts agree about a place: true, false, or nil where that is open, also where the game has
-- removed or replaced a table whose contents are edited.
function Check:says_same(old, new)
  local a <const>, b <const> = self.old.of[old], self.new.of[new]
  if not a and not b then return identical(old, new) end
  if not a or not b or a.kind ~= b.kind then return false end
  if not pairing.is_unstable(a) and not pairing.is_unstable(b) and
    rawequal(self.pairs:successor(old), new) and not (a.kind == "table" and self.pairs:is_edited(old, new)) then
    return true
  end
  return nil
end

-- Returns the new name of a value that the game had before; nil when no text made it.
function Check:fate(before)
  local old <const> = self.was[before]
  if old == nil then return "stays" end
  if pairing.is_unstable(self.old.of[old]) then return "open" end
  local new <const> = self.pairs:successor(old)
  if new ~= nil then return "follows", new end
  return self.pairs:may_go_on(old) and "open" or "stays"
end

function Check:is_kept(live, before)
  local fate <const>, new <const> = self:fate(before)
  if fate == "stays" or type(before) ~= "function" then return identical(live, before) end
  if fate == "follows" then return self:signature(self.after.of, live) == self:signature(self.new.of, new) end
  return type(live) == "function"
end

-- A place where the game's value stays.
function Check:keep(live, before, from, key)
  local fate <const>, new <const> = self:fate(before)
  if not self:is_kept(live, before) then
    fail("lost", { key = key, from = from }, "is %s, the game had set %s", show(live), show(before))
  end
  if fate == "follows" then self:match(live, new, from, key) end
end

-- A place: an entry, a metatable, a variable. `past` is false when it was not there before; else the game had `before`
-- in it, and the old text `old`. `is_open`: the text leaves open what is in it.
function Check:place(item, key, live, new, past, before, old, is_open)
  if not past or not self:is_changed(before, old) then return self:match(live, new, item, key) end
  local same = self:says_same(old, new)
  if is_open and same == false then same = nil end
  if same == nil then
    same = self:is_kept(live, before)
    if same and self:fate(before) == "open" then return end
  end
  if same then self:keep(live, before, item, key) else self:match(live, new, item, key) end
end

-- }==

-- {== Tables ==================================================================

local function is_object(value) return type(value) == "table" or type(value) == "function" end

-- The source of a function, as a universe has it.
function Check:source_of(record)
  local source <const>, prefix <const> = record.source, self.prefix
  return source:sub(1, #prefix) == prefix and "@" .. source:sub(#prefix + 1):gsub("\\", "/") or source
end

-- The order in which the entries of a list are compared, whoever appended first: tables that have been met elsewhere
-- are known.
function Check:signature(of, value)
  local record <const> = of[value]
  if not record then return type(value) .. " " .. tostring(value) end
  if record.kind == "table" then
    local met <const> = of == self.after.of and self.now[value] or of == self.new.of and self.live[value] and value
    return ("table %s %s"):format(record.at.name, met and ("%p"):format(met) or "")
  end
  if record.kind ~= "function" then return record.kind end
  return ("%s %d"):format(self:source_of(record), record.first)
end

function Check:sorted_list(of, at)
  local list <const> = {}
  for key, value in pairs(at) do
    if math.type(key) == "integer" then
      list[#list + 1] = { key = key, value = value, signature = self:signature(of, value) }
    end
  end
  table.sort(list, function(a, b)
    if a.signature ~= b.signature then return a.signature < b.signature end
    return a.key < b.key
  end)
  return list
end

-- Returns the elements that the game has appended to a list. `old`: the entries that the old texts had made.
local function additions(before, old, was)
  local left <const>, list <const> = {}, {}
  local function key_of(value) return value == value and value or "NaN" end
  for key, value in pairs(old) do
    if math.type(key) == "integer" then left[key_of(value)] = (left[key_of(value)] or 0) + 1 end
  end
  for _, value in ipairs(before) do
    local its <const> = key_of(was[value] or value)
    if (left[its] or 0) > 0 then left[its] = left[its] - 1 else list[#list + 1] = value end
  end
  return list
end

-- How often a signature is in a list.
local function count_of(list, wanted)
  local count = 0
  for _, entry in ipairs(list) do
    if entry.signature == wanted then count = count + 1 end
  end
  return count
end

-- The place in `list` of what the game has appended: itself, its successor, or where that is open any function of its
-- file that is there more often than a fresh load has it.
function Check:find_addition(list, fresh, value)
  local fate <const>, new <const> = self:fate(value)
  local its <const> = self.before.of[value]
  local wanted <const> = fate == "follows" and self:signature(self.new.of, new) or self:signature(self.before.of, value)
  local found
  for i, entry in ipairs(list) do
    if rawequal(entry.value, value) then return i end
    local record <const> = fate == "open" and self.after.of[entry.value]
    local is_surplus <const> = record and record.kind == "function" and record.source == its.source and
      count_of(list, entry.signature) > count_of(fresh, entry.signature)
    if is_surplus or entry.signature == wanted and self:is_kept(entry.value, value) then found = i end
  end
  return found
end

-- Takes it out of `list`.
function Check:take_additions(item, list, fresh, before, old)
  for index, value in ipairs(additions(before, old, self.was)) do
    local found <const> = self:find_addition(list, fresh, value)
    if not found then fail("lost", item, "%s is gone, which the game had appended", show(value)) end
    self:keep(table.remove(list, found).value, value, item, index)
  end
end

function Check:check_list(item, live, new, before, old)
  local list <const>, wanted <const> = self:sorted_list(self.after.of, live), self:sorted_list(self.new.of, new)
  for i in ipairs(list) do
    if live[i] == nil then fail("list", item, "the list has a hole at %d", i) end
  end
  if before then self:take_additions(item, list, wanted, before, old) end
  if #list ~= #wanted then
    fail("list", item, "has %s entries of files, a fresh load has %s", show(#list), show(#wanted))
  end
  for i, entry in ipairs(wanted) do self:match(list[i].value, entry.value, item, entry.key) end
end

-- Keys that are tables or functions: once it is known what these are now. What only the running table has is the
-- game's.
function Check:check_object_keys()
  local list <const> = self.keyed
  self.keyed = {}
  for _, it in ipairs(list) do
    for key, value in pairs(it.new) do
      local live <const> = self.new.of[key] and self.live[key]
      if live then self:place(it.item, key, it.live[live], value, false) end
    end
    for key, value in pairs(it.before or {}) do
      if self.before.of[key] and self.was[key] == nil then
        self:keep(it.live[key], value, it.item, key)
      end
    end
  end
end

local function each_key(a, b, c, fn)
  for key in pairs(a) do fn(key) end
  for key in pairs(b) do
    if a[key] == nil then fn(key) end
  end
  for key in pairs(c) do
    if a[key] == nil and b[key] == nil then fn(key) end
  end
end

-- A value that somebody still held when the edit was made.
function Check:held_before(value)
  local record <const> = value ~= nil and self.before.of[value]
  return record and not record.is_lost and value or nil
end

-- Returns whether an entry has again the value that the game had put there before a file wrote it.
function Check:is_uncovered(container, key, live, new, before, old)
  local covered <const> = self.covered[container] or {}
  if new ~= nil and old == nil and before ~= nil then
    covered[key] = before
    self.covered[container] = covered
  end
  return new == nil and old ~= nil and live ~= nil and identical(live, covered[key])
end

-- Returns the length of a list; nil for other tables.
local function length_of(t)
  local count = 0
  for key in pairs(t) do
    if math.type(key) == "integer" and key >= 1 then count = count + 1 end
  end
  return #t == count and count or nil
end

-- The game has appended to a list: its elements are behind those of the text. Returns the lengths that the old text,
-- the new one and the game had made; nil for other lists.
function Check:appended(old, new, before)
  local a <const>, b <const>, c <const> = length_of(old), length_of(new), length_of(before)
  if not a or not b or not c or b == a or c <= a then return nil end
  for i = 1, a do
    if self:is_changed(before[i], old[i]) then return nil end
  end
  return a, b, c
end

function Check:visit_table(item)
  local live <const>, new <const> = self.after.of[item.live], self.new.of[item.new]
  local sure <const> = self.pairs:predecessor(item.new)
  local predecessor <const> = sure ~= nil and self:held_before(self.had[sure])
  if predecessor and not rawequal(predecessor, item.live) then
    fail("identity", item, "is another table than before")
  end
  local before, old = self.before.of[item.live], nil
  if before then
    old = self.old.of[self.was[item.live]]
    if not old and self.orphans[item.live] then return end -- no text made it for a while; nothing is known of it
    if not old then fail("owner", item, "is a table that the game made") end
  end
  local past <const> = before ~= nil
  local is_list <const> = new.at.kind == "list"
  local ba <const>, oa <const> = past and before.at or {}, past and old.at or {}
  local is_shared <const> = past and self.pairs:is_written_by_others(self.new.made_by[item.new])
  local a, b, c
  if not is_list then a, b, c = self:appended(oa, new.at, ba) end
  each_key(new.at, live.at, ba, function(key)
    if a and math.type(key) == "integer" and key > math.min(a, b) then
      if key > b and key <= b + c - a then return self:keep(live.at[key], ba[key - b + a], item, key) end
      return self:match(live.at[key], new.at[key], item, key)
    end
    if is_object(key) and (self.after.of[key] or self.new.of[key] or self.before.of[key]) then return end
    if is_list and math.type(key) == "integer" then return end
    -- An entry that a file no longer makes in another one's table: what the game has put there, also before that, may
    -- stay.
    local is_open <const> = is_shared and new.at[key] == nil
    if is_shared and self:is_uncovered(item.live, key, live.at[key], new.at[key], ba[key], oa[key]) then return end
    self:place(item, key, live.at[key], new.at[key], past, ba[key], oa[key], is_open)
  end)
  if is_list then self:check_list(item, live.at, new.at, past and ba, oa) end
  self.keyed[#self.keyed + 1] = { item = item, live = live.at, new = new.at, before = past and ba }
  self:place(item, "(metatable)", live.meta, new.meta, past, past and before.meta, past and old.meta)
end

-- }==

-- {== Functions ===============================================================

-- The cells of the old universe that the cell `id` of the new one may continue, and whether it must.
function Check:cells_before(item, id, name)
  local label <const> = self.new.label[id]
  if label then return { self.old.cell[label] }, true end
  local list <const> = {}
  for _, old in ipairs(self.pairs.of_new[item.new] or {}) do
    for _, up in ipairs(self.old.of[old].ups) do
      if up.name == name then list[#list + 1] = up.id end
    end
  end
  if #list > 0 then
    return list, not pairing.is_unstable(self.new.of[item.new]) and self.pairs:predecessor(item.new) ~= nil
  end
  local its <const> = self.new.name_of[id]
  local namesake <const> = its and self.new.alone[its] and self.old.alone[its]
  return { namesake or nil }, false -- it may go on by its name, if there is only one of that
end

function Check:visit_cell(item, live, new, name)
  if self.now[live] ~= nil or self.live[new] ~= nil then
    if self.now[live] ~= new or self.live[new] ~= live then
      fail("alias", item, "variable %s is%s shared with another function, unlike in a fresh load", name,
        self.now[live] == nil and " not" or "")
    end
    return
  end
  self.now[live], self.live[new] = new, live
  local value <const>, wanted <const> = self.after.cells[live].value, self.new.cells[new].value
  local candidates <const>, is_sure <const> = self:cells_before(item, new, name)
  for _, old in ipairs(candidates) do
    local id <const> = self.had[old]
    if is_sure and not id then return end -- the game had put away all functions that use it: nothing is known of it
    local before <const> = id and self.before.cells[id]
    if before and (is_sure or self:is_kept(value, before.value)) then
      local is_open <const> = not is_sure or wanted == nil
      return self:place(item, name, value, wanted, true, before.value, self.old.cells[old].value, is_open)
    end
  end
  self:match(value, wanted, item, name)
end

function Check:visit_function(item)
  local live <const>, new <const> = self.after.of[item.live], self.new.of[item.new]
  local source <const> = self:source_of(live)
  if source ~= new.source or live.first ~= new.first or live.last ~= new.last then
    fail("code", item, "is the function of %s:%s, a fresh load has the one of %s:%s", source, show(live.first),
      new.source, show(new.first))
  end
  local sure <const> = self.pairs:predecessor(item.new)
  local predecessor <const> = sure ~= nil and self:held_before(self.had[sure])
  if predecessor and predecessor ~= item.live and not self.again[self.new.made_by[item.new]] and
    not self.again[new.owner] then
    fail("identity", item, "is another function, though its file did not run again")
  end
  for i, up in ipairs(new.ups) do
    local its <const> = live.ups[i]
    if not its or its.name ~= up.name then
      fail("code", item, "variable %s is %s", up.name, its and its.name or "none")
    end
    if up.name == "_ENV" then
      self:match(self.after.cells[its.id].value, self.new.cells[up.id].value, item, "_ENV")
    else
      self:visit_cell(item, its.id, up.id, up.name)
    end
  end
end

function Check:visit(item)
  local kind <const> = self.new.of[item.new].kind
  if kind == "table" then self:visit_table(item) end
  if kind == "function" then self:visit_function(item) end
end

function Check:work_off()
  while #self.work > 0 or #self.keyed > 0 do
    while #self.work > 0 do self:visit(table.remove(self.work)) end
    self:check_object_keys()
  end
end

-- }==

-- {== What the files do not own ===============================================

-- Something that others hold: it is as it was, or a function's successor.
function Check:held(item, key, before, live)
  if type(before) ~= "function" then
    if not identical(live, before) then
      fail("heap", { key = key, from = item }, "is %s, was %s, and no edited file owns it", show(live), show(before))
    end
    return
  end
  local fate <const>, new <const> = self:fate(before)
  if fate == "follows" then return self:match(live, new, item, key) end
  if live ~= before and not (fate == "open" and type(live) == "function") then
    fail("heap", { key = key, from = item }, "is %s, was %s, and no edited file owns it", show(live), show(before))
  end
end

-- The key in `rest` that a function is now, which was a key before.
function Check:key_now(rest, key, before)
  local fate <const>, new <const> = self:fate(key)
  if fate == "stays" or fate == "follows" and self.live[new] ~= nil then return new ~= nil and self.live[new] or key end
  local wanted <const> = fate == "follows" and self:signature(self.new.of, new)
  for other in pairs(rest) do
    if type(other) == "function" and before.at[other] == nil then
      if not wanted then return rest[key] == nil and other or key end
      if self:signature(self.after.of, other) == wanted then
        self:match(other, new, nil, "a key")
        return other
      end
    end
  end
  return key
end

-- Functions are keys, too: one that was replaced is so as a key.
function Check:held_table(item, before, live)
  local rest <const> = {}
  for key, value in pairs(live.at) do rest[key] = value end
  for key, value in pairs(before.at) do
    local now <const> = type(key) == "function" and self:key_now(rest, key, before) or key
    self:held(item, key, value, rest[now])
    rest[now] = nil
  end
  local extra <const> = next(rest)
  if extra ~= nil then fail("heap", { key = extra, from = item }, "is new, and no edited file owns it") end
  if not rawequal(before.meta, live.meta) then
    fail("heap", item, "has another metatable, and no edited file owns it")
  end
end

-- A closure that the game has got from a function of a file keeps its code, and goes on sharing the file's variables.
function Check:held_function(item, before, live)
  for i, up in ipairs(before.ups) do
    local old <const>, id <const> = self.was[up.id], live.ups[i].id
    local label <const> = old ~= nil and self.old.label[old]
    local shared <const> = label and self.new.cell[label] and self.live[self.new.cell[label]]
    if shared then
      if id ~= shared then fail("share", item, "does not share the variable %s any more", up.name) end
    else
      if id ~= up.id then fail("heap", item, "has another variable %s", up.name) end
      if old == nil then self:held(item, up.name, self.before.cells[up.id].value, self.after.cells[id].value) end
    end
  end
end

function Check:check_heap()
  for value, before in pairs(self.before.of) do
    local live <const> = self.after.of[value]
    if live and self.was[value] == nil and not self.orphans[value] and not before.is_lost then
      local item <const> = { key = failures.name_of(value) }
      if before.kind == "table" then self:held_table(item, before, live) end
      if before.kind == "function" then self:held_function(item, before, live) end
      if before.kind == "thread" then
        for key, held in pairs(before.at) do self:held(item, key, held, live.at[key]) end
      end
    end
  end
end

-- }==

-- {== For the program =========================================================

local NOTHING <const> = { of = {}, cells = {}, cell = {}, label = {}, alone = {}, name_of = {}, file = {}, uses = {},
  texts = {}, made_by = {}, env = {} }

-- The rules of one edit, for a program of reload_program.lua. `before`: a capture, nil when
-- the program has just been loaded; `new`: the universe of the texts in force from now on.
function oracle.rules(self, before, new)
  local old <const> = self.universe or NOTHING
  return setmetatable({
    before = before or NOTHING, old = old, new = new, prefix = self.prefix, pairs = pairing.find(old, new),
    again = pairing.run_again(old, new), was = self.was, had = self.had, orphans = self.orphans, covered = self.covered,
    now = {}, live = {}, work = {}, keyed = {}, -- filled by the comparison
  }, Check)
end

-- Compares a capture from after the edit with all that must hold.
function Check:compare(after)
  self.after = after
  self:match(_G, self.new.env, nil, "_G")
  self:work_off()
  self:check_heap()
  self:work_off()
end

-- }==

return oracle
