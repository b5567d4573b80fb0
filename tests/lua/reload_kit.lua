-- Small projects on disk that are edited while they run. A test of one is its files, the modules that are required
-- first, and steps:
--   "text"             Lua that the game runs. Names are what steps have set, the tools below, loaded modules, globals.
--   "? expression"     must be true
--   { name = "text" }  name.lua is saved; one reload for all of a step, which must go through, and whose result is then
--                      `result`. With `during`, Lua that the game runs, and that calls edit() for it.
--   { name, from, to } the same for name.lua, in which a piece of text is another one; more pairs may follow
--   "! words"          after such a step: the reload must be refused, by a message with these words
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

-- }==

if not package.loaded.spec then return projects end

-- {== For specs ===============================================================

local kit <const> = require "kit"
local reload <const> = require "spawnpool.reload"
local spec <const> = require "spec"

-- Seconds of work after which a file is taken for one that never ends.
local PATIENCE <const> = (os.getenv "SP_TEST_TOOL" or "") ~= "" and 3 or 0.2

-- Replaces pieces of a file, as an author would: pairs of texts.
local function change(folder, name, ...)
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

-- `files`: name -> text, "pools/Cube.lua" for classes. Close it to remove the folder:
--   local project <close> = projects.open { ["pools/Cube.lua"] = ... }
--   project.pools             a manager that finds the classes
--   project.save(name, text)  or save(name, piece, other), where another piece of text comes
function projects.open(files)
  local folder <const>, path <const> = projects.folder(), package.path
  local it <const> = { folder = folder }

  function it.save(name, text, ...)
    if name:find "/" then projects.make_folder(folder .. "/" .. name:match "^(.*)/") end
    if ... then change(folder, name, text, ...) else projects.write(folder, name, text) end
  end

  local function close()
    reload.unwatch()
    package.path = path
    projects.remove(folder)
  end

  projects.make_folder(folder .. "/pools")
  for name, text in pairs(files) do it.save(name, text) end
  package.path = ("%s/?.lua;%s/?/init.lua;%s"):format(folder, folder, path)
  reload.watch(folder)
  reload.patience(PATIENCE)
  it.pools = kit.new { path = folder .. "/pools/?.lua" }
  return setmetatable(it, { __close = close })
end

-- The variables of a step: those of `seen`, then modules that are loaded, then globals. New ones are set in `into`.
function projects.scope(seen, into)
  return setmetatable({}, { __newindex = into, __index = function(_, name)
    if seen[name] ~= nil then return seen[name] end
    local module <const> = package.loaded[name]
    if module ~= nil then return module end
    return _G[name]
  end })
end

-- What the steps of a test see. Frames are played by a manager, in whose calls the library notices errors: a timer
-- calls main.update. A poll follows each.
local function tools(it)
  local results <const>, main = {}, nil
  local seen <const> = { folder = it.folder, pools = it.pools, reload = reload, hear = spec.hear, spec = spec,
    spawnpool = require "spawnpool", expect_error = spec.expect_error, equal = spec.equal,
    tick = kit.tick, has = spec.contains }
  _G.pools_of_game = it.pools

  -- One poll, which must tell that a file was taken back; `says`: what else it tells, texts by a part of them.
  function seen.reverted(says)
    local result <const> = reload.poll() or error("nothing was taken back", 2)
    spec.equal({ result.ok, result.reverted }, { false, true })
    for key, want in pairs(says or {}) do
      if type(want) == "string" then spec.contains(result[key], want) else spec.equal(result[key], want) end
    end
  end

  function seen.play(frames)
    if not main then it.pools:every(kit.STEP, function() main.update() end) end
    main = require "main"
    for _ = 1, frames do
      kit.tick(it.pools)
      local result <const> = reload.poll()
      if result and not result.note then results[#results + 1] = result end
    end
  end

  -- Since the last call one save was taken back; the line has these parts.
  function seen.went_back(...)
    spec.equal(#results, 1, "how often something went back")
    local result <const> = table.remove(results)
    spec.equal({ result.ok, result.reverted }, { false, true }, result.line)
    spec.contains(result.line:gsub(" are reverted", " is reverted"), " is reverted", ...)
  end

  -- The polls have told nothing.
  function seen.stays() spec.equal(results[1] and results[1].line, nil, "what a poll says") end

  return projects.scope(seen)
end

-- Saves and reloads; `words` is what a refusal says, nil when there must be none.
local function edit(it, scope, step, words)
  if step[1] then it.save(step[1] .. ".lua", table.unpack(step, 2)) end
  for name, text in pairs(step[1] and {} or step) do
    if name ~= "during" then it.save(name .. ".lua", text) end
  end
  local result <const> = reload.now() or error "it saw no change"
  scope.result = result
  if not words then
    if not result.ok then error("the reload was refused: " .. tostring(result.error)) end
  elseif result.ok or not tostring(result.error):find(words, 1, true) then
    error(("the message does not have %q: %s"):format(words, result.error or result.line))
  end
end

local function take_step(it, scope, step, after)
  local text <const> = type(step) == "table" and step.during or step
  scope.edit = function() edit(it, scope, step) end
  if type(text) == "table" then return edit(it, scope, step, type(after) == "string" and after:match "^! (.*)") end
  local seen <const> = text:match "^%? (.*)"
  if text:find "^! " then return end
  local value <const> = assert(load(seen and "return " .. seen or text, "=step", "t", scope))()
  if seen and not value then error(("%s is %s"):format(seen, tostring(value))) end
end

-- "pools/Cube" in `files` is that class file; `modules`: "main other". What is reported of errors meanwhile would go to
-- stderr.
function projects.test(name, files, steps, modules)
  spec.test(name, function()
    local texts <const> = {}
    for key, text in pairs(files) do texts[key .. ".lua"] = text end
    local it <close> = projects.open(texts)
    spec.hear(function()
      for module in (modules or ""):gmatch "%S+" do require(module) end
      local scope <const> = tools(it)
      for i, step in ipairs(steps) do take_step(it, scope, step, steps[i + 1]) end
    end)
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
