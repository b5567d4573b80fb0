-- A reload that is refused leaves nothing behind: what the new code did to the rest of the game before it failed is
-- taken back.
local spec <const> = require "spec"
local projects <const> = require "reload_kit"

-- A project with two modules: `shared`, which is not edited, and `m`, whose new text does `body` to it and then fails.
local function fails(shared, body)
  local it <close> = projects.open { ["shared.lua"] = shared, ["m.lua"] = "local shared = require 'shared' return {}" }
  local kept <const> = require "shared"
  require "m"
  local before <const> = getmetatable(kept)
  local err <const> = it.refuse("m.lua", "local shared = require 'shared'\n" .. body .. "\nerror 'in the end'")
  spec.equal(err:find("in the end", 1, true) ~= nil, true)
  return kept, before
end

spec.describe("a refused reload takes back", function()
  spec.test("a metatable that was given", function()
    local kept <const>, before <const> = fails("return { a = 1 }", "setmetatable(shared, { __index = { b = 2 } })")
    spec.equal({ before, getmetatable(kept), kept.b }, {})
    spec.equal(kept.a, 1)
  end)

  spec.test("a metatable that was taken", function()
    local kept <const>, before <const> = fails("return setmetatable({}, { __index = { b = 2 } })",
      "setmetatable(shared, nil)")
    spec.equal({ before ~= nil, getmetatable(kept) == before, kept.b }, { true, true, 2 })
  end)

  spec.test("a metatable that was changed for another", function()
    local kept <const>, before <const> = fails("return setmetatable({}, { __index = { b = 2 } })",
      "setmetatable(shared, { __index = { b = 3 } })")
    spec.equal({ getmetatable(kept) == before, kept.b }, { true, 2 })
  end)

  spec.test("what a metatable holds", function()
    local kept <const> = fails("return setmetatable({}, { __index = { b = 2 } })", "getmetatable(shared).__index.b = 3")
    spec.equal(kept.b, 2)
  end)

  spec.test("keys that were added, changed and removed", function()
    local kept <const> = fails("return { a = 1, b = 2, list = { 1, 2 } }",
      "shared.a, shared.b, shared.c = 5, nil, 6 table.insert(shared.list, 3) shared.list[1] = 0")
    spec.equal(kept, { a = 1, b = 2, list = { 1, 2 } })
  end)

  spec.test("what a function remembers", function()
    local kept <const> = fails(
      "local n, t = 1, { 1 } return { get = function() return n, #t end, set = function(x) n, t[2] = x, x end }",
      "shared.set(7)")
    spec.equal({ kept.get() }, { 1, 1 })
  end)

  spec.test("that a function remembered nothing, and what it was made to forget", function()
    local kept <const> = fails(
      "local n, m = nil, 1 return { get = function() return n, m end, set = function(x, y) n, m = x, y end }",
      "shared.set(7, nil)")
    spec.equal({ kept.get() }, { nil, 1 })
  end)

  spec.test("globals", function()
    _G.spec_undone = { 1 }
    fails("return {}", "spec_undone = 2 spec_undone_new = 3")
    spec.equal({ _G.spec_undone, rawget(_G, "spec_undone_new") }, { { 1 } })
    _G.spec_undone = nil
  end)
end)

spec.describe("a file that is edited", function()
  spec.test("may begin with a byte order mark, and with a line for the shell", function()
    local it <close> = projects.open { ["m.lua"] = "return { a = 1 }" }
    local m <const> = require "m"
    it.edit("m.lua", "\u{FEFF}return { a = 2 }")
    spec.equal(m.a, 2)
    it.edit("m.lua", "#!/usr/bin/env lua\nreturn { a = 3 }")
    spec.equal(m.a, 3)
    it.edit("m.lua", "\u{FEFF}# all of it\nreturn { a = 4, b = debug.getinfo(1, 'l').currentline }")
    spec.equal(m, { a = 4, b = 2 }) -- lines keep their numbers
    local err <const> = it.refuse("m.lua", "# nothing else")
    spec.equal(type(err), "string")
  end)
end)
