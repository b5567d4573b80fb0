-- Returns the errors in the tables of reachable functions as text, for tests/script/reach.lua. `found`: name -> "row"
-- for a function in C that has a row, "C" for another one, "Lua" for one of the library's own Lua code. `page` is the
-- text of docs/calls.md.
local HEADERS <const> = { "src/script/bind/members.h", "demo/bind/reachable.h" }

-- Results of Lua's own functions, and operators of its texts.
local OF_LUA <const> = { coroutine_wrapped = true, gmatch_next = true, ipairs_next = true, utf8_next = true }

local function is_luas_own(name)
  if OF_LUA[name] or name:match "^text:__" then return true end
  local value = _G
  for part in name:gmatch "[%w_]+" do value = type(value) == "table" and value[part] or nil end
  return type(value) == "function"
end

local function rows()
  local owners <const>, in_lua <const> = {}, {}
  for _, file in ipairs(HEADERS) do
    for line in io.lines(file) do
      local owner <const>, name <const>, rest <const> = line:match "X%(([%w_]+), ([%w_]+), ([%w_\"]+)"
      if owner then
        owners[owner] = owners[owner] or {}
        table.insert(owners[owner], name)
        in_lua[owner .. "." .. name] = rest:sub(1, 1) == '"'
      end
    end
  end
  return owners, in_lua
end

return function(found, page)
  local wrong <const>, owners <const>, in_lua = {}, rows()
  for name, kind in pairs(found) do
    local plain <const> = name:gsub(":__index%.", "."):gsub(":", ".")
    if kind == "Lua" and not in_lua[plain] and name ~= "pairs_of_class" then
      wrong[#wrong + 1] = name .. ", which is written in Lua, has no row"
    elseif kind == "C" and not is_luas_own(name) then
      wrong[#wrong + 1] = name .. " has no row"
    end
  end
  for owner, names in pairs(owners) do
    for _, name in ipairs(names) do
      local is_call <const> = not name:find "^__" and owner ~= "each" -- else it is an operator, or a step of a walk
      if is_call and not page:find("\n| `" .. name .. "(", 1, true) then
        wrong[#wrong + 1] = ("docs/calls.md has no %s of %s"):format(name, owner)
      end
    end
  end
  table.sort(wrong)
  return table.concat(wrong, "\n")
end
