-- The helpers of the specs.
local spec <const> = require "spec"
local kit <const> = require "kit"
spec.ignores_collector "it tests the helpers"

spec.describe("spec", function()
  spec.test("compares tables by content", function()
    spec.equal({ 1, { a = "b" } }, { 1, { a = "b" } })
    spec.expect_error('value%[2%]%["a"%] is "b", expected "c"', spec.equal, { 1, { a = "b" } }, { 1, { a = "c" } })
    spec.expect_error("expected nothing", spec.equal, { 1, 2 }, { 1 })
    spec.expect_error("value is 1.5, expected 1", spec.equal, 1.5, 1)
    spec.equal(0 / 0, 0 / 0)
  end)

  spec.test("asks for an error and for its text", function()
    spec.equal(spec.expect_error("^o+ps$", error, "oops", 0), "oops")
    spec.expect_error("no error", spec.expect_error, "x", function() end)
    spec.expect_error("the error was", spec.expect_error, "x", error, "oops")
  end)

  spec.test("asks for errors at the lines of rows, with their whole text", function()
    local variables <const> = { error = error }
    local function fails(pattern, ...)
      spec.expect_error(pattern, kit.refuses, variables, { { ... } })
    end
    kit.refuses(variables, { { "error 'oops'", "oops$" }, { "error('oops' .. V)", "oops", { 1, 2 } } })
    fails("no error", "error", "")
    fails("expected \"oop%$\"", "error 'oops'", "oop$")
    fails("oops2", "error('oops' .. V)", "oops1", { 1, 2 })
    fails("at its line", "error('oops', 0)", "oops")
  end)

  spec.test("compares numbers within a tolerance", function()
    spec.near(0.1 + 0.2, 0.3)
    spec.expect_error("expected 0.3", spec.near, 0.31, 0.3, 1e-3)
    spec.expect_error("expected 0.3", spec.near, 0 / 0, 0.3)
  end)

  spec.test("keeps warnings for the test to read", function()
    spec.equal(spec.warnings(), "")
    warn("one ", "two")
    warn("three")
    spec.equal(spec.warnings(), "one two\nthree\n")
    spec.equal(spec.warnings(), "")
  end)
end)
