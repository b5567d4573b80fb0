-- The world in which a scenario of reload_scenarios.lua plays: a folder with its files, whatever does the reloading.
-- A reloader is a table: `watch(folder)` before anything is required, `reload(names)` once the modules of these names
-- have been saved; it returns true, or false and a message. Plain Lua modules only, so that any reloader fits.
local worlds <const> = {}

-- A new empty folder, where the runner of the tests keeps its own when it is the runner who asks.
function worlds.folder()
  local parent <const> = os.getenv "SP_TEST_FOLDERS" or os.getenv "TMPDIR" or "/tmp"
  local pipe <close> = assert(io.popen(("mktemp -d '%s/spawnpool-reload-XXXXXX'"):format(parent)))
  return assert(pipe:read "l", "no folder for the files")
end

-- As most editors save: a file beside it, renamed when it is whole. Nobody can read half of it.
function worlds.write(folder, name, text)
  local draft <const> = folder .. "/.draft"
  local file <close> = assert(io.open(draft, "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(draft, folder .. "/" .. name))
end

local function modules_of(files)
  local names <const> = {}
  for name in pairs(files) do names[#names + 1] = name:gsub("%.lua$", ""):gsub("/", ".") end
  table.sort(names)
  return names
end

-- A scenario has one edit, or a list of edits for one reload each.
local function edits_of(scenario)
  return scenario.edit[1] and scenario.edit or { scenario.edit }
end

-- What a scenario's `play` is given. Closing it removes the folder and gives package.path back.
--   require(name)  as the game's own files do          save(files)  writes { ["shapes.lua"] = text, ... }
--   reload()       one reload: true, or false and why  next()       saves the scenario's next edit, then reloads
function worlds.open(scenario, reloader)
  local folder <const>, path <const>, edits <const> = worlds.folder(), package.path, edits_of(scenario)
  local saved <const>, it <const> = {}, {}
  local changed, edit = {}, 0

  -- The `require` of this moment: a reloader may have put its own in place.
  function it.require(name) return require(name) end

  function it.save(files)
    for name, text in pairs(files) do
      worlds.write(folder, name, text)
      saved[name], changed[name] = true, text
    end
  end

  function it.reload()
    local names <const> = modules_of(changed)
    changed = {}
    return reloader.reload(names)
  end

  function it.next()
    edit = edit + 1
    it.save(edits[edit])
    return it.reload()
  end

  local function close()
    package.path = path
    for name in pairs(saved) do os.remove(folder .. "/" .. name) end
    os.remove(folder)
  end

  it.save(scenario.files)
  changed = {}
  package.path = folder .. "/?.lua;" .. path
  reloader.watch(folder)
  return setmetatable(it, { __close = close })
end

-- Plays one scenario; raises what is wrong.
function worlds.play(scenario, reloader)
  local it <close> = worlds.open(scenario, reloader)
  scenario.play(it)
end

-- {== What a play says ========================================================

function worlds.same(got, want, what)
  if got ~= want then error(("%s is %s, expected %s"):format(what, tostring(got), tostring(want)), 2) end
end

-- The next edit goes through.
function worlds.accept(world)
  local ok <const>, message <const> = world.next()
  if not ok then error("the reload was refused: " .. tostring(message), 2) end
end

-- The next edit is refused, and the message names the file.
function worlds.refuse(world, file)
  local ok <const>, message <const> = world.next()
  if ok then error("the reload went through", 2) end
  if not tostring(message):find(file, 1, true) then
    error(("the message does not name %s: %s"):format(file, tostring(message)), 2)
  end
end

-- }==

return worlds
