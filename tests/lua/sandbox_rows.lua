-- Returns the errors in the tables of reachable functions as text, for tests/slow/check_reach.c. `found`: name -> "row"
-- for a function in C that has a row, "C" for another one, "Lua" for one of the library's own Lua code. That the pages
-- have all rows is known from the annotations (spec_annotations.lua).
local HEADERS <const> = { "src/script/bind/members.h", "demo/bind/reachable.h" }

-- Results of Lua's own functions, and operators of its texts.
local OF_LUA <const> = { coroutine_wrapped = true, gmatch_next = true, ipairs_next = true, utf8_next = true }

local function is_luas_own(name)
  if OF_LUA[name] or name:match "^text:__" then return true end
  local value = _G
  for part in name:gmatch "[%w_]+" do value = type(value) == "table" and value[part] or nil end
  return type(value) == "function"
end

return function(found)
  local wrong <const>, in_lua <const> = {}, { pairs_of_class = true }
  for _, file in ipairs(HEADERS) do
    for line in io.lines(file) do
      local owner <const>, name <const> = line:match 'X%(([%w_]+), ([%w_]+), "'
      if owner then in_lua[owner .. "." .. name] = true end
    end
  end
  for name, kind in pairs(found) do
    local is_known <const> = in_lua[name:gsub(":__index%.", "."):gsub(":", ".")]
    if kind == "Lua" and not is_known or kind == "C" and not is_luas_own(name) then
      wrong[#wrong + 1] = name .. ", which is written in " .. kind .. ", has no row"
    end
  end
  table.sort(wrong)
  return table.concat(wrong, "\n")
end
