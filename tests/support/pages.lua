-- README.md, CHANGELOG.md and docs/*.md as tests read them: blocks of code, links, anchors.
local pages <const> = {}

function pages.read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

function pages.write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

-- Raises what `text:format(...)` says unless it is so.
function pages.check(is_so, text, ...)
  if not is_so then error((select("#", ...) > 0 and text:format(...) or text):sub(1, 3000), 2) end
  return is_so
end

-- The first name at which two sets differ is an error: `what` says where.
function pages.expect_same_names(got, want, what)
  for name in pairs(want) do pages.check(got[name], "%s: %s is missing", what, name) end
  for name in pairs(got) do pages.check(want[name], "%s: there is no %s", what, name) end
end

-- {== Blocks ===================================================================

local page <const> = {}
page.__index = page

-- Sets `blocks`, in order: { info = "lua love", language = "lua", code, line, at }, and `prose`: the text without code.
local function read_blocks(self)
  local prose <const>, block, number = {}, nil, 0
  for line, at in self.text:gmatch "([^\n]*)\n()" do
    number = number + 1
    local info <const> = line:match "^```(.*)"
    if info and block then
      block.code, block.after, block = table.concat(block), at, nil
    elseif info then
      block = { info = info, language = info:match "^%S*", line = number + 1, page = self.path }
      self.blocks[#self.blocks + 1] = block
    elseif block then
      block[#block + 1] = line .. "\n"
    else
      prose[#prose + 1] = line
    end
  end
  self.prose = table.concat(prose, "\n") .. "\n"
  pages.check(not block, "%s: a block of code without end", self.path)
end

function pages.parse(path, text)
  local self <const> = setmetatable({ path = path, text = text, blocks = {} }, page)
  read_blocks(self)
  return self
end

function pages.open(path) return pages.parse(path, pages.read(path)) end

-- Goes through the blocks with this info, which counts as their use: see run.lua.
function page:each(info)
  local i = 0
  return function()
    repeat i = i + 1 until not self.blocks[i] or self.blocks[i].info == info
    if self.blocks[i] then self.blocks[i].used = true end
    return self.blocks[i]
  end
end

-- The first block whose code begins with `begin`.
function page:find(info, begin)
  for block in self:each(info) do
    if block.code:sub(1, #begin) == begin then return block end
  end
  error(("%s has no block of %s that begins with %q"):format(self.path, info, begin), 2)
end

-- }==

-- {== Links and anchors ========================================================

-- The prose without code in backticks.
local function without_code(prose)
  return (prose:gsub("(`+)(.-)%1", function(_, code) return not code:find "\n\n" and "" or nil end))
end

-- The targets of [..](target), ![..](target), href="target", src="target".
function page:links()
  local found <const> = {}
  local prose <const> = without_code(self.prose)
  for target in prose:gmatch "%]%(([^) \n]*)" do found[#found + 1] = target end
  for _, kind in ipairs { "href", "src", "srcset" } do
    for target in prose:gmatch(kind .. '="([^"]*)"') do found[#found + 1] = target end
  end
  return found
end

-- As the sites that show such pages make them: small letters without punctuation, hyphens for spaces; the second
-- heading of the same text ends in -1.
function page:anchors()
  local anchors <const> = {}
  for heading in ("\n" .. self.prose):gmatch "\n#+ +([^\n]*)" do
    local name <const> = heading:gsub("%]%b()", ""):gsub("Ö", "ö"):lower():gsub("[^%w%-_ \x80-\xff]", "")
      :gsub(" ", "-")
    local unique, count = name, 0
    while anchors[unique] do
      count = count + 1
      unique = name .. "-" .. count
    end
    anchors[unique] = true
  end
  return anchors
end

-- }==

return pages
