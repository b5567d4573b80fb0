-- The world in which a scenario of reload_scenarios.lua plays: a folder with its files, whatever does the reloading.
-- A reloader is a table: `watch(folder)` before anything is required, `reload(names)` once the modules of these names
-- have been saved; it returns true, or false and a message.
--
-- The modules named first are required, then the steps are taken:
--   "text"             Lua that the game runs. Names are what steps have set, modules that are loaded, globals.
--   "? expression"     must be true
--   { name = "text" }  name.lua is saved; one reload for all of a step, which must go through, and whose result is then
--                      `result`. With `during`, Lua that the game runs, and that calls edit() for it.
--   { name, from, to } the same for name.lua, in which a piece of text is another one; more pairs may follow
--   "! words"          after such a step: the reload must be refused, by a message with these words
local worlds <const> = {}

-- {== Folders =================================================================

-- The runner of the specs has functions for folders; a program of its own has a shell.
local runner <const> = package.loaded.spec or {}

-- A new empty folder, where the runner of the tests keeps its own when it is the runner who asks.
worlds.folder = runner.folder or function()
  local parent <const> = os.getenv "SP_TEST_FOLDERS" or os.getenv "TMPDIR" or "/tmp"
  local pipe <close> = assert(io.popen(("mktemp -d '%s/spawnpool-reload-XXXXXX'"):format(parent)))
  return assert(pipe:read "l", "no folder for the files")
end

-- Makes a folder and those above it.
worlds.make_folder = runner.make_folder or function(folder)
  assert(os.execute(("mkdir -p '%s'"):format(folder)))
end

-- Removes a file, or a folder with all that is in it.
worlds.remove = runner.remove or function(path)
  os.execute(("rm -rf '%s'"):format(path))
end

-- }==

-- As most editors save: a file beside it, renamed when it is whole. Nobody can read half of it. The C library of
-- Windows renames to a name that is free.
function worlds.write(folder, name, text)
  local path <const>, draft <const> = folder .. "/" .. name, folder .. "/.draft"
  local file <close> = assert(io.open(draft, "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(draft, path) or (os.remove(path) and os.rename(draft, path)))
end

-- Replaces pieces of a file, as an author would: pairs of texts.
function worlds.change(folder, name, ...)
  local f <const> = assert(io.open(folder .. "/" .. name, "rb"))
  local text = f:read "a"
  f:close() -- Windows replaces no file that is open
  for i = 1, select("#", ...), 2 do
    local from <const>, to <const> = select(i, ...)
    local at <const>, last <const> = text:find(from, 1, true)
    if not at then error(("%s does not hold %q"):format(name, from), 3) end
    text = text:sub(1, at - 1) .. to .. text:sub(last + 1)
  end
  worlds.write(folder, name, text)
end

-- Writes { name = text, ... } as name.lua, or changes one of them; returns the names.
local function save(folder, files)
  if files[1] then
    worlds.change(folder, files[1] .. ".lua", table.unpack(files, 2))
    return { files[1] }
  end
  local names <const> = {}
  for name, text in pairs(files) do
    if name ~= "during" then
      worlds.write(folder, name .. ".lua", text)
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
function worlds.play(scenario, reloader, tools)
  local folder <const>, path <const> = worlds.folder(), package.path
  worlds.make_folder(folder .. "/pools")
  package.path = folder .. "/?.lua;" .. path
  local ok <const>, message <const> = pcall(play, scenario, reloader, folder, tools)
  package.path = path
  worlds.remove(folder)
  if not ok then error(message, 0) end
end

return worlds
