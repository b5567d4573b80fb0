-- Random cases: a project is made, loaded, used and edited at random, and checked after every edit. Each step is
-- written down before it is made.
local cases <const> = require "reload_case"
local edits <const> = require "reload_project_edits"
local project <const> = require "reload_project"
local scripts <const> = require "reload_script"

local play <const> = {}

local EDITS <const> = 12 -- edits of one project
local MOST_PLACES <const> = 200

-- {== What the game does ======================================================

local function path_step(key)
  if math.type(key) == "integer" then return ("[%d]"):format(key) end
  return ("[%q]"):format(key)
end

-- Tables and functions that can be reached from the modules, each with an expression that leads there.
local function places_of(names)
  local list <const>, seen <const> = { tables = {}, functions = {} }, {}
  local work <const> = {}
  local function add(value, path)
    if seen[value] or #work > MOST_PLACES then return end
    if type(value) == "table" and value ~= _G or type(value) == "function" then
      seen[value] = true
      work[#work + 1] = { value = value, path = path }
    end
  end
  for _, name in ipairs(names) do add(package.loaded[name], ("package.loaded[%q]"):format(name)) end
  local at = 1
  while work[at] do
    local it <const> = work[at]
    at = at + 1
    if type(it.value) == "function" then
      list.functions[#list.functions + 1] = it
    elseif it.value ~= package.loaded and it.value ~= string and it.value ~= math then
      list.tables[#list.tables + 1] = it
      local keys <const> = {}
      for key in next, it.value do
        if type(key) == "string" or math.type(key) == "integer" then keys[#keys + 1] = key end
      end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      for _, key in ipairs(keys) do add(rawget(it.value, key), it.path .. path_step(key)) end
      if debug.getmetatable(it.value) then
        add(debug.getmetatable(it.value), ("debug.getmetatable(%s)"):format(it.path))
      end
    end
  end
  return list
end

local function state_variables(fn)
  local names <const> = {}
  for i = 1, 255 do
    local name <const> = debug.getupvalue(fn, i)
    if not name then return names end
    if name:find "^s%d" then names[#names + 1] = name end
  end
end

local VALUES <const> = {
  "42", "-0.0", '"game"', "true", "nil", "{}", "{ s1 = 1, 2, 3 }", "function() return 7 end", "math.sqrt",
  "closure(1)", "0/0",
}

local function value(random, list)
  local dice <const> = random.below(8)
  if dice == 0 and #list.functions > 0 then return random.pick(list.functions).path end
  if dice == 1 and #list.tables > 0 then return random.pick(list.tables).path end
  return random.pick(VALUES)
end

local actions <const> = {}

-- Mostly an entry that the text has made.
function actions.set(random, list)
  local it <const> = random.pick(list.tables)
  local keys <const> = {}
  for key in next, it.value do
    if type(key) == "string" and key:find "^s%d" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  local key <const> = #keys > 0 and not random.one_in(4) and random.pick(keys)
  return ("rawset(%s, %q, %s)"):format(it.path, key or random.pick { "s", "g" } .. random.below(5), value(random, list))
end

function actions.append(random, list)
  local path <const> = random.pick(list.tables).path
  return ("local t = %s t[#t + 1] = %s"):format(path, random.pick { "5", "{ name = 'game' }", "print",
    value(random, list) })
end

function actions.set_local(random, list)
  local it <const> = random.pick(list.functions)
  local names <const> = state_variables(it.value)
  return #names > 0 and ("set_local(%s, %q, %s)"):format(it.path, random.pick(names), value(random, list)) or nil
end

function actions.call(random, list)
  return ("%s(%s)"):format(random.pick(list.functions).path, value(random, list))
end

function actions.keep(random, list)
  return (random.pick { "game[#game + 1] = %s", "game[#game + 1] = { %s }", "game[#game + 1] = closure(%s)",
    "game[#game + 1] = thread(%s)", "game[%s] = true" }):format(random.pick(list.functions).path)
end

function actions.keep_table(random, list)
  return ("game[#game + 1] = { held = %s }"):format(random.pick(list.tables).path)
end

function actions.keep_result(random, list)
  return ("game[#game + 1] = { %s(%s) }"):format(random.pick(list.functions).path, value(random, list))
end

function actions.instance(random, list)
  return ("game[#game + 1] = setmetatable({ hp = 1 }, %s)"):format(random.pick(list.tables).path)
end

function actions.hold_in_object(random, list)
  return ("game.hold(%d, %s)"):format(random.below(3) + 1, random.pick(list.functions).path)
end

function actions.global(random, list, names)
  local writer <const> = random.pick(names):gsub(".*%.", "")
  return ("rawset(_G, %q, %s)"):format("s_" .. writer .. random.below(3), value(random, list))
end

function actions.pools(random, _, names)
  local types <const> = {}
  for _, name in ipairs(names) do types[#types + 1] = name:match "^pools%.(.*)" end
  if #types == 0 then return "pools:update()" end
  local form <const> = random.pick { "pools:alloc(%q, 0)", "pools:alloc(%q, 0.05)", "pools:recycle(%q) pools:update()",
    "world.types[%q].limit = 7" }
  return form:format(random.pick(types))
end

local KINDS <const> = {
  "set", "set", "set", "append", "set_local", "set_local", "set_local", "call", "call", "keep", "keep", "keep_table",
  "keep_result", "keep_result", "instance", "hold_in_object", "global", "pools", "pools", "pools",
}

local function action(random, names)
  local list <const> = places_of(names)
  if #list.tables == 0 or #list.functions == 0 then return nil end
  return actions[random.pick(KINDS)](random, list, names)
end

-- }==

-- {== One random case =========================================================

local function step(it, write, one)
  write(scripts.step(one))
  it:step(one)
end

local function act(it, write, random, state)
  for _ = 1, random.below(6) do
    local text <const> = action(random, it.names)
    if text then
      step(it, write, { act = text })
      for name in text:gmatch '"(s[%w_]*)"' do state.touched[name] = true end
    end
  end
end

local function changed_files(it, texts)
  local files <const> = {}
  for name, text in pairs(texts) do
    if it.disk[name] ~= text then files[name] = text end
  end
  return next(files) and files
end

-- A file that was saved half-way, or that a slip of the hand has changed; then the good one again.
local function damage(it, write, random, state)
  local texts <const> = state.tree:texts()
  local name <const> = random.pick(it.names):gsub("%.", "/") .. ".lua"
  local text <const> = texts[name] and edits.damaged(texts[name], random)
  if not text or text == it.disk[name] then return end
  step(it, write, { files = { [name] = text }, is_damaged = true })
  local back <const> = not it.is_over and changed_files(it, texts)
  if back then step(it, write, { files = back }) end
end

-- After an edit that was refused an author mostly goes back, or goes on from what works.
local function edit(it, write, random, state)
  local dice <const> = random.below(10)
  if random.one_in(30) then
    local name <const> = random.pick(it.names):gsub("%.", "/") .. ".lua"
    step(it, write, { files = { [name] = false } }) -- the next edit brings it back
  end
  local tree = state.tree:copy()
  if dice == 0 and state.before then
    tree = state.before:copy()
  else
    edits.random(tree, random, state.touched)
  end
  local files <const> = changed_files(it, tree:texts())
  if not files then return end
  local count <const> = it.count.refused + it.count.reverted
  step(it, write, { files = files })
  if it.is_over then return end
  if it.count.refused + it.count.reverted > count then
    if random.one_in(3) then return end -- it stays on the disk
    local back <const> = changed_files(it, state.tree:texts())
    if back then step(it, write, { files = back }) end
  else
    state.before, state.tree = state.tree, tree
  end
end

-- Plays the case of this seed; `write` gets its script, step by step. Returns the counts of edits, and the failure, if
-- any.
function play.random(seed, reload, write)
  local random <const> = project.random(seed)
  local tree <const> = project.new(random, seed)
  local case <const> = { names = tree:names(), files = tree:texts() }
  write(scripts.head(case))
  return cases.play(case, reload, function(it)
    local state <const> = { tree = tree, touched = {} }
    for _ = 1, EDITS do
      if it.is_over then return end
      act(it, write, random, state)
      local change <const> = random.one_in(5) and damage or edit
      change(it, write, random, state)
    end
  end)
end

-- Each file of this seed's project is cut off after every `stride` bytes, and comes back.
function play.cuts(seed, reload, stride)
  local tree <const> = project.new(project.random(seed), seed)
  local texts <const> = tree:texts()
  return cases.play({ names = tree:names(), files = texts }, reload, function(it)
    for file, text in pairs(texts) do
      for length = 0, #text - 1, stride do
        it:step { files = { [file] = text:sub(1, length) }, is_damaged = true }
        it:step { files = { [file] = text } }
      end
    end
  end)
end

-- Repeats edits of the first texts, which come back: some are refused, some have code that fails. Calls `on_round(it)`
-- after each round, which returns true at the last one.
function play.rounds(seed, reload, on_round)
  local random <const> = project.random(seed)
  local tree <const> = project.new(random, seed)
  local case <const>, versions <const> = { names = tree:names(), files = tree:texts() }, {}
  for i = 1, EDITS do
    local edited <const> = tree:copy()
    edits.random(edited, random, {}, ({ "mistake", "append late", "append hook" })[i % 6])
    versions[i] = edited:texts()
  end
  return cases.play(case, reload, function(it)
    repeat
      for i = 1, 2 * #versions do
        local files <const> = changed_files(it, i % 2 == 1 and versions[i // 2 + 1] or case.files)
        if files then it:step { files = files } end
      end
    until on_round(it)
  end)
end

-- }==

return play
