-- Every public function, type and macro of the headers has a contract: they are the manual of C.
local pages <const> = require "pages"

local check <const>, read <const> = pages.check, pages.read

local HEADERS <const> = { "src/core/spawnpool.h", "src/core/spawnpool_desc.h", "src/core/spawnpool_save.h",
  "src/core/spawnpool_tools.h", "src/script/script.h" }

-- A comment may be the contract of so many declarations below it, up to a blank line.
local SHARED_MOST <const> = 5

-- Returns the names that are declared without a comment behind or above them.
local function without_contract(text)
  local names <const>, left, rest = {}, 0, text:gsub("/%*.-%*/", function(comment)
    return comment:find("{==", 1, true) and "/*-*/" or "/*" .. ("+"):rep(#comment:gsub("[^\n]", "") + 1) .. "*/"
  end)
  rest = rest:gsub("\n([^\n]*%b{}[^\n;]*;)", function(record) return "\n" .. record:gsub("%b{}", "{}") end)
  for line in rest:gsub("\n(SP_API [^;]-;)", function(code) return "\n" .. code:gsub("%s+", " ") end):gmatch "[^\n]*" do
    local name <const> = line:match "^SP_API .-([%w_]+)%(" or line:match "^typedef .-%(%*([%w_]+)%)"
      or line:match "^typedef .-([%w_]+);" or line:match "^#define (SP_[%w_]+)[ (]"
    if line == "" or line:find("/*-*/", 1, true) then
      left = 0
    elseif line:find "^/%*%+" then
      left = SHARED_MOST
    elseif name and name ~= "SP_API" and not name:find "_ENUM$" and not line:find "/%*%+" then
      if left == 0 then names[#names + 1] = name end
      left = math.max(left - 1, 0)
    end
  end
  return names
end

-- Every public function, type and macro has a contract.
return function()
  for _, path in ipairs(HEADERS) do
    local names <const> = without_contract(read(path))
    check(#names == 0, "%s: no comment says what these promise: %s", path, table.concat(names, ", "))
  end
end
