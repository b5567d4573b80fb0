-- Random edits of a random project: each changes the tree of one module, as an author would.
local project <const> = require "reload_project"

local edits <const> = {}

-- {== Places ==================================================================

local HAS_NO_EXPRESSION <const> = { raw = true, import = true, class = true, type = true, hook = true }

-- All places in a module that hold an expression: { holder, key }.
local function places(module)
  local list <const> = {}
  local function add(holder, key)
    local e <const> = holder[key]
    list[#list + 1] = { holder = holder, key = key }
    if type(e) ~= "table" then return end
    if e.k == "tab" then
      for _, entry in ipairs(e) do add(entry, "value") end
    end
    if e.k == "meta" then add(e, 1) end
  end
  for _, decl in ipairs(module.decls) do
    if not HAS_NO_EXPRESSION[decl.k] then add(decl, "expr") end
  end
  return list
end

-- Places whose expression is of this kind, one of them.
local function pick_place(a, kind)
  local fitting <const> = {}
  for _, place in ipairs(places(a.module)) do
    local e <const> = place.holder[place.key]
    local has <const> = type(e) == "table" and e.k or type(e) == "string" and "text" or "none"
    if kind == "any" or has == kind then fitting[#fitting + 1] = place end
  end
  return #fitting > 0 and a.random.pick(fitting) or nil
end

-- A declaration with a body stays one: other expressions cannot take its place.
local function needs_body(holder)
  return holder.k == "lfun" or holder.k == "mfun" or holder.k == "factory" or holder.k == "block"
end

local function put(a, place, e)
  if needs_body(place.holder) and (type(e) ~= "table" or e.k ~= "fun") then e = a:fun() end
  place.holder[place.key] = e
end

local function pick_decl(a, ...)
  local fitting <const> = {}
  for i, decl in ipairs(a.module.decls) do
    for _, kind in ipairs { ... } do
      if decl.k == kind or kind == "any" then fitting[#fitting + 1] = i end
    end
  end
  local index <const> = #fitting > 0 and a.random.pick(fitting) or nil
  return index and a.module.decls[index], index
end

-- }==

-- {== Kinds of edits ==========================================================

-- A table <-> a number <-> a function of C <-> one of the file <-> one of another file.
function edits.replace(a)
  local place <const> = pick_place(a, "any")
  if place then put(a, place, a:expr(1)) end
end

-- Another number, string or the like: mostly where the game has set another.
function edits.tune(a)
  local fitting <const>, touched <const> = {}, {}
  for _, place in ipairs(places(a.module)) do
    local name <const> = place.holder.name or place.holder.key
    if type(place.holder[place.key]) ~= "table" and not needs_body(place.holder) then
      fitting[#fitting + 1] = place
      if a.touched[name] then touched[#touched + 1] = place end
    end
  end
  local list <const> = #touched > 0 and not a.random.one_in(4) and touched or fitting
  if #list > 0 then put(a, a.random.pick(list), a:scalar()) end
end

function edits.add(a) table.insert(a.module.decls, a.random.below(#a.module.decls + 1) + 1, a:decl()) end

function edits.remove(a)
  local _, index <const> = pick_decl(a, "any")
  if index then table.remove(a.module.decls, index) end
end

function edits.reorder(a)
  local _, index <const> = pick_decl(a, "any")
  if index then
    table.insert(a.module.decls, a.random.below(#a.module.decls) + 1, table.remove(a.module.decls, index))
  end
end

local function rename_in(tree, old, new)
  for key, value in pairs(tree) do
    if value == old and key ~= "k" then tree[key] = new end
    if type(value) == "table" then rename_in(value, old, new) end
  end
end

-- A local gets another name; half of the time those that use it are forgotten.
function edits.rename(a)
  local decl <const> = pick_decl(a, "local", "lfun", "import", "class")
  if not decl then return end
  local old <const>, new <const> = decl.name, a:new_name(decl.name:sub(1, 1))
  decl.name = new
  if a.random.one_in(2) then rename_in(a.module.decls, old, new) end
end

-- An entry gets another key: of a module, of another module's table, of a table in the text.
function edits.rekey(a)
  local decl <const> = pick_decl(a, "set", "put", "mfun")
  if decl then decl.key = decl.key:gsub("%d+$", tostring(a.random.below(4))) end
end

-- Two places have one table or function.
function edits.join(a)
  local place <const> = pick_place(a, a.random.one_in(3) and "any" or "tab")
  local name <const> = a:known_table() or a:known("local", "lfun", "class")
  if place and place.holder.name ~= name then put(a, place, { k = "ref", name = name or "M" }) end
end

-- What was shared gets a copy.
function edits.split(a)
  local place <const> = pick_place(a, "ref")
  local name <const> = place and place.holder[place.key].name
  for _, decl in ipairs(a.module.decls) do
    if place and decl.name == name and decl.expr then return put(a, place, project.copy(decl.expr)) end
  end
  local shared <const> = a:known_table()
  if not shared then return end
  for key = 1, 2 do -- there is nothing to split: the next one may
    table.insert(a.module.decls, { k = "set", base = "M", key = "k" .. key, expr = { k = "ref", name = shared } })
  end
end

function edits.swap(a)
  local kind <const> = a.random.pick { "any", "tab", "ref", "ref" }
  local one <const>, other <const> = pick_place(a, kind), pick_place(a, kind)
  if not one or one.holder == other.holder then return end
  local e <const> = one.holder[one.key]
  put(a, one, project.copy(other.holder[other.key]))
  put(a, other, project.copy(e))
end

-- In the middle of a table.
function edits.insert(a)
  local place <const> = pick_place(a, "tab")
  if not place then return end
  local tab <const> = place.holder[place.key]
  table.insert(tab, a.random.below(#tab + 1) + 1, { key = tab[1] and tab[1].key and "k" .. a.random.below(9),
    value = a:expr(2) })
end

function edits.take_out(a)
  local place <const> = pick_place(a, "tab")
  if place and #place.holder[place.key] > 0 then
    table.remove(place.holder[place.key], a.random.below(#place.holder[place.key]) + 1)
  end
end

function edits.body(a)
  local place <const> = pick_place(a, "fun")
  if not place then return end
  local fun <const> = place.holder[place.key]
  if a.random.one_in(2) then fun.n = fun.n + 1 else put(a, place, a:fun()) end
end

function edits.move_function(a)
  local decl <const> = pick_decl(a, "mfun")
  if decl then decl.base = a:known("local", "class", "type") or "M" end
end

function edits.library(a)
  local decl <const> = pick_decl(a, "raw")
  if decl then decl.n = decl.n + 1 end
end

function edits.reimport(a)
  local decl <const>, index <const> = pick_decl(a, "import")
  if not decl then return end
  local name <const> = decl.name
  a.module.decls[index] = project.KINDS.import(a)
  a.module.decls[index].name = name
end

function edits.returns(a)
  a.module.returns = a.module.returns ~= "M" and "M" or a.random.pick { "loaded", "loaded", "meta", "function", "false",
    "none" }
end

-- Comments and empty lines only.
function edits.space(a)
  local decl <const> = pick_decl(a, "any")
  if decl then decl.is_spaced = not decl.is_spaced end
end

function edits.const(a)
  local decl <const> = pick_decl(a, "local")
  if decl and not decl.name:find "^s" then decl.is_const = not decl.is_const end
end

function edits.uninitialised(a)
  local decl <const> = pick_decl(a, "local")
  if decl then decl.expr = not decl.expr and a:expr(0) or nil end
end

function edits.add_module(a)
  local count <const> = #a.project.modules
  if count > 5 then return end
  local name <const> = ("abcdef"):sub(count, count)
  local new <const> = a.project:add_module(name, a.random)
  table.insert(a.project.modules, 3, table.remove(a.project.modules)) -- so that others may require it
  table.insert(a.module.decls, { k = "import", name = a:new_name "i", module = new.name, form = 0 })
end

-- {== Classes ================================================================

local OF_CLASSES <const> = { "field", "field", "setting", "setting", "method", "hook", "hook", "extends" }

-- One entry of a list is put in, taken out or another one.
local function edit_list(a, list, make)
  local at <const> = a.random.below(#list + 1) + 1
  if list[at] and a.random.one_in(3) then table.remove(list, at) else list[at] = make() end
end

function edits.field(a)
  local decl <const> = pick_decl(a, "type")
  if decl then edit_list(a, decl.fields, function() return a:field() end) end
end

function edits.setting(a)
  local decl <const> = pick_decl(a, "type")
  if decl then edit_list(a, decl.settings, function() return a:setting() end) end
end

function edits.method(a)
  local decl <const> = pick_decl(a, "type")
  if decl then
    edit_list(a, decl.methods, function() return { key = "m" .. a.random.below(3), value = a:fun() } end)
  end
end

function edits.hook(a)
  local decl <const> = pick_decl(a, "hook")
  if decl then decl.n = decl.n + 1 else a.module.decls[#a.module.decls + 1] = project.KINDS.hook(a) end
end

function edits.extends(a)
  local decl <const> = pick_decl(a, "type")
  local parents <const> = a.project:types_before(a.module)
  if decl then decl.extends = not decl.extends and #parents > 0 and a.random.pick(parents) or nil end
end

-- }==

-- {== Mistakes ================================================================

local MISTAKES <const> = {
  "local = 1", "end", "error 'half way'", "error({})", "local none = nil .. 1", "print(unknown.entry)",
  'require "nowhere"', "G_new = 1 string.mine = 1 error 'late'", "bus.on(print) world.names.left = 1 error 'later'",
}

function edits.mistake(a)
  if a.module.type then edits[a.random.pick(OF_CLASSES)](a) end -- which must be undone
  local text <const> = a.random.one_in(60) and "while true do end" or a.random.pick(MISTAKES)
  table.insert(a.module.decls, a.random.below(#a.module.decls + 1) + 1, { k = "raw", text = text, n = 0 })
end

-- Code of a class that loads and then fails.
function edits.late(a)
  local late <const> = a.module.type and { k = "hook", form = "function %s:on_spawn() error 'late' end",
    name = a.module.type, n = 0 }
  a.module.decls[#a.module.decls + 1] = late or nil
end

function edits.circle(a)
  local last <const> = a.project.modules[#a.project.modules]
  if last ~= a.module and not last.type then
    table.insert(a.module.decls, 1, { k = "raw", text = ('require "%s"'):format(last.name), n = 0 })
  end
end

-- }==

-- }==

local COMMON <const> = {
  "replace", "replace", "tune", "tune", "tune", "tune", "tune", "tune", "add", "add", "remove", "remove", "reorder",
  "rename", "rekey", "join", "join", "split", "split", "swap", "split", "swap", "insert", "take_out", "body", "body",
  "move_function", "library", "reimport", "space", "const", "uninitialised", "returns", "add_module", "mistake",
  "circle", "late",
}

-- Changes `tree` by one to three edits, mostly of one module; returns words that say which. `touched`: a set of names
-- that the game has set. `first`: the kind of the first edit, of a class file if there is one.
function edits.random(tree, random, touched, first)
  local words <const>, rare <const> = {}, { returns = 4, add_module = 3, mistake = 2, circle = 6, late = 2 }
  local module = first and tree.modules[#tree.modules] or random.pick(tree.modules)
  repeat
    if random.one_in(4) then module = random.pick(tree.modules) end
    local name <const> = first or random.pick(module.type and random.one_in(2) and OF_CLASSES or COMMON)
    if first or not rare[name] or random.one_in(rare[name]) then
      first = nil
      edits[name](project.author_of(tree, module, random, touched))
      words[#words + 1] = ("%s in %s"):format(name, module.name)
    end
  until #words > 0 and random.one_in(2) or #words == 3
  return table.concat(words, ", ")
end

-- {== Slips ==================================================================

local slips <const> = {}

function slips.cut(_, text, random) return text:sub(1, random(#text)) end

function slips.flip(_, text, random)
  local at <const> = random(#text) + 1
  return text:sub(1, at - 1) .. string.char(text:byte(at) ~ (1 << random(8))) .. text:sub(at + 1)
end

function slips.delete(lines, _, random) table.remove(lines, random(#lines) + 1) end

function slips.duplicate(lines, _, random)
  local at <const> = random(#lines) + 1
  table.insert(lines, at, lines[at])
end

function slips.swap(lines, _, random)
  local a <const>, b <const> = random(#lines) + 1, random(#lines) + 1
  lines[a], lines[b] = lines[b], lines[a]
end

-- A text with one slip: cut off, with another byte, with a line too few, too many or in the wrong place. nil when
-- another byte or place makes a program of it: that may write what no text says, as `M.f` from within a function.
function edits.damaged(text, random)
  local name <const>, lines <const> = random.pick { "cut", "flip", "delete", "duplicate", "swap" }, {}
  for line in text:gmatch "[^\n]*\n?" do lines[#lines + 1] = line ~= "" and line or nil end
  local new <const> = slips[name](lines, text, random.below) or table.concat(lines)
  return (name == "delete" or name == "duplicate" or not load(new)) and new or nil
end

-- }==

return edits
