-- The tests of the pages. `page` declares which function runs the blocks of a page; a block that none runs is a fault.
-- Blocks of `text` are output, and need no function; those of `sh` are for site.lua. The files of tests/docs/run add
-- the tests that compile programs, or the others.
local game <const> = require "game"
local host <const> = require "host"
local pages <const> = require "pages"
local spec <const> = require "spec"

local tests <const> = {}
local declared <const> = {} -- path -> set of infos

local function test(name, fn, compiling) tests[#tests + 1] = { name = name, fn = fn, compiling = compiling } end

-- Declares that fn(page) uses each block of the page with one of the infos.
local function page(path, infos, fn, compiling)
  declared[path] = declared[path] or {}
  for _, info in ipairs(infos) do declared[path][info] = true end
  test(path .. " " .. table.concat(infos, ", ") .. " " .. #tests + 1, function()
    local it <const> = pages.open(path)
    fn(it)
    for _, block in ipairs(it.blocks) do
      for _, info in ipairs(infos) do
        pages.check(block.info ~= info or block.used, "%s:%d: no test runs this block", path, block.line)
      end
    end
  end, compiling)
end

local function plain_page(path, infos, fn)
  page(path, infos, function(it)
    if host.tool == "" then return fn(it) end
    for _, block in ipairs(it.blocks) do block.used = true end
    host.skip("docs", path .. ": only on a plain build")
  end, true)
end

local samples <const>, games <const> = require "samples", require "games"
local programs <const>, site <const> = require "programs", require "site"

page("README.md", { "lua" }, samples.readme)
page("docs/cookbook.md", { "lua", "json" }, (require "recipes"))
page("docs/libraries.md", { "lua" }, samples.libraries)
page("docs/gallery.md", {}, (require "gallery"))
page("docs/player.md", { "json", "lua" }, samples.editors)
page("docs/faq.md", { "lua" }, samples.faq)
page("docs/lua.md", { "lua" }, samples.library)
page("docs/lua.md", { "lua game" }, samples.player_blocks)
page("docs/player.md", {}, samples.player)
page("docs/player.md", {}, samples.player_error)
page("docs/player.md", {}, samples.player_console)
page("docs/howitworks.md", {}, samples.howitworks)
page("docs/player.md", {}, samples.stats)
page("docs/replays.md", { "json" }, samples.replays)
test("the manual page", samples.manual)

page("docs/guide.md", { "lua" }, games.guide)
page("docs/guide.md", { "lua", "diff" }, games.guide_errors)
page("docs/guide.md", { "lua" }, games.guide_grows)
page("docs/guide.md", { "lua", "diff sound" }, games.guide_sound)
page("docs/from-love.md", { "lua", "lua love", "lua luajit" }, games.from_love)
page("docs/from-unity.md", { "lua", "csharp" }, games.from_unity)
page("docs/from-other-pools.md", { "lua" }, games.from_other_pools)
page("docs/live-editing.md", { "diff" }, (require "tour"))

plain_page("README.md", { "c" }, programs.readme)
test("contracts in the headers", programs.contracts)
plain_page("docs/embedding.md", { "c" }, programs.core_examples)
plain_page("docs/embedding.md", { "c script", "lua" }, programs.script_examples)
plain_page("docs/embedding.md", { "c program", "cpp" }, programs.embedding)
plain_page("docs/hot-reload.md", { "c", "lua" }, programs.hot_reload)

for name, fn in pairs(site(declared)) do test(name, fn) end

-- A test has a folder of its own, and may leave a game open.
local function run(it)
  host.folder = spec.folder()
  local _ <close> = setmetatable({}, { __close = function()
    game.close()
    spec.remove(host.folder)
  end })
  it.fn()
end

return function(compiling)
  for _, it in ipairs(tests) do
    if (it.compiling or false) == compiling then spec.test(it.name, function() run(it) end) end
  end
end
