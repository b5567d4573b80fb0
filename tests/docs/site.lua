-- README.md, CHANGELOG.md and docs/ hold together: every link leads somewhere, every page and picture is reached from
-- README.md, every command line can be typed, and every block of code is run by a test of run.lua.
local host <const> = require "host"
local pages <const> = require "pages"
local player <const> = require "player"

local check <const> = pages.check

local WORDS_MOST <const>, PAGES_MOST <const> = 47000, 17
local KILOBYTES_MOST <const> = 1500 -- of a page or a picture

-- Tests do not use the network: these links were checked by hand.
local OUTSIDE <const> = [[
http://dkolf.de/src/dkjson-lua.fsl/home
https://github.com/lunarmodules/luacheck
https://keepachangelog.com
https://luals.github.io
https://semver.org
https://www.aseprite.org
]]

local function list(command)
  local _, out <const> = host.run(command)
  local paths <const> = {}
  for path in out:gmatch "[^\n]+" do paths[#paths + 1] = path end
  return paths
end

local function all_pages()
  local all <const> = {}
  for _, path in ipairs(list "ls README.md CHANGELOG.md docs/*.md") do all[#all + 1] = pages.open(path) end
  return all
end

-- {== Links ====================================================================

local function exists(path)
  local file <close> = io.open(path)
  return file ~= nil
end

-- The file that a link is about, from the root of the tree; the page itself for "#anchor". Then the anchor, or nil. nil
-- for a link to the outside.
local function target_of(page, link)
  if link:find "://" then return nil end
  local file <const>, anchor <const> = link:match "^([^#]*)#?(.*)$"
  local path = file == "" and page.path or (page.path:match "^.*/" or "") .. file
  repeat
    local count
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path, anchor ~= "" and anchor or nil
end

local function problem_of(page, link)
  local path <const>, anchor <const> = target_of(page, link)
  if not path then
    return not OUTSIDE:find(link .. "\n", 1, true) and link .. " is not in the list of tests/docs/site.lua" or nil
  end
  if not exists(path) then return "there is no " .. path end
  return anchor and not pages.open(path):anchors()[anchor] and path .. " has no " .. anchor or nil
end

local function links()
  for _, page in ipairs(all_pages()) do
    for _, link in ipairs(page:links()) do
      local problem <const> = problem_of(page, link)
      check(not problem, "%s: %s", page.path, problem)
    end
  end
end

-- Data and manual pages are not for readers of pages. Every page leads back to the list of all.
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
    check(found[path] or not ("md png svg gif jpg webp"):find(path:match "%.(%w+)$", 1, true),
      "no page leads to %s", path)
    check(#pages.read(path) < KILOBYTES_MOST * 1024, "%s has more than %d KB", path, KILOBYTES_MOST)
    local last <const> = "\n\n---\n\n[All pages](../README.md#documentation)\n"
    check(not path:find "^docs/.*%.md$" or pages.read(path):sub(-#last) == last, "%s does not end with:%s", path, last)
  end
end

local function size()
  local words, count = 0, 0
  for _, page in ipairs(all_pages()) do
    words, count = words + select(2, page.text:gsub("%S+", "")), count + 1
  end
  check(words <= WORDS_MOST and count <= PAGES_MOST, "%d words in %d pages", words, count)
end

-- }==

-- {== Command lines ============================================================

-- `sh` blocks are held against what there is: targets and variables of make, options of the player, files of the tree.
-- Games of the tree are played as the line says, for some frames, in a folder with a link to scripts/.
local makefile, help

local function make_lacks(words)
  for word in words:gsub("%s#.*", ""):gmatch "%s(%a[%w_-]*=?)" do
    local name <const> = word:match "^([%w_]+)="
    local pattern <const> = name and "%f[%w_]" .. name .. "%f[^%w_]"
      or "\n[%w%- ]*%f[%w-]" .. word:gsub("%-", "%%-") .. "%f[^%w-][%w%- ]*:"
    if not makefile:find(pattern) then return "make has no " .. word end
  end
end

-- The shell reads the rest of the line, as it does the reader's.
local function player_fails(arguments)
  for option in arguments:gsub("'[^']*'", ""):gmatch "%-%-%l[%a-]*" do
    if not help:find("\n  " .. option:gsub("%-", "%%-") .. "%f[^%a-]") then return "the player has no " .. option end
  end
  if not arguments:find " scripts/" then return end
  local ok <const>, problem <const> = pcall(player.sh, "spawnpool --headless --frames 12 "
    .. arguments:gsub("%-%-frames %d+", ""):gsub(" | .*", ""))
  if not ok then return problem end
end

local function problem_of_line(line)
  for path in line:gmatch "%f[%w]%l+/[%w_./-]*[%w]" do
    local is_ours <const> = ("src/ lua/ scripts/ tests/ demo/ docs/"):find(path:match "^%l+/", 1, true)
    if is_ours and not exists(path) and not line:find("/" .. path, 1, true) then return "there is no " .. path end
  end
  local words <const>, arguments <const> = line:match "^make(.*)", line:match "^b?u?i?l?d?/?spawnpool( .*)"
  return words and make_lacks(words) or arguments and player_fails(arguments) or nil
end

local function commands()
  local lines = 0
  makefile = "\n" .. player.sh [[ln -s "$SP_ROOT/scripts" && cat "$SP_ROOT"/Makefile "$SP_ROOT"/tests/*/*.mk]]
  help = player.sh "spawnpool --help"
  for _, page in ipairs(all_pages()) do
    for block in page:each "sh" do
      for line in block.code:gsub("\\\n", " "):gmatch "[^\n]+" do
        local problem <const> = problem_of_line(line)
        check(not problem, "%s: %s: in: %s", page.path, problem, line)
        lines = lines + 1
      end
    end
  end
  check(lines >= 20, "%d lines", lines)
end

-- }==

-- {== Blocks ===================================================================

-- A block that is indented, or fenced by ~~~, would be seen by a reader and not by the tests.
local function blocks(declared)
  for _, page in ipairs(all_pages()) do
    check(not page.text:find " ```" and not page.text:find "~~~", "%s: an indented block", page.path)
    for _, block in ipairs(page.blocks) do
      local is_run <const> = (declared[page.path] or {})[block.info]
      check(is_run or ("text sh cmake"):find(block.language, 1, true) and block.language ~= "",
        "%s:%d: no test runs blocks of '%s': see tests/docs/run.lua", page.path, block.line, block.info)
    end
  end
end

-- }==

return function(declared)
  return {
    ["links"] = links,
    ["pages and pictures are reached"] = reached,
    ["the pages are short"] = size,
    ["blocks are run"] = function() blocks(declared) end,
    ["command lines"] = commands,
  }
end
