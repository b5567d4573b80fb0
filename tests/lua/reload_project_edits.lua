-- Random edits of a random project: each changes the tree of one module, as an author would.
local project <const> = require "reload_project"

local edits <const> = {}

-- {== Places ==================================================================

-- Calls `fn(holder, key)` for each node below this one; `holder[key]` is it.
local function each_node(holder, fn)
  for key, child in ipairs(holder) do
    if type(child) == "table" then
      if child.form then fn(holder, key) end
      each_node(child, fn)
    end
  end
end

local function pick_node(a, accepts)
  local list <const> = {}
  each_node(a.module.decls, function(holder, key)
    if accepts(holder[key], holder, key) then list[#list + 1] = { holder, key } end
  end)
  return table.unpack(a.random.pick(list) or {})
end

local function pick_of(a, symbol, form)
  return pick_node(a, function(node) return node.symbol == symbol and (not form or node.form == form) end)
end

-- A list of these; declarations of all kinds lie in the module's.
local function pick_list(a, symbol)
  local lists <const> = { symbol == "decl" and a.module.decls or nil }
  each_node(a.module.decls, function(holder, key)
    for _, child in ipairs(holder[key]) do
      if type(child) == "table" and child.of == symbol then lists[#lists + 1] = child end
    end
  end)
  return a.random.pick(lists)
end

local function insert(a, list, node)
  if list and node then table.insert(list, a.random.below(#list + 1) + 1, node) end
end

local function text(symbol, form) return { symbol = symbol, form = form } end

-- Another expression that names something: `name`, or whatever fits.
local function reference(a, name) return { symbol = "expr", form = "$@any", name or a:known "any" } end

-- }==

-- {== Edits of any symbol =====================================================

function edits.again(a, symbol)
  local holder <const>, key <const> = pick_of(a, symbol)
  if holder then holder[key] = a:derive(symbol) or holder[key] end
end

-- Another form, with what has been in this one as far as it fits.
function edits.reform(a, symbol)
  local holder <const>, key <const> = pick_of(a, symbol)
  local new <const> = holder and a:derive(symbol)
  if new then holder[key] = a:fill(text(symbol, new.form), holder[key]) end
end

function edits.insert(a, symbol) insert(a, pick_list(a, symbol), a:derive(symbol)) end

function edits.remove(a, symbol)
  local list <const> = pick_list(a, symbol)
  if list and #list > 0 then table.remove(list, a.random.below(#list) + 1) end
end

function edits.move(a, symbol)
  local list <const> = pick_list(a, symbol)
  if list and #list > 0 then insert(a, list, table.remove(list, a.random.below(#list) + 1)) end
end

-- One more in the module, which must not be of this kind otherwise.
function edits.add(a, symbol) insert(a, a.module.decls, a:derive(symbol)) end

function edits.append(a, symbol) table.insert(a.module.decls, a:derive(symbol) or nil) end

-- }==

-- {== Edits of values and names ===============================================

local VALUES <const> = { ["$scalar"] = true, ["$foreign"] = true, ["$made"] = true }

-- Another number, string or the like: mostly where the game has set another. What an expression is of stands before it.
function edits.tune(a)
  local function is_value(node) return node.symbol == "expr" and VALUES[node.form] end
  local function is_touched(node, holder, key)
    local owner <const> = is_value(node) and holder[key - 1]
    return owner and a.touched[type(owner) == "table" and project.print(owner, a.scope) or owner]
  end
  local holder, key
  if not a.random.one_in(4) then holder, key = pick_node(a, is_touched) end
  if not holder then holder, key = pick_node(a, is_value) end
  if holder then holder[key] = a:fill(text("expr", "$scalar")) end
end

local function rename_in(tree, old, new)
  for key, value in ipairs(tree) do
    if value == old then tree[key] = new end
    if type(value) == "table" then rename_in(value, old, new) end
  end
end

-- A name is another one; half of the time those that use it are forgotten.
function edits.rename(a)
  local holder <const>, key <const> = pick_node(a, function(node)
    return node.form:find "%$=" and not node.form:find "%$=type"
  end)
  if not holder then return end
  local node <const> = holder[key]
  local old <const>, new <const> = node[1], a:new_name(node.form:match "%$=(%a+)")
  node[1] = new
  if a.random.one_in(2) then rename_in(a.module.decls, old, new) end
end

-- Two places have one table or function.
function edits.join(a)
  local symbol <const> = a.random.one_in(3) and "expr" or nil
  local holder <const>, key <const> = pick_of(a, "expr", not symbol and "$tab" or nil)
  if holder then holder[key] = reference(a, a.random.one_in(2) and a:known "table" or nil) end
end

local function declaration_of(a, name)
  local holder <const>, key <const> = pick_node(a, function(node) return node[1] == name and node.form:find "%$=" end)
  return holder and holder[key]
end

-- Copies a shared value; where there is none, shares one, so that the next call may split it.
function edits.split(a)
  local holder <const>, key <const> = pick_of(a, "expr", "$@any")
  local shared <const> = holder and declaration_of(a, holder[key][1])
  for _, child in ipairs(shared or {}) do
    if type(child) == "table" and child.symbol == "expr" then
      holder[key] = project.copy(child)
      return
    end
  end
  local name <const> = a:known "table"
  for _ = 1, name ~= "M" and 2 or 0 do
    table.insert(a.module.decls, { symbol = "set", form = "$@holder.$key = $expr", "M", a:derive "key",
      reference(a, name) })
  end
end

function edits.swap(a)
  local form <const> = a.random.pick { "$tab", "$@any", "$@any", false } or nil
  local one <const>, first <const> = pick_of(a, "expr", form)
  local other <const>, second <const> = pick_of(a, "expr", form)
  if not one or one == other then return end
  one[first], other[second] = project.copy(other[second]), project.copy(one[first])
end

-- }==

-- {== Edits of modules ========================================================

function edits.returns(a)
  a.module.returns = a.module.returns ~= "return M" and "return M" or a.random.pick { "package.loaded[...] = M",
    "package.loaded[...] = M", "return setmetatable(M, { __index = world.names })", "return function() return M end",
    "return false", "" }
end

function edits.add_module(a)
  local count <const> = #a.project.modules
  if count > 5 then return end
  local new <const> = a.project:add_module(("abcdef"):sub(count, count), nil, a.random)
  table.insert(a.project.modules, 3, table.remove(a.project.modules)) -- so that others may require it
  table.insert(a.module.decls, a:fill(text("import", ('local $=module = require("%s")'):format(new.name))))
end

function edits.mistake(a)
  if a.module.type then edits.insert(a, a.random.pick { "field", "setting", "method" }) end -- which must be undone
  edits.add(a, "mistake")
end

function edits.circle(a)
  local last <const> = a.project.modules[#a.project.modules]
  if last ~= a.module and not last.type then
    table.insert(a.module.decls, 1, text("circle", ('require "%s"'):format(last.name)))
  end
end

-- }==

-- "3: insert decl" is an edit and its symbol, three times; the second list is for class files.
local function list_of(words)
  local list <const> = {}
  for times, name in words:gmatch "(%d+): (%a[%w_ ]*)" do
    for _ = 1, tonumber(times) do list[#list + 1] = name end
  end
  return list
end

local COMMON <const> = list_of [[2: again expr, 6: tune, 2: insert decl, 2: remove decl, 1: move decl, 1: rename,
  1: again key, 2: join, 3: split, 2: swap, 1: insert item, 1: insert entry, 1: remove item, 1: remove entry,
  2: again body, 1: again mfun, 1: reform mfun, 2: again n, 1: reform import, 1: again file, 1: reform value,
  1: reform state, 1: again effect, 1: returns, 1: add_module, 1: mistake, 1: circle, 1: append late]]
local OF_CLASSES <const> = list_of [[1: insert field, 1: remove field, 1: again field, 1: insert setting,
  1: remove setting, 1: again setting, 1: insert method, 1: again method, 2: again n, 1: append hook, 1: again hook]]
local RARE <const> = { returns = 4, add_module = 3, mistake = 2, circle = 6, ["append late"] = 2 }

-- Changes `tree` by one to three edits, mostly of one module. `touched`: a set of names that the game has set. `first`:
-- the first edit, of a class file if there is one.
function edits.random(tree, random, touched, first)
  local count = 0
  local module = first and tree.modules[#tree.modules] or random.pick(tree.modules)
  repeat
    if random.one_in(4) then module = random.pick(tree.modules) end
    local name <const> = first or random.pick(module.type and random.one_in(2) and OF_CLASSES or COMMON)
    if first or not RARE[name] or random.one_in(RARE[name]) then
      first = nil
      local before <const>, author <const> = project.text(module), project.author(tree, module, random)
      author.touched = touched
      local edit <const>, symbol <const> = name:match "^(%S+) ?(.*)"
      edits[edit](author, symbol)
      count = count + (project.text(module) ~= before and 1 or 0)
    end
  until count > 0 and random.one_in(2) or count == 3
end

-- A text with one slip: cut off, with another byte, with a line too few, too many or in the wrong place. nil when
-- another byte or place makes a program of it: that may write what no text says, as `M.f` from within a function.
function edits.damaged(whole, random)
  local slip <const> = random.pick { "cut", "flip", "delete", "duplicate", "swap" }
  local lines = {}
  for line in whole:gmatch "[^\n]*\n?" do lines[#lines + 1] = line ~= "" and line or nil end
  local at <const>, i <const>, k <const> = random.below(#whole) + 1, random.below(#lines) + 1,
    random.below(#lines) + 1
  if slip == "cut" then return whole:sub(1, at - 1) end
  if slip == "flip" then
    lines = { whole:sub(1, at - 1), string.char(whole:byte(at) ~ (1 << random.below(8))), whole:sub(at + 1) }
  elseif slip == "swap" then
    lines[i], lines[k] = lines[k], lines[i]
  elseif slip == "delete" then
    table.remove(lines, i)
  else
    table.insert(lines, i, lines[i])
  end
  local new <const> = table.concat(lines)
  return (slip == "delete" or slip == "duplicate" or not load(new)) and new or nil
end

return edits
