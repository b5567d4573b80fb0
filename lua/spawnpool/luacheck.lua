-- Options of luacheck for a game: the globals of the player's sandbox and no others, so that uses of anything else are
-- reported before the game runs. `spawnpool init` writes this file as .luacheckrc. From another .luacheckrc:
--
--   stds.spawnpool = dofile("/usr/local/share/lua/5.4/spawnpool/luacheck.lua").std
--   std = "spawnpool"
--
-- It is also valid Lua 5.1, because luacheck may run on that.

-- Returns the entries of a table of functions, none of which can be indexed further.
local function fields(names)
  local list = {}
  for name in string.gmatch(names, "[%w_]+") do list[name] = {} end
  return list
end

local globals = fields("assert collectgarbage error getmetatable ipairs load next pairs pcall print rawequal rawget "
  .. "rawlen rawset require select setmetatable tonumber tostring type warn xpcall _VERSION")

globals._G = { other_fields = true, read_only = false }
globals.coroutine = { fields = fields("close create isyieldable resume running status wrap yield") }
globals.debug = { fields = fields("getinfo traceback") }
globals.io = { fields = { stderr = { other_fields = true }, stdout = { other_fields = true } } }
globals.math = { fields = fields("abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min "
  .. "mininteger modf pi rad random randomseed sin sqrt tan tointeger type ult") }
globals.os = { fields = fields("clock date difftime getenv time") }
globals.package = { fields = { config = {}, loaded = { other_fields = true, read_only = false },
  path = { read_only = false }, preload = { other_fields = true, read_only = false } } }
globals.string = { fields = fields("byte char find format gmatch gsub len lower match pack packsize rep reverse sub "
  .. "unpack upper") }
globals.table = { fields = fields("concat insert move pack remove sort unpack") }
globals.utf8 = { fields = fields("char charpattern codepoint codes len offset") }

return {
  std = { read_globals = globals },
  max_line_length = 120,
  unused_args = false, -- hooks name all their parameters
  exclude_files = { ".spawnpool" }, -- declares what the player defines
}
