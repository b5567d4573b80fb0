-- Histories: a small project with its edits, for specs. After each edit reload_oracle.lua compares the running program
-- with a fresh load; what the history says besides is looked at, too.
local spec <const> = require "spec"
local cases <const> = require "reload_case"

local function files_of(texts)
  local files <const> = {}
  for name, text in pairs(texts) do files[name:find "[/.]" and name or name .. ".lua"] = text end
  return files
end

-- "? expression": must be true. "Lua text": what the game does. A table: files that are saved.
local function steps_of(list)
  local steps <const> = {}
  for i, step in ipairs(list) do
    local see <const> = type(step) == "string" and step:match "^%?%s*(.*)"
    steps[i] = type(step) == "table" and { files = files_of(step) } or see and { see = see } or { act = step }
  end
  return steps
end

-- The test that plays one: modules are required in the order of `names`, "bus a"; "a" in `texts` is the file a.lua.
--   spec.test("...", history("a", { a = "return { n = 1 }" }, { "a.n = 5", { a = "return { n = 2 }" }, "? a.n == 2" }))
return function(names, texts, list)
  return function()
    require "spawnpool"
    local case <const> = { names = {}, files = files_of(texts), steps = steps_of(list) }
    for name in names:gmatch "%S+" do case.names[#case.names + 1] = name end
    local failure
    spec.hear(function()
      local _, its <const> = cases.replay(case, require "spawnpool.reload")
      failure = its
    end)
    if failure then error(failure.text, 0) end
  end
end
