-- README.md, CHANGELOG.md and docs/ hold together: every link leads somewhere, every page and picture is reached from
-- README.md, every command line can be typed, and every block of code is run by a test of run.lua.
local host <const> = require "host"
local pages <const> = require "pages"

local check <const> = pages.check

local KILOBYTES_MOST <const>, FILM_KILOBYTES_MOST <const> = 200, 1500

-- Tests do not use the network: these links were checked by hand.
local OUTSIDE <const> = [[
http://dkolf.de/src/dkjson-lua.fsl/home
https://github.com/Olivine-Labs/mediator_lua
https://github.com/Tieske/binaryheap.lua
https://github.com/Yonaba/Moses
https://github.com/kikito/bump.lua
https://github.com/kikito/inspect.lua
https://github.com/kikito/middleclass
https://github.com/lunarmodules/luacheck
https://github.com/rxi/classic
https://github.com/rxi/flux
https://github.com/rxi/lume
https://keepachangelog.com
https://luals.github.io
https://lunarmodules.github.io/Penlight
https://semver.org
https://www.aseprite.org
]]

-- {== Pages and links ==========================================================

local function list(command)
  local _, out <const> = host.run(command)
  local paths <const> = {}
  for path in out:gmatch "[^\n]+" do paths[#paths + 1] = path end
  check(#paths > 10, "no files: %s", command)
  return paths
end

local function all_pages()
  local all <const> = {}
  for _, path in ipairs(list "ls README.md CHANGELOG.md docs/*.md") do all[#all + 1] = pages.open(path) end
  return all
end

local function exists(path)
  local file <close> = io.open(path)
  return file ~= nil
end

-- The file that a link is about, from the root of the tree; the page itself for "#anchor". Then the anchor, or nil. nil
-- for a link to the outside.
local function target_of(page, link)
  if link:find "://" or link:find "^mailto:" then return nil end
  local file <const>, anchor <const> = link:match "^([^#]*)#?(.*)$"
  local path = file == "" and page.path or (page.path:match "^.*/" or "") .. file
  repeat
    local count
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path, anchor ~= "" and anchor or nil
end

-- A heading of a page; "L10" or "L10-L20" of any other file.
local function has_anchor(path, anchor)
  if path:find "%.md$" then return pages.open(path):anchors()[anchor] end
  local _, lines <const> = pages.read(path):gsub("\n", "")
  local first <const>, last <const> = anchor:match "^L(%d+)-?L?(%d*)$"
  return first and tonumber(first) >= 1 and math.max(tonumber(first), tonumber(last) or 0) <= lines
    and (tonumber(last) or math.huge) >= tonumber(first)
end

local function problem_of(page, link)
  local path <const>, anchor <const> = target_of(page, link)
  if not path then
    return not OUTSIDE:find(link .. "\n", 1, true) and link .. " is not in the list of tests/docs/site.lua" or nil
  end
  if not exists(path) then return "there is no " .. path end
  return anchor and not has_anchor(path, anchor) and path .. " has no " .. anchor or nil
end

local function links()
  local count = 0
  for _, page in ipairs(all_pages()) do
    for _, link in ipairs(page:links()) do
      local problem <const> = problem_of(page, link)
      check(not problem, "%s: %s", page.path, problem)
      count = count + 1
    end
  end
  check(count > 80, "%d links", count)
end

-- Data and manual pages are not for readers of pages.
local function reached()
  local found <const>, queue <const> = { ["README.md"] = true }, { "README.md" }
  while #queue > 0 do
    local page <const> = pages.open(table.remove(queue))
    for _, link in ipairs(page:links()) do
      local path <const> = target_of(page, link)
      if path and not found[path] then
        found[path] = true
        if path:find "%.md$" then queue[#queue + 1] = path end
      end
    end
  end
  for _, path in ipairs(list "find README.md CHANGELOG.md docs -type f") do
    local kind <const> = path:match "%.(%w+)$"
    local most <const> = kind == "webp" and FILM_KILOBYTES_MOST or KILOBYTES_MOST
    check(found[path] or not ("md png svg gif jpg webp"):find(kind, 1, true), "no page leads to %s", path)
    check(#pages.read(path) < most * 1024, "%s has more than %d KB", path, most)
  end
end

-- }==

-- {== Index and navigation =====================================================

-- The last lines of a page: previous, index, next, home.
local function footer(entries, i)
  local before <const>, after <const> = entries[i - 1], entries[i + 1]
  return ("\n\n---\n\n%s[Index](README.md)%s · [Home](../README.md)\n"):format(
    before and ("Previous: [%s](%s) · "):format(before.title, before.file) or "",
    after and (" · Next: [%s](%s)"):format(after.title, after.file) or "")
end

local function navigation()
  local entries <const>, listed <const> = {}, {}
  for file in pages.read("docs/README.md"):gmatch "\n| %[[^%]]*%]%(([%w-]+%.md)%)" do
    local text <const> = pages.read("docs/" .. file)
    check(not listed[file], "docs/README.md lists %s twice", file)
    listed[file] = true
    entries[#entries + 1] = { file = file, text = text, title = check(text:match "^# ([^\n]+)", "%s: no title", file) }
  end
  for i, entry in ipairs(entries) do
    local last <const> = footer(entries, i)
    check(entry.text:sub(-#last) == last, "docs/%s does not end with:%s", entry.file, last)
  end
  for _, path in ipairs(list "ls docs/*.md") do
    local file <const> = path:match "[^/]+$"
    check(listed[file] or file == "README.md", "docs/README.md does not list %s", file)
  end
end

-- }==

-- {== Blocks ===================================================================

-- A block that is indented, or fenced by ~~~, would be seen by a reader and not by the tests.
local function declared_blocks(declared)
  for _, page in ipairs(all_pages()) do
    local hidden <const> = page.text:find " ```" or page.text:find "~~~"
    check(not hidden, "%s: an indented block", page.path)
    local here <const>, infos <const> = declared[page.path] or {}, {}
    for _, block in ipairs(page.blocks) do
      infos[block.info] = true
      check(block.info ~= "", "%s:%d: a block without a language", page.path, block.line - 1)
      local is_slow <const> = block.info == "sh" or block.info == "cmake" -- tests/slow runs them
      check(here[block.info] or block.info == "text" or is_slow,
        "%s:%d: no test runs blocks of %s: see tests/docs/run.lua", page.path, block.line, block.info)
    end
    for info in pairs(here) do check(infos[info], "%s has no block of %s", page.path, info) end
  end
end

local WRONG_COMMANDS <const> = [[
```sh
make tset
make bench QUIKC=1
build/spawnpool --headles scripts/cubes
spawnpool nowhere
build/spawnpol x
frobnicate
cc src/core/none.c
spawnpool --size huge scripts/cubes
```
]]

local function commands()
  local wrong_of <const>, lines = require "commands", 0
  host.run(("ln -s \"$PWD/scripts\" '%s'"):format(host.folder))
  for _, page in ipairs(all_pages()) do
    local wrong <const>, count <const> = wrong_of(page)
    check(#wrong == 0, table.concat(wrong, "\n"))
    lines = lines + count
  end
  check(lines >= 20, "%d lines", lines)
  local found <const>, count <const> = wrong_of(pages.parse("page.md", WRONG_COMMANDS))
  check(#found == count, "wrong lines that are not found; found are:\n%s", table.concat(found, "\n"))
end

-- The results are checked by make bench-reload and the specs.
local function scenarios()
  local page <const>, all <const> = pages.open "docs/hot-reload.md", require "reload_scenarios"
  for _, it in ipairs(all) do check(page.text:find("\n| " .. it.name .. " | ", 1, true), "no row %s", it.name) end
  check(#all == 24, "%d scenarios", #all)
end

-- }==

-- {== The reader of pages itself ===============================================

local PAGE <const> = "# A page: *one* `two()`, [three](x.md#y)\n"
  .. "See [a](b.md#c) and `[no](code.md)`, ``[no](`code.md)``, ![p](p.png\n"
  .. "\"title\").\n```lua love\n# no heading\nlocal t = a[1](2)\n```\n"
  .. "<a href=\"e.md\">e</a> ` [d](d.md)\n\n## Limits\n## Limits\n### L\xc3\x96VE's way\n"

local function reader()
  local page <const> = pages.parse("page.md", PAGE)
  local block <const>, anchors <const> = page:find("lua love", "# no"), page:anchors()
  check(#page.blocks == 1 and block.language == "lua" and block.line == 5)
  check(block.code == "# no heading\nlocal t = a[1](2)\n")
  check(not pcall(page.find, page, "lua", "") and not pcall(pages.parse, "page.md", "```lua\nprint()\n"))
  check(table.concat(page:links(), " ") == "x.md#y b.md#c p.png d.md e.md", table.concat(page:links(), " "))
  for _, anchor in ipairs { "a-page-one-two-three", "limits", "limits-1", "l\xc3\xb6ves-way" } do
    check(anchors[anchor], "no anchor %s", anchor)
  end
  for _, anchor in ipairs { "limits-2", "Limits", "no-heading", "limit" } do
    check(not anchors[anchor], "an anchor %s", anchor)
  end
  check(problem_of(page, "nowhere.md") and problem_of(page, "README.md#nothing") and problem_of(page, "http://x.org"))
  check(problem_of(page, "Makefile#L100000") and not problem_of(page, "Makefile#L1-L2"))
end

-- }==

return function(declared)
  return {
    ["links"] = links,
    ["pages and pictures are reached"] = reached,
    ["index and navigation"] = navigation,
    ["blocks are run"] = function() declared_blocks(declared) end,
    ["command lines"] = commands,
    ["scenarios of reloading"] = scenarios,
    ["the reader of pages"] = reader,
  }
end
