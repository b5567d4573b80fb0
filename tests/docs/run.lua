-- The tests of the pages. `page` declares which function runs the blocks of a page with these infos; a block that none
-- runs is a fault. Blocks of `text` are output, those of `sh` are for site.lua, those of `cmake` for tests/slow. The
-- files of tests/docs/run add the tests that compile programs, or the others.
local game <const> = require "game"
local host <const> = require "host"
local pages <const> = require "pages"
local spec <const> = require "spec"

local tests <const> = {}
local declared <const> = {} -- path -> set of infos

local function test(name, fn, compiling)
  tests[#tests + 1] = { name = name, fn = fn, compiling = compiling or false }
end

-- Declares that fn(page) uses each block of the page with one of the infos.
local function page(path, infos, fn, compiling)
  declared[path] = declared[path] or {}
  for _, info in ipairs(infos) do declared[path][info] = true end
  test(path .. " " .. table.concat(infos, ", ") .. " " .. #tests + 1, function()
    local it <const> = pages.open(path)
    if compiling and host.tool ~= "" then return host.skip("docs", path .. ": only on a plain build") end
    fn(it)
    for _, block in ipairs(it.blocks) do
      for _, info in ipairs(infos) do
        pages.check(block.info ~= info or block.used, "%s:%d: no test runs this block", path, block.line)
      end
    end
  end, compiling)
end

local examples <const>, facts <const> = require "examples", require "facts"
local programs <const>, site <const> = require "programs", require "site"

page("README.md", { "lua" }, examples.run)
page("docs/lua.md", { "lua" }, examples.run)
page("docs/faq.md", { "lua" }, examples.run)
page("docs/cookbook.md", { "lua", "json" }, examples.run)
page("docs/coming-from.md", { "lua" }, examples.rows)
page("docs/coming-from.md", { "lua luajit", "lua love" }, examples.luajit)
page("docs/guide.md", { "lua", "diff", "diff wrong" }, (require "guide"))
page("docs/calls.md", {}, facts.names)
page("docs/player.md", {}, facts.options)
page("docs/player.md", {}, facts.messages)
page("docs/player.md", {}, facts.statistics)
page("docs/player.md", { "json", "lua" }, function(it)
  facts.recording(it)
  facts.editors(it)
end)
test("the manual page", facts.manual)

page("README.md", { "c" }, programs.core, true)
page("docs/embedding.md", { "c", "cpp" }, programs.core, true)
page("docs/embedding.md", { "c script", "lua" }, programs.script, true)
page("docs/embedding.md", {}, programs.building, true)
page("docs/hot-reload.md", { "lua" }, programs.hot_reload, true)
page("docs/gallery.md", {}, (require "gallery"), true)
test("contracts in the headers", dofile "tests/package/contracts.lua", true)

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
    if it.compiling == compiling then spec.test(it.name, function() run(it) end) end
  end
end
