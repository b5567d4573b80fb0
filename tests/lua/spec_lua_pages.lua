-- The pages of the Lua reference against the editor annotations, both ways. A table behind `<!-- names: CLASS -->` has
-- in its first column the names of that class, one behind `<!-- words: ALIAS -->` its words. Several tables may share a
-- class. And links lead somewhere.
local spec <const> = require "spec"
spec.ignores_collector "it reads files"
local kit <const> = require "kit"
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

local function compare(what, on_page, annotated)
  spec.equal(kit.only_in(annotated, on_page), "", what .. ": not on a page")
  spec.equal(kit.only_in(on_page, annotated), "", what .. ": on a page, and there is none")
end

-- What a heading is called in links: small letters, blanks as '-', no signs.
local function anchor_of(heading)
  return (heading:lower():gsub("[^%w_ -]", ""):gsub(" ", "-"))
end

local function anchors_of(page)
  local anchors <const> = {}
  for line in io.lines(page) do
    local heading <const> = line:match "^#+ (.*)"
    if heading then anchors[anchor_of(heading)] = true end
  end
  return anchors
end

spec.describe("the pages of the Lua reference", function()
  spec.test("lead to pages and headings that are there", function()
    for _, page in ipairs { PAGES[1], PAGES[2], PAGES[3], "docs/editors.md" } do
      for target, anchor in io.open(page):read("a"):gmatch "%]%(([%w_.-]*)#?([%w_-]*)%)" do
        local to <const> = target == "" and page or "docs/" .. target
        local found <const> = anchor == "" and io.open(to) or anchors_of(to)[anchor]
        spec.equal({ page, target, anchor, found ~= nil }, { page, target, anchor, true })
      end
    end
  end)

  spec.test("name all that the annotations do, and no more", function()
    local tables <const>, classes <const> = read_tables(), annotations.read()
    for class, names in pairs(classes) do
      if next(names) then compare(class, tables.names[class] or {}, names) end
    end
    spec.equal(kit.only_in(tables.names, classes), "", "tables of no class")
  end)

  spec.test("have every reason, and no other", function()
    local words <const> = read_tables().words
    for _, alias in ipairs(WORDS) do compare(alias, words[alias] or {}, annotations.words_of(alias)) end
  end)
end)
