-- Calls of string.find, match, gmatch and gsub, made of Lua's own functions and of those in `ours.string`: all that
-- comes of them must be the same. For tests/script/check_library.c.
local ours <const> = ours.string -- luacheck: ignore
package.loaded.ours = ours -- messages find the names of functions there

-- All values that a call returned, or its error, as one text.
local function told(...)
  local values <const> = table.pack(...)
  for i = 1, values.n do values[i] = math.type(values[i]) == "integer" and "#" .. values[i] or tostring(values[i]) end
  return table.concat(values, "|", 1, values.n)
end

-- Every match of a gmatch, in one text; it ends after so many.
local function all(gmatch, ...)
  local texts <const> = {}
  for a, b, c in gmatch(...) do
    texts[#texts + 1] = told(a, b, c)
    if #texts > 50 then break end
  end
  return table.concat(texts, " / ")
end

local function expect_same(name, ...)
  local want, got
  if name == "gmatch" then
    want, got = told(pcall(all, string.gmatch, ...)), told(pcall(all, ours.gmatch, ...))
  else
    want, got = told(pcall(string[name], ...)), told(pcall(ours[name], ...))
  end
  want, got = want:gsub("'string%.", "'"), got:gsub("'ours%.", "'")
  if want ~= got then
    error(("%s(%s): %q in Lua, %q here"):format(name, told(...):gsub("[^%g ]", "?"), want, got), 0)
  end
end

-- A text and a pattern, in every way.
local function try(text, pattern, init)
  expect_same("find", text, pattern, init)
  expect_same("find", text, pattern, init, true)
  expect_same("match", text, pattern, init)
  expect_same("gmatch", text, pattern, init)
  expect_same("gsub", text, pattern, "<%0>")
  expect_same("gsub", text, pattern, "%1%%", init)
  expect_same("gsub", text, pattern, "[%2]")
  expect_same("gsub", text, pattern, function(a, b) return a ~= "a" and told(a, b) end)
  expect_same("gsub", text, pattern, { a = 1, b = false, ab = "x" })
end

local KNOWN <const> = {
  { "", "" }, { "abc", "" }, { "abc", "", 4 }, { "abc", "", 5 }, { "abc", "b", -1 }, { "abc", "b", -100 },
  { "hello world", "o w" }, { "hello world", "(%w+) (%w+)" }, { "key = value", "^(%w+)%s*=%s*(%w+)$" },
  { "THE (quick) fox", "%((%a+)%)" }, { "THE (quick) fox", "%f[%a]%a+" }, { "f(a(b)c)d", "%b()" },
  { "[[x]]", "[]]" }, { "[[x]]", "[^]]+" }, { "a-b", "[a%-]" }, { "a-b", "[a-]+" }, { "x^y", "[x^]+" },
  { "x]y", "[^%]]" },
  { "  trim  ", "^%s*(.-)%s*$" }, { "abab", "(ab)%1" }, { "abab", "()ab()" }, { "aaa", "a-" }, { "aaa", "a-$" },
  { "aaab", "a*b" }, { "aaab", "a+b" }, { "aaab", "a?b" }, { "b", "a?b" }, { "b", "a*b" },
  { "one;two;;four", "([^;]*)" },
  { "a.b", "." }, { "a.b", "%." }, { "a\0b", "a\0b" }, { "a\0b", "%z" }, { "a\0b", "[\0]" }, { "a$", "a$" },
  { "a$b", "a$b" },
  { "^a", "^^a" }, { "^a", "%^a" }, { "äöü", "[\128-\255]+" }, { 12.5, "%d+" }, { "12", 2 }, { "abc", "%u" },
  { "AbC", "[%u%l]+" }, { "AbC", "%U" }, { "a\nb", "%c" }, { "a,b", "%p" }, { "0x1F", "%x+" }, { "a b", "%S" },
  { "é", "%g" },
  { "", ("a*"):rep(250) }, { "aaa", ("a?"):rep(250) }, { ("a"):rep(300), "^" .. ("a"):rep(300) .. "$" },
  { "x", "^x", 2 }, { "xx", "^x", 2 }, { "x", "$" }, { "x", "x$", 1 }, { "((()", "%b()" }, { "aaa", "%baa" },
  { "a", "%f[%z]" },
}

function known() -- luacheck: ignore
  for _, case in ipairs(KNOWN) do try(table.unpack(case, 1, 3)) end
  for most = -1, 4 do expect_same("gsub", "aaa", "a", "b", most) end
  expect_same("gsub", "hello", "", "-")
  expect_same("gsub", "hello", "l", 5)
  expect_same("gsub", "hello", "(l)(l)", "%2%1%%")
  expect_same("gsub", "hello", "()l", "%1")
  expect_same("gsub", "abc", "%w", "%0%0")
  expect_same("gsub", "abc", "%w", setmetatable({}, { __index = function(_, key) return key .. "." end }))
  expect_same("gmatch", "a b c", "%a", 3)
  expect_same("gmatch", "a b c", "%a", -1)
  expect_same("gmatch", "a b c", "^%a")
  expect_same("gmatch", "abc", "()", 9)
  for _, plain in ipairs { "", "a", "b", "ab", "bc", "abc", "abcd", "\0", "c\0" } do
    for init = -4, 5 do
      expect_same("find", "abc", plain, init, true)
      expect_same("find", "ab\0c\0", plain, init)
    end
  end
end

function wrong() -- luacheck: ignore
  for _, pattern in ipairs { "%", "[", "[a", "[^", "[]", "[%", "[a%", "[a-", "(", "()(", ")", "(()", "%1", "(%1)",
  "%0", "(a)%2",
    "%b", "%bx", "%f", "%fa", "%f[", "a%", "(a", "a)", ("()"):rep(33), ("(a)"):rep(33), ("("):rep(300),
    "(" .. ("a?"):rep(9),
    ("a*"):rep(250), ("a?"):rep(250), ("(a)"):rep(32) .. "()" } do
    try("aaaa", pattern)
    try("", pattern)
    try(("a"):rep(300), pattern)
  end
  for _, new in ipairs { "%", "%x", "%1", "%2", "%9", "%0%", "% " } do
    expect_same("gsub", "alo", ".", new)
    expect_same("gsub", "alo", "(.)(.)", new)
    expect_same("gsub", "alo", "()", new)
  end
  for _, name in ipairs { "find", "match", "gmatch", "gsub" } do
    expect_same(name)
    expect_same(name, "a")
    expect_same(name, {}, "a")
    expect_same(name, "a", {})
    expect_same(name, "a", "a", "x")
    expect_same(name, "a", "a", 1.5)
    expect_same(name, "a", "a", nil)
    expect_same(name, "a", "a", "b", "x")
  end
  for _, new in ipairs { true, print, 5 } do expect_same("gsub", "a", "a", new) end
  expect_same("gsub", "a", "a", function() return {} end)
  expect_same("gsub", "a", "a", function() error("mine", 0) end)
  expect_same("gsub", "a", "a", { a = {} })
end

local PIECES <const> = {
  "a", "b", "c", ".", "%a", "%d", "%w", "%s", "%S", "%A", "[ab]", "[^a]", "[a-c]", "[%d_]", "[^%s]", "[]a]",
  "[^]]", "%.", "%%", "-", "*",
  "+", "?", "*", "+", "?", "-", "(", ")", "(", ")", "()", "%1", "%2", "%b()", "%bab", "%f[%a]", "%f[^a]", "^", "$",
  "1", " ", "[", "]", "%", "\0",
}
local LETTERS <const> = { "a", "b", "c", "1", "_", " ", "(", ")", ".", "-", "%", "]", "\0", "a", "a", "b" }

local function made_of(pieces, most)
  local text <const> = {}
  for i = 1, math.random(0, most) do text[i] = pieces[math.random(#pieces)] end
  return table.concat(text)
end

function random(count) -- luacheck: ignore
  math.randomseed(42)
  for _ = 1, count do
    try(made_of(LETTERS, 12), made_of(PIECES, 7), math.random(4) == 1 and math.random(-14, 14) or nil)
  end
end
