-- A rejected reload leaves nothing behind: what the new code did to the rest of the game before it failed is undone.
-- The oracle compares all of the program with what it was.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local history <const> = require "reload_history"

spec.describe("a rejected reload undoes", function()
  for _, case in ipairs {
    { "a metatable that was set", "return { a = 1 }", "setmetatable(shared, { __index = { b = 2 } })" },
    { "a metatable that was taken away", "return setmetatable({}, { __index = { b = 2 } })",
      "setmetatable(shared, nil)" },
    { "a metatable that was replaced", "return setmetatable({}, { __index = { b = 2 } })",
      "setmetatable(shared, { __index = { b = 3 } })" },
    { "changes inside a metatable", "return setmetatable({}, { __index = { b = 2 } })",
      "getmetatable(shared).__index.b = 3" },
    { "keys that were added, changed and removed", "return { a = 1, b = 2, list = { 1, 2 } }",
      "shared.a, shared.b, shared.c = 5, nil, 6 table.insert(shared.list, 3) shared.list[1] = 0" },
    { "changes of a function's variables",
      "local n, m, t = nil, 1, { 1 } return { get = function() return n, m, t end, set = function(x, y) n, m = x, y "
        .. "t[2] = x end }", "shared.set(7, nil)" },
    { "changes of globals", "s_undone = { 1 } return {}", "s_undone = 2 s_undone_new = 3" },
  } do
    spec.test(case[1], history("shared m", { shared = case[2], m = "local shared = require 'shared' return {}" }, {
      { m = ("local shared = require 'shared'\n%s\nerror 'in the end'"):format(case[3]) },
      { m = "local shared = require 'shared' return { n = 1 }" }, "? m.n == 1",
    }))
  end
end)
