-- Histories: a small project with its edits, forth and back, for specs. After each edit reload_oracle.lua compares the
-- running program with a fresh load; what the history says besides is looked at, too.
local spec <const> = require "spec"
local cases <const> = require "reload_case"

local function files_of(texts)
  local files <const> = {}
  for name, text in pairs(texts) do files[name:find "[/.]" and name or name .. ".lua"] = text end
  return files
end

-- Returns the differences from the files `now`, which are updated; nil when there are none.
local function changed(now, files)
  local step <const> = {}
  for name, text in pairs(files) do
    if now[name] ~= text then step[name], now[name] = text, text end
  end
  return next(step) and { files = step }
end

-- "? expression": must be true. "> Lua text": what the game does. A table: files that are saved; a text: that of m.lua.
-- Then each version comes back, and the game writes into the modules before each edit.
local function steps_of(names, texts, list)
  local steps <const>, now <const>, versions <const> = {}, files_of(texts), { files_of(texts) }
  for _, step in ipairs(list) do
    local mark <const>, text <const> = tostring(step):match "^([?>]) (.*)"
    if mark then
      steps[#steps + 1] = { [mark == "?" and "see" or "act"] = text }
    else
      steps[#steps + 1] = changed(now, files_of(type(step) == "table" and step or { m = step }))
      local version <const> = {}
      for name, its in pairs(now) do version[name] = its end
      versions[#versions + 1] = version
    end
  end
  for i = #versions - 1, 1, -1 do
    for _, name in ipairs(names) do
      steps[#steps + 1] = { act = ("rawset(%s, 'g1', { %d, %s })"):format(name, i, name) }
    end
    steps[#steps + 1] = changed(now, versions[i])
  end
  return steps
end

-- The test that plays one: modules are required in the order of `names`, "bus a"; "a" in `texts` is the file a.lua.
--   spec.test("...", history("m", { m = "return { n = 1 }" }, { "> m.n = 5", "return { n = 2 }", "? m.n == 2" }))
return function(names, texts, list)
  return function()
    require "spawnpool"
    local case <const> = { names = {}, files = files_of(texts) }
    for name in names:gmatch "%S+" do case.names[#case.names + 1] = name end
    case.steps = steps_of(case.names, texts, list)
    local failure
    spec.hear(function()
      local _, its <const> = cases.replay(case, require "spawnpool.reload")
      failure = its
    end)
    if failure then error(failure.text, 0) end
  end
end
