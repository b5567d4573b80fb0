-- Small projects on disk that are edited while they run.
--
-- A scenario is the files of a small game, the modules that are required first, and steps:
--   "text"             Lua that the game runs. Names are what steps have set, modules that are loaded, globals.
--   "? expression"     must be true
--   { name = "text" }  name.lua is saved; one reload for all of a step, which must go through, and whose result is then
--                      `result`. With `during`, Lua that the game runs, and that calls edit() for it.
--   { name, from, to } the same for name.lua, in which a piece of text is another one; more pairs may follow
--   "! words"          after such a step: the reload must be refused, by a message with these words
-- A reloader is a table: `watch(folder)` before anything is required, `reload(names)` once the modules of these names
-- have been saved; it returns true, or false and a message.
local projects <const> = {}

-- {== Folders =================================================================

-- The runner of the specs has functions for folders; a program of its own has a shell.
local runner <const> = package.loaded.spec or {}

-- A new empty folder, where the runner of the tests keeps its own when it is the runner who asks.
projects.folder = runner.folder or function()
  local parent <const> = os.getenv "SP_TEST_FOLDERS" or os.getenv "TMPDIR" or "/tmp"
  local pipe <close> = assert(io.popen(("mktemp -d '%s/spawnpool-reload-XXXXXX'"):format(parent)))
  return assert(pipe:read "l", "no folder for the files")
end

-- Makes a folder and those above it.
projects.make_folder = runner.make_folder or function(folder)
  assert(os.execute(("mkdir -p '%s'"):format(folder)))
end

-- Removes a file, or a folder with all that is in it.
projects.remove = runner.remove or function(path)
  os.execute(("rm -rf '%s'"):format(path))
end

-- As most editors save: a file beside it, renamed when it is whole. Nobody can read half of it. The C library of
-- Windows renames to a name that is free.
function projects.write(folder, name, text)
  local path <const>, draft <const> = folder .. "/" .. name, folder .. "/.draft"
  local file <close> = assert(io.open(draft, "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(draft, path) or (os.remove(path) and os.rename(draft, path)))
end

-- Replaces pieces of a file, as an author would: pairs of texts.
function projects.change(folder, name, ...)
  local f <const> = assert(io.open(folder .. "/" .. name, "rb"))
  local text = f:read "a"
  f:close() -- Windows replaces no file that is open
  for i = 1, select("#", ...), 2 do
    local from <const>, to <const> = select(i, ...)
    local at <const>, last <const> = text:find(from, 1, true)
    if not at then error(("%s does not hold %q"):format(name, from), 3) end
    text = text:sub(1, at - 1) .. to .. text:sub(last + 1)
  end
  projects.write(folder, name, text)
end

-- }==

-- {== Reloaders ===============================================================

projects.reloaders = {}

-- Plain Lua: each saved module is forgotten and required again. What holds the old table goes on holding it.
projects.reloaders.require = {
  watch = function() end,
  reload = function(names)
    return pcall(function()
      for _, name in ipairs(names) do
        package.loaded[name] = nil
        require(name)
      end
    end)
  end,
}

-- Seconds of work after which a file is taken for one that never ends: a scenario has one, and waits for it.
local PATIENCE <const> = 0.2

-- The library. What is saved is read at once: no frame has to pass.
projects.reloaders.spawnpool = {
  watch = function(folder)
    require "spawnpool"
    local reload <const> = require "spawnpool.reload"
    reload.watch(folder)
    reload.patience(PATIENCE)
  end,
  reload = function()
    local result <const> = require("spawnpool.reload").now()
    if not result then return false, "it saw no change" end
    return result.ok, result.error, result
  end,
}

-- }==

-- {== Scenarios ===============================================================

-- Writes { name = text, ... } as name.lua, or changes one of them; returns the names.
local function save(folder, files)
  if files[1] then
    projects.change(folder, files[1] .. ".lua", table.unpack(files, 2))
    return { files[1] }
  end
  local names <const> = {}
  for name, text in pairs(files) do
    if name ~= "during" then
      projects.write(folder, name .. ".lua", text)
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

-- The names that the texts of a scenario see.
local function new_scope(tools)
  return setmetatable({}, { __index = function(_, name)
    if tools[name] ~= nil then return tools[name] end
    local module <const> = package.loaded[name]
    if module ~= nil then return module end
    return _G[name]
  end })
end

-- Saves and reloads; `words` is what a refusal says, nil when there must be none.
local function edit(folder, reloader, scope, files, words)
  local ok <const>, message <const>, result <const> = reloader.reload(save(folder, files))
  scope.result = result
  if not words and not ok then error("the reload was refused: " .. tostring(message)) end
  if words and ok then error "the reload went through" end
  if words and not tostring(message):find(words, 1, true) then
    error(("the message does not have %q: %s"):format(words, tostring(message)))
  end
end

local function take_step(folder, reloader, scope, step, words)
  if type(step) == "string" then
    local seen <const> = step:match "^%? (.*)"
    local value <const> = assert(load(seen and "return " .. seen or step, "=step", "t", scope))()
    if seen and not value then error(("%s is %s"):format(seen, tostring(value))) end
  elseif step.during then
    scope.edit = function() edit(folder, reloader, scope, step) end
    assert(load(step.during, "=reload_step.lua", "t", scope))()
  else
    edit(folder, reloader, scope, step, words)
  end
end

local function play(scenario, reloader, folder, tools)
  save(folder, scenario.files)
  reloader.watch(folder)
  for name in scenario.modules:gmatch "%S+" do require(name) end
  local scope <const>, steps <const> = new_scope(tools and tools(folder) or {}), scenario.steps
  for i, step in ipairs(steps) do
    local after <const> = steps[i + 1]
    local words <const> = type(after) == "string" and after:match "^! (.*)"
    if type(step) ~= "string" or not step:find "^! " then take_step(folder, reloader, scope, step, words) end
  end
end

-- Plays one scenario; raises what is wrong. Removes the folder and gives package.path back. `tools(folder)`: what its
-- texts see besides.
function projects.play(scenario, reloader, tools)
  local folder <const>, path <const> = projects.folder(), package.path
  projects.make_folder(folder .. "/pools")
  package.path = folder .. "/?.lua;" .. path
  local ok <const>, message <const> = pcall(play, scenario, reloader, folder, tools)
  package.path = path
  projects.remove(folder)
  if not ok then error(message, 0) end
end

-- }==

if not package.loaded.spec then return projects end

-- {== For specs ===============================================================

local kit <const> = require "kit"
local reload <const> = require "spawnpool.reload"
local spec <const> = require "spec"

-- `files`: name -> text, "pools/Cube.lua" for classes. Close it to remove the folder:
--   local project <close> = projects.open { ["pools/Cube.lua"] = ... }
--   project.pools      a manager that finds the classes         project.save(name, text)
--   project.edit(...)  saves, reloads, must go through
-- It takes a name and a text, or a name, a piece of the text and another one.
function projects.open(files)
  local folder <const>, path <const> = projects.folder(), package.path
  local it <const> = { folder = folder }

  function it.save(name, text) projects.write(folder, name, text) end

  function it.edit(name, ...)
    if select("#", ...) == 2 then projects.change(folder, name, ...) else it.save(name, ...) end
    local result <const> = reload.now() or error("nothing was reloaded", 2)
    if not result.ok then error("the reload was refused: " .. tostring(result.error), 2) end
    return result
  end

  local function close()
    reload.unwatch()
    package.path = path
    projects.remove(folder)
  end

  for name, text in pairs(files) do
    projects.make_folder(folder .. "/" .. (name:match "^(.*)/" or "pools"))
    it.save(name, text)
  end
  package.path = folder .. "/?.lua;" .. path
  reload.watch(folder)
  it.pools = kit.new { path = folder .. "/pools/?.lua" }
  return setmetatable(it, { __close = close })
end

local function has(line, ...)
  for _, part in ipairs { ... } do
    if not line:find(part, 1, true) then error(("%q is not in: %s"):format(part, line), 2) end
  end
end

local function lacks(line, part) spec.equal(line:find(part, 1, true), nil, line) end

-- One poll, which must tell that a file was taken back; `says`: what else it tells, texts by a part of them, in which
-- FOLDER is the project's.
function projects.reverted(says, folder)
  local result <const> = reload.poll()
  if not result then error("nothing was taken back", 2) end
  spec.equal({ result.ok, result.reverted }, { false, true })
  for key, want in pairs(says or {}) do
    local part <const> = type(want) == "string" and want:gsub("FOLDER", folder)
    spec.equal(result[key], part and result[key]:find(part, 1, true) and result[key] or want)
  end
end

-- The functions of the library that the steps of a scenario see. Frames are played by a manager, in whose calls the
-- library notices errors: a timer calls main.update. A poll follows each.
local function tools(folder)
  local results <const>, it <const> = {}, {
    folder = folder, pools = kit.new { path = folder .. "/pools/?.lua" }, reload = reload, hear = spec.hear,
    spec = spec, spawnpool = require "spawnpool", expect_error = spec.expect_error, equal = spec.equal,
    reverted = projects.reverted, tick = kit.tick, has = has, lacks = lacks,
  }
  local main
  _G.pools_of_game = it.pools

  function it.play(frames)
    if not main then it.pools:every(kit.STEP, function() main.update() end) end
    main = require "main"
    for _ = 1, frames do
      kit.tick(it.pools)
      local result <const> = reload.poll()
      if result and not result.note then results[#results + 1] = result end
    end
  end

  -- Since the last call one save was taken back; the line has these parts.
  function it.went_back(...)
    spec.equal(#results, 1, "how often something went back")
    local result <const> = table.remove(results)
    spec.equal({ result.ok, result.reverted }, { false, true }, result.line)
    has(result.line:gsub(" are reverted", " is reverted"), " is reverted", ...)
  end

  -- The polls have told nothing.
  function it.stays() spec.equal(results[1] and results[1].line, nil, "what a poll says") end

  return it
end

-- A test that is a scenario: "pools/Cube" in `files` is that class file. What is reported of errors meanwhile would go
-- to stderr.
function projects.test(name, files, steps, modules)
  spec.test(name, function()
    local scenario <const> = { files = files, modules = modules or "", steps = steps }
    spec.hear(projects.play, scenario, projects.reloaders.spawnpool, tools)
    reload.unwatch()
  end, 2)
end

-- The text of a class file: `class` is its definition, `body` what follows.
function projects.class(name, class, body)
  return ([[
local spawnpool <const> = require "spawnpool"
local %s <const> = spawnpool.class("%s", %s)
%s
return %s
]]):format(name, name, class or "{}", body or "", name)
end

-- }==

return projects
