-- The pages of the C reference against the headers, both ways: every function, type, field, value and macro that a
-- header has is on its page, and the page names no other. Functions stand there as the header declares them, in its
-- order, and each is called in an example.
local spec <const> = require "spec"
spec.ignores_collector "it reads files"
local kit <const> = require "kit"

local function read(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end

local function squeeze(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

-- {== What a header has ======================================================

-- Names of the preprocessor that are no part of what a program uses.
local PRIVATE <const> = { SP_API = true, SP_RESULT_ENUM = true, SP_WHY_ENUM = true }

-- Names in X-macro lists, as SP_RESULTS is one, are put together by the preprocessor.
local function read_lists(code, all)
  for list, prefix in pairs { SP_RESULTS = "SP_", SP_WHYS = "SP_WHY_" } do
    local body <const> = code:match("#define " .. list .. "%(X%)(.-)\n\n")
    for name in (body or ""):gmatch "X%(([%u_]+)," do all[prefix .. name] = true end
  end
end

-- The names that the declarations between two braces declare.
local function members(body)
  local out <const> = {}
  for declaration in body:gmatch "([^;]+);" do
    local pointer <const> = declaration:match "%(%*([%w_]+)%)"
    if pointer then
      out[pointer] = true
    else
      for name in (squeeze(declaration):gsub("%b[]", "") .. ","):gmatch "([%w_]+) *," do out[name] = true end
    end
  end
  return out
end

local function values(body)
  local out <const> = {}
  for name in body:gsub("#[^\n]*", ""):gmatch "(SP_[%u_]+)" do out[name] = true end
  return out
end

-- functions: a list of declarations; records: type -> set of its fields or values; all: every public name.
local function read_header(path)
  local code <const> = read(path):gsub("/%*.-%*/", ""):gsub("#define SP_API[^\n]*", "")
  local header <const> = { functions = {}, records = {}, all = {} }
  for declaration in code:gmatch "SP_API%s+([^;]-%b());" do
    header.functions[#header.functions + 1] = squeeze(declaration)
    header.all[declaration:match "([%w_]+)%("] = true
  end
  for kind, body, name in code:gmatch "typedef (%l+) [%w_]+ (%b{}) ([%w_]+);" do
    header.records[name] = kind == "enum" and values(body) or members(body .. ";")
    for value in pairs(kind == "enum" and header.records[name] or {}) do header.all[value] = true end
  end
  for declaration in code:gmatch "typedef ([^{}]-);" do
    header.all[declaration:match "%(%*([%w_]+)%)" or declaration:match "([%w_]+)$"] = true
  end
  for name in pairs(header.records) do header.all[name] = true end
  for name in code:gmatch "#define (SP_[%w_]+)" do header.all[name] = true end
  for name in pairs(PRIVATE) do header.all[name] = nil end
  read_lists(code, header.all)
  return header
end

-- }==

-- {== What a page has ========================================================

-- The page without its blocks of code, and the blocks of C.
local function cut(text)
  local examples <const> = {}
  local prose <const> = text:gsub("```(%l*)\n(.-)\n```\n", function(language, code)
    if language == "c" then examples[#examples + 1] = code end
    return ""
  end)
  return prose, table.concat(examples, "\n")
end

-- The names in the first cells of the table under the heading of a type.
local function rows(prose, name)
  local heading <const> = "\n###+ `" .. name .. "`\n"
  local section <const> = prose:match(heading .. "(.-)\n#") or prose:match(heading .. "(.*)")
  local out <const> = {}
  for cell in ("\n" .. (section or "")):gmatch "\n|([^|\n]+)|" do
    for word in cell:gmatch "`([%w_]+)`" do out[word] = true end
  end
  return out, section ~= nil
end

local function compare(page, header_path, least)
  local header <const> = read_header(header_path)
  local prose <const>, examples <const> = cut(read(page))
  spec.equal(#header.functions >= least, true, "functions in " .. header_path)

  local at = 0
  for code in prose:gmatch "\n%- `([^`]-%))`" do
    at = at + 1
    spec.equal(squeeze(code), header.functions[at], page .. ": function " .. at)
  end
  spec.equal(at, #header.functions, page .. ": functions")
  for _, declaration in ipairs(header.functions) do
    local name <const> = declaration:match "([%w_]+)%("
    local called <const> = examples:find("%f[%w_]" .. name .. "%f[^%w_]")
    spec.equal({ name, called ~= nil }, { name, true }, page .. ": an example")
  end

  for name, fields in pairs(header.records) do
    local found <const>, has_section <const> = rows(prose, name)
    spec.equal({ name, has_section }, { name, true }, page .. ": a heading")
    if next(fields) and name ~= "sp_result" and name ~= "sp_why" then
      spec.equal(kit.only_in(fields, found), "", page .. ": rows that are missing under " .. name)
      spec.equal(kit.only_in(found, fields), "", page .. ": rows of nothing under " .. name)
    end
  end

  for name, word, text in read(header_path):gmatch 'X%(([%u_]+), "([^"]*)", "([^"]*)"%)' do
    local row <const> = ("\n| `SP_%s` | %s | %s |\n"):format(name, word, text)
    spec.equal({ row, prose:find(row, 1, true) ~= nil }, { row, true }, page)
  end

  local named <const> = {}
  for code in prose:gmatch "`([^`]+)`" do
    for name in code:gmatch "%f[%w_]([Ss][Pp]_[%w_]+)" do named[name] = true end
    for name in code:gmatch "%f[%w_](luaopen_[%w_]+)" do named[name] = true end
  end
  spec.equal(kit.only_in(header.all, named), "", page .. ": names that it does not have")
  return named, header.all
end

-- }==

spec.describe("the pages of the C reference", function()
  spec.test("have all of the headers, and no more", function()
    local core_named <const>, core <const> = compare("docs/c.md", "src/core/spawnpool.h", 70)
    local script_named <const>, script <const> = compare("docs/c-script.md", "src/script/script.h", 20)
    for name in pairs(core) do script[name] = true end
    spec.equal(kit.only_in(core_named, core), "", "names that spawnpool.h does not have")
    spec.equal(kit.only_in(script_named, script), "", "names that neither header has")
  end)

  spec.test("lead to headings that are there", function()
    for _, page in ipairs { "docs/c.md", "docs/c-script.md", "docs/embedding.md" } do
      local prose <const> = cut("\n" .. read(page))
      local anchors <const> = {}
      for heading in prose:gmatch "\n#+ ([^\n]+)" do
        anchors[heading:lower():gsub("[^%w_ -]", ""):gsub(" ", "-")] = true
      end
      for anchor in prose:gmatch "%]%(#([^)]+)%)" do spec.equal({ anchor, anchors[anchor] }, { anchor, true }, page) end
      for file in prose:gmatch "%]%(([^)#]+)%)" do assert(io.open("docs/" .. file), page .. ": " .. file):close() end
    end
  end)
end)
