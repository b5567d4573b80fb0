-- Writes down what programs, scripts and tools rely on: `lua api.lua PLAYER` prints docs/api.txt. C comes from the
-- public headers as the preprocessor of $CC leaves them; Lua from the annotations, which a spec holds against the
-- library; options from --help, and statistics from their page, which suites hold against the player.
local player <const> = assert(arg[1])

local function read(file)
  local f <close> = assert(io.open(file))
  return f:read "a"
end

local function run(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

local function print_sorted(title, list)
  table.sort(list)
  print(("\n## %s\n"):format(title))
  for _, item in ipairs(list) do print(item) end
end

-- {== C ======================================================================

-- Without includes and comments; lists that are written as macros are spelled out.
local function declarations(file)
  local text <const> = run(("sed '/#include/d' %s | %s -E -P -x c -DSP_API= -"):format(file, os.getenv "CC" or "cc"))
  return (text:gsub("(static inline [^{}]-)%s*%b{}", "%1;"):gsub("__attribute__%s*%b()", ""):gsub("%s+", " "))
end

local function tidy(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

local function constant_lines(name, body)
  local lines <const> = { "enum " .. name }
  for constant in body:gmatch "[^,]+" do
    if tidy(constant) ~= "" then lines[#lines + 1] = ("  %s = %d"):format(tidy(constant), #lines - 1) end
  end
  return table.concat(lines, "\n")
end

-- Compiled programs rely on where members lie: a program prints it, on the machine of the compiler. One line for each
-- declaration, with an offset for each name in it.
local function probe(name, body)
  local lines <const> = { ('printf("struct %s, %%zu bytes\\n", sizeof(%s));'):format(name, name) }
  for member in body:gmatch "[^;]+" do
    member = tidy(member)
    if member ~= "" then
      local formats <const>, offsets <const> = {}, {}
      for declarator in (member:gsub("%(%*([%w_]+)%).*", "%1") .. ","):gmatch "([^,]+)," do
        formats[#formats + 1] = "%zu"
        offsets[#offsets + 1] = (", offsetof(%s, %s)"):format(name, declarator:gsub("%b[]", ""):match "([%w_]+)%s*$")
      end
      lines[#lines + 1] = ('printf("  %s: %s\\n"%s);'):format(table.concat(formats, ", "), member,
        table.concat(offsets))
    end
  end
  return table.concat(lines, "\n")
end

-- Returns what the probes of a header print, in their order.
local function layouts(file, probes)
  local base <const> = os.tmpname()
  local source <close> = assert(io.open(base .. ".c", "w"))
  source:write(("#include <spawnpool.h>\n#include <%s>\n#include <stdio.h>\nint main(void) {\n%s\n}\n"):format(file,
    table.concat(probes, '\nputs("");\n')))
  source:flush()
  local text <const> = run(("%s -I. -Isrc/core -o %s %s.c && %s"):format(os.getenv "CC" or "cc", base, base, base))
  os.remove(base)
  os.remove(base .. ".c")
  local list <const> = {}
  for layout in (text .. "\n"):gmatch "(struct .-)\n\n" do list[#list + 1] = layout end
  assert(#list == #probes, file .. ": its structs cannot be measured")
  return list
end

local function print_header(file, title)
  local header <const> = read(file)
  local functions <const>, types <const>, constants <const>, probes <const> = {}, {}, {}, {}
  local rest <const> = declarations(file):gsub("typedef (%l+) [%w_]+ (%b{}) ([%w_]+) ?;", function(kind, body, name)
    local list <const> = kind == "enum" and types or probes
    list[#list + 1] = (kind == "enum" and constant_lines or probe)(name, body:sub(2, -2))
    return ""
  end)
  for _, layout in ipairs(layouts(file, probes)) do types[#types + 1] = layout end
  for declaration in rest:gmatch "[^;]+" do
    declaration = tidy(declaration)
    local name <const> = declaration:match "([%w_]+)%([^*]"
    if declaration:match "^typedef" then
      types[#types + 1] = declaration
    elseif name then
      functions[#functions + 1] = ("%s: %s"):format(name, declaration)
    end
  end
  for name, value in header:gmatch "\n#define (SP_[%u_]+) ([^\n]+)" do
    if name ~= "SP_API" and name ~= "SP_INLINE_VIEW" and not name:match "^SP_VERSION" and not value:match "\\$" then
      constants[#constants + 1] = ("%s %s"):format(name, tidy(value:gsub("/%*.*", "")))
    end
  end
  for name, word in header:gmatch '\n  X%(([%u_]+), ("[%l_]+")' do
    constants[#constants + 1] = ("%s is %s"):format(name, word)
  end
  if #functions > 0 then print_sorted(title .. ": functions", functions) end
  print_sorted(title .. ": types", types)
  if #constants > 0 then print_sorted(title .. ": constants", constants) end
end

-- }==

-- {== Lua ====================================================================

-- Names, with what functions take; words of aliases. A name with ? may be left out.
local function print_annotations(file)
  local names <const> = {}
  local class, alias, stands
  for line in read(file):gmatch "[^\n]+" do
    class = line:match "^%-%-%-@class ([%w_.]+)" or class
    alias = line:match "^%-%-%-@alias ([%w_.]+)" or (line:match "^%-%-%-|" and alias)
    stands = line:match "^local ([%w_]+) = {}" and class or stands
    local field <const> = line:match "^%-%-%-@field ([%a_][%w_]*%??)"
    local word <const> = line:match '^%-%-%-| ("[%w_]+")'
    local what <const> = line:match "^function [%w_]+([.:][%w_]+%b())"
    if field then
      names[#names + 1] = ("%s.%s"):format(class, field)
    elseif word then
      names[#names + 1] = ("%s %s"):format(alias, word)
    elseif what then
      names[#names + 1] = stands .. what
    end
  end
  print_sorted(file:match "[^/]+$", names)
end

-- }==

-- {== The player ==============================================================

local function print_player()
  local help <const> = run(("'%s' --help"):format(player))
  local options <const> = {}
  for name, value in help:gmatch "\n  (%-%-[%l-]+) ?(%S*)" do
    options[#options + 1] = tidy(("%s %s"):format(name, value))
  end
  print_sorted("spawnpool: options", options)
  print("\n" .. assert(help:match "Exit codes: [^\n]*"))
end

local function print_statistics()
  local fields <const> = {}
  local of
  for line in read("docs/player.md"):match("\n## Statistics\n(.-)\n## "):gmatch "[^\n]+" do
    of = line:match "^### A (%l+)" or of
    local name <const> = of and line:match "^| `([%w_]+)`"
    if name then fields[#fields + 1] = ("%s.%s"):format(of, name) end
  end
  print_sorted("spawnpool --stats", fields)
end

-- }==

print [[
# What others rely on. docs/changes.md says what may change, and when. `make api` compares this page with what
# there is, `make api RENEW=1` writes it anew: a change here is a decision.]]
print_header("src/core/spawnpool.h", "spawnpool.h")
print_header("src/core/spawnpool_desc.h", "spawnpool_desc.h")
print_header("src/core/spawnpool_save.h", "spawnpool_save.h")
print_header("src/core/spawnpool_tools.h", "spawnpool_tools.h")
print_header("src/script/script.h", "spawnpool_script.h")
for _, file in ipairs { "meta.lua", "class.d.lua", "save.d.lua", "player.d.lua", "reload.d.lua" } do
  print_annotations("lua/spawnpool/" .. file)
end
print_player()
print_statistics()
