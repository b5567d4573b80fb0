-- Histories: a small project with its edits, forth and back. After each edit the running program is what a fresh load
-- of the new texts is, in a world of its own: values, functions by their lines and variables, and what is the same
-- table, function or variable as what. Places that the game has set are excepted: the history says what is in them. An
-- edit is refused exactly if the new texts do not load; then nothing at all has changed.
local projects <const> = require "reload_kit"
local reload <const> = require "spawnpool.reload"
local spec <const> = require "spec"

local getmetatable <const>, getupvalue <const> = debug.getmetatable, debug.getupvalue
local getinfo <const>, upvalueid <const> = debug.getinfo, debug.upvalueid
local METATABLE <const> = "(metatable)" -- stands for its key

-- Libraries that files may write into: each fresh load has copies.
local LIBRARIES <const> = { _G, package, package.loaded, string, table, math }

local function same(a, b) return rawequal(a, b) and math.type(a) == math.type(b) and (a ~= 0.0 or 1 / a == 1 / b) end

local function has_parts(value) return type(value) == "table" or type(value) == "function" end

-- {== What there is ===========================================================

-- What a table or a function leads to: fn(key, value) for each entry, or variable.
local function each_part(value, fn)
  if type(value) == "table" then
    for key, entry in next, value do fn(key, entry) end
    fn(METATABLE, getmetatable(value))
  elseif getinfo(value, "S").what ~= "C" then
    for i = 1, 255 do
      local name <const>, held <const> = getupvalue(value, i)
      if not name then break end
      if name ~= "_ENV" then fn(upvalueid(value, i), held) end
    end
  end
end

-- Returns all that the program has made: table -> its entries, id of a variable -> { its value }.
local function look(it)
  local seen <const>, work <const> = {}, {}
  local function meet(value)
    if not has_parts(value) or seen[value] or it.outside[value] then return end
    seen[value] = {}
    work[#work + 1] = value
  end
  for _, library in ipairs(LIBRARIES) do
    seen[library] = {}
    work[#work + 1] = library
  end
  while #work > 0 do
    local value <const> = table.remove(work)
    each_part(value, function(key, part)
      local entries <const> = type(value) == "table" and seen[value] or seen[key] or {}
      if type(value) == "table" then entries[key] = part else seen[key], entries[1] = entries, part end
      meet(key)
      meet(part)
    end)
  end
  return seen
end

-- Calls fn(holder, key, old, now) for each place with another value.
local function each_change(before, after, fn)
  for holder, old in next, before do
    local now <const> = after[holder] or old -- nobody holds it any more
    for key, value in next, old do
      local is_same <const> = same(value, now[key]) or value ~= value and now[key] ~= now[key]
      if not is_same then fn(holder, key, value, now[key]) end
    end
    for key, value in next, now do
      if old[key] == nil then fn(holder, key, nil, value) end
    end
  end
end

-- }==

-- {== A fresh load ============================================================

local function new_world() return { list = { kind = "list" }, names = {} } end

local function file_of(name, texts)
  local path <const> = name:gsub("%.", "/")
  return texts[path .. ".lua"] and path .. ".lua" or texts[path .. "/init.lua"] and path .. "/init.lua"
end

-- Loads the modules from texts. Returns the globals and the copies of libraries, or nil and the error.
local function load_fresh(it, texts)
  local copies <const>, results <const> = {}, {}
  for _, library in ipairs(LIBRARIES) do copies[library] = {} end
  for library, entries in pairs(it.libraries) do
    for key, value in pairs(entries) do copies[library][key] = copies[value] or value end
  end
  local env <const>, running <const> = copies[_G], {}
  local loaded <const> = env.package.loaded
  env.world = new_world()
  function env.load(chunk, name, mode, e) return load(chunk, name, mode, e or env) end
  function env.require(name)
    local file <const> = file_of(name, texts)
    if not file then return loaded[name] or require(name) end
    if loaded[name] ~= nil then return loaded[name] end
    if running[name] then error("a circle of requires") end
    running[name] = true
    local result <const> = assert(load(texts[file], "@" .. it.folder .. "/" .. file, "t", env))(name)
    running[name] = nil
    if result ~= nil or loaded[name] == nil then loaded[name] = result == nil or result end
    results[name] = loaded[name]
    return loaded[name]
  end
  for _, name in ipairs(it.names) do
    local done <const>, wrong <const> = pcall(env.require, name)
    if not done then return nil, wrong end
  end
  for name, result in pairs(results) do
    local was_table <const> = type(it.results[name]) == "table"
    if was_table and type(result) ~= "table" then return nil, "it was a table" end
  end
  env.require, env.load = require, load
  return { copies = copies, results = results }
end

-- }==

-- {== Comparing ===============================================================

local function show(value)
  local info <const> = type(value) == "function" and getinfo(value, "S")
  if info then return ("function of %s:%d"):format(info.short_src, info.linedefined) end
  return type(value) == "table" and ("%p"):format(value) or tostring(value)
end

-- What tells elements of a list apart, whose order means nothing.
local function signature(value)
  if type(value) == "table" then return "table " .. tostring(rawget(value, "name")) end
  return show(value)
end

local function sorted(list)
  local new <const>, signatures <const> = table.move(list, 1, #list, 1, {}), {}
  for _, value in ipairs(new) do signatures[value] = signatures[value] or signature(value) end
  table.sort(new, function(a, b) return signatures[a] < signatures[b] end)
  return new
end

local Check <const> = {}
Check.__index = Check

function Check:fail(path, live, fresh)
  error(("%s is %s, a fresh load has %s"):format(path, show(live), show(fresh)), 0)
end

function Check:meet(path, live, fresh)
  local is_equal <const> = same(live, fresh) or live ~= live and fresh ~= fresh
  if is_equal and self.of[fresh] == nil then return end
  if type(live) ~= type(fresh) or type(live) == "number" then self:fail(path, live, fresh) end
  if type(live) == "thread" then return end
  if not has_parts(live) then self:fail(path, live, fresh) end
  if self.of[live] ~= nil or self.of[fresh] ~= nil then
    local is_known <const> = rawequal(self.of[live], fresh) and rawequal(self.of[fresh], live)
    if not is_known then error(path .. " is, or is not, what is elsewhere, unlike in a fresh load", 0) end
    return
  end
  self.of[live], self.of[fresh] = fresh, live
  self.work[#self.work + 1] = { path, live, fresh }
end

function Check:meet_function(path, live, fresh)
  local a <const>, b <const> = getinfo(live, "S"), getinfo(fresh, "S")
  if a.what == "C" then return b.what == "C" and getupvalue(live, 1) or self:fail(path, live, fresh) end
  local is_same <const> = a.source:gsub("\\", "/") == b.source and a.linedefined == b.linedefined
  if not is_same or a.lastlinedefined ~= b.lastlinedefined then self:fail(path, live, fresh) end
  for i = 1, 255 do
    local name <const>, held <const> = getupvalue(live, i)
    local its <const>, wanted <const> = getupvalue(fresh, i)
    if name ~= its then self:fail(path .. ", variable " .. i, name, its) end
    if not name then return end
    local id <const>, other <const> = upvalueid(live, i), upvalueid(fresh, i)
    if (self.of[id] or other) ~= other or (self.of[other] or id) ~= id then
      error(("%s shares its %s, or does not, unlike in a fresh load"):format(path, name), 0)
    end
    self.of[id], self.of[other] = other, id
    if name ~= "_ENV" and not self.games[id] then self:meet(path .. "/" .. name, held, wanted) end
  end
end

function Check:meet_table(path, live, fresh)
  local games <const>, is_list <const> = self.games[live] or {}, rawget(fresh, "kind") == "list"
  local a <const>, b <const> = is_list and sorted(live) or live, is_list and sorted(fresh) or fresh
  local function meet(key)
    local its <const> = math.type(key) == "integer"
    if has_parts(key) or games[its and "list" or key] then return end
    local from <const>, to <const> = its and a or live, its and b or fresh
    self:meet(("%s.%s"):format(path, show(key)), rawget(from, key), rawget(to, key))
  end
  for key in next, live do meet(key) end
  for key in next, fresh do meet(key) end
  if not games[METATABLE] then self:meet(path .. "'s metatable", getmetatable(live), getmetatable(fresh)) end
  self.keyed[#self.keyed + 1] = { path, live, fresh }
end

-- Keys that are tables or functions, when it is known what these are now. What is met here comes into `keyed` too.
function Check:meet_keys()
  for _, it in ipairs(table.move(self.keyed, 1, #self.keyed, 1, {})) do
    for key, value in next, it[3] do
      local live = has_parts(key) and self.of[key] or nil
      if live == nil and has_parts(key) then live = key end
      if live ~= nil and not (self.games[it[2]] or {})[live] then self:meet(it[1] .. "[key]", it[2][live], value) end
    end
  end
end

function Check:work_off()
  while #self.work > 0 do
    local path <const>, live <const>, fresh <const> = table.unpack(table.remove(self.work))
    local meet <const> = type(live) == "table" and self.meet_table or self.meet_function
    meet(self, path, live, fresh)
  end
end

local function compare(it, new)
  local check <const> = setmetatable({ games = it.games, of = {}, work = {}, keyed = {} }, Check)
  for _, library in ipairs(LIBRARIES) do
    check.of[library], check.of[new.copies[library]] = new.copies[library], library
  end
  for i, library in ipairs(LIBRARIES) do check:meet_table("library " .. i, library, new.copies[library]) end
  check:work_off()
  check:meet_keys()
  check:work_off()
end

-- }==

-- {== Playing =================================================================

local function save(it, files)
  for name, text in pairs(files) do
    it.save(name, text)
    it.disk[name] = text
  end
end

-- An old mistake does not keep out an edit: then the saved files are loaded alone.
local function expected(it, files)
  local new, wrong = load_fresh(it, it.disk)
  if new or not it.is_bad then return new, wrong, it.disk end
  local texts <const> = {}
  for name, text in pairs(it.good) do texts[name] = files[name] or text end
  new, wrong = load_fresh(it, texts)
  return new, wrong, texts
end

local function take_over(it, new, texts)
  it.results, it.good = new.results, {}
  for name, text in pairs(texts) do it.good[name] = text end
  compare(it, new)
end

local function tables_of(it)
  local tables <const> = {}
  for _, name in ipairs(it.names) do
    local module <const> = package.loaded[name]
    tables[name] = type(module) == "table" and module or nil
  end
  return tables
end

-- Modules are the tables that they were, and what the game has put under names like g1 stays.
local function check_kept(it, before, tables)
  for name, module in pairs(tables) do
    if not rawequal(package.loaded[name], module) then error(name .. " is another table than before", 0) end
  end
  each_change(before, look(it), function(_, key, old, now)
    local is_games <const> = type(key) == "string" and key:find "^g%d"
    if is_games then error(("the game's %s is %s, was %s"):format(key, show(now), show(old)), 0) end
  end)
end

local function edit(it, version)
  local before <const>, files <const>, tables <const> = look(it), {}, tables_of(it)
  for name, text in pairs(version) do files[name] = it.disk[name] ~= text and text or nil end
  save(it, files)
  local new <const>, wrong <const>, texts <const> = expected(it, files)
  local result <const> = reload.now()
  while reload.poll() do end
  it.is_bad = texts ~= it.disk or not new
  if new then
    if result and not result.ok and texts == it.disk then error(result.error, 0) end
    check_kept(it, before, tables)
    return take_over(it, new, texts)
  end
  if not result or result.ok then error("it went through, although " .. tostring(wrong), 0) end
  if not result.error:find "[%w/]+%.lua:%d+" then error("the message names no line: " .. result.error, 0) end
  each_change(before, look(it), function(_, key, old, now)
    error(("%s is %s after a refused edit, was %s"):format(show(key), show(now), show(old)), 0)
  end)
end

local function act(it, text)
  local before <const> = look(it)
  pcall(assert(load(text, "=game", "t", it.scope)))
  each_change(before, look(it), function(holder, key)
    it.games[holder] = it.games[holder] or {}
    it.games[holder][math.type(key) == "integer" and "list" or key] = true
  end)
end

local function take_step(it, step)
  local mark <const>, text <const> = tostring(step):match "^([?>]) (.*)"
  if mark == ">" then return act(it, text) end
  if not mark then return edit(it, step) end
  if not assert(load("return " .. text, "=see", "t", it.scope))() then error(text .. " is not so", 0) end
end

local function play(it, steps)
  _G.game = {}
  for _, library in ipairs(LIBRARIES) do
    it.libraries[library] = {}
    for key, value in next, library do it.libraries[library][key], it.outside[value] = value, true end
  end
  for _, library in ipairs(LIBRARIES) do it.outside[library] = nil end
  _G.world = new_world()
  for _, name in ipairs(it.names) do require(name) end
  local new <const> = assert(load_fresh(it, it.disk))
  take_over(it, new, it.disk)
  for i = 2, #steps do take_step(it, steps[i]) end
end

local function files_of(texts)
  local files <const> = {}
  for name, text in pairs(texts) do files[name:find "[/.]" and name or name .. ".lua"] = text end
  return files
end

-- "? expression": must be true. "> Lua text": what the game does. A table: files that are saved; a text: that of m.lua.
-- Then each version comes back, and the game writes into the modules before each edit.
local function steps_of(names, texts, list)
  local steps <const>, now <const>, versions <const> = { files_of(texts) }, files_of(texts), {}
  local function add(files)
    local version <const> = {}
    for name, text in pairs(now) do version[name] = text end
    for name, text in pairs(files) do now[name] = text end
    versions[#versions + 1], steps[#steps + 1] = version, files
  end
  for _, step in ipairs(list) do
    local is_edit <const> = type(step) == "table" or not step:find "^[?>] "
    if is_edit then add(files_of(type(step) == "table" and step or { m = step })) else steps[#steps + 1] = step end
  end
  for i = #versions, 1, -1 do
    for _, name in ipairs(names) do
      steps[#steps + 1] = ("> rawset(%s, 'g1', { %d, %s })"):format(name, i, name)
    end
    steps[#steps + 1] = versions[i]
  end
  return steps
end

-- The test that plays one: modules are required in the order of `names`, "bus a"; "a" in `texts` is the file a.lua.
--   spec.test("...", history("m", { m = "return { n = 1 }" }, { "> m.n = 5", "return { n = 2 }", "? m.n == 2" }))
return function(names, texts, list)
  return function()
    local it <close> = projects.open(files_of(texts))
    it.names, it.disk, it.results, it.games, it.libraries, it.outside = {}, files_of(texts), {}, {}, {}, {}
    it.scope = projects.scope({}, _G)
    for name in names:gmatch "%S+" do it.names[#it.names + 1] = name end
    spec.hear(play, it, steps_of(it.names, texts, list))
  end
end
