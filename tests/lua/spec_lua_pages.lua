-- The pages of the Lua reference against the editor annotations, both ways. A table behind `<!-- names: CLASS -->` has
-- in its first column the names of that class, one behind `<!-- words: ALIAS -->` its words. Several tables may share a
-- class.
local spec <const> = require "spec"
local annotations <const> = require "annotations"

local PAGES <const> = { "docs/lua.md", "docs/lua-classes.md", "docs/lua-player.md" }
local WORDS <const> = { "spawnpool.Overflow", "spawnpool.Refusal", "spawnpool.Failure", "spawnpool.Why" }

-- { names = { CLASS = set }, words = { ALIAS = set } }
local function read_tables()
  local found <const> = { names = {}, words = {} }
  local into, pattern
  for _, page in ipairs(PAGES) do
    for line in io.lines(page) do
      local kind <const>, name <const> = line:match "^<!%-%- (%a+): ([%w.]+) %-%->$"
      if kind then
        into = found[kind][name] or {}
        found[kind][name] = into
        pattern = kind == "words" and '^"([%w_]+)"$' or "^([%a_][%w_]*)"
      elseif line:sub(1, 1) ~= "|" then
        into = nil
      end
      local cell <const> = into and line:match "^| (.-) |"
      for code in (cell or ""):gmatch "`([^`]*)`" do
        local word <const> = code:match(pattern)
        if word then into[word] = true end
      end
    end
  end
  return found
end

local function listed(names, other)
  local list <const> = {}
  for name in pairs(names) do
    if not other[name] then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, " ")
end

local function compare(what, on_page, annotated)
  spec.equal(listed(annotated, on_page), "", what .. ": not on a page")
  spec.equal(listed(on_page, annotated), "", what .. ": on a page, and there is none")
end

spec.describe("the pages of the Lua reference", function()
  spec.test("name all that the annotations do, and no more", function()
    local tables <const>, classes <const> = read_tables(), annotations.read()
    for class, names in pairs(classes) do
      if next(names) then compare(class, tables.names[class] or {}, names) end
    end
    spec.equal(listed(tables.names, classes), "", "tables of no class")
  end)

  spec.test("have every reason, and no other", function()
    local words <const> = read_tables().words
    for _, alias in ipairs(WORDS) do compare(alias, words[alias] or {}, annotations.words_of(alias)) end
  end)
end)
