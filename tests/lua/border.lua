-- Reads the C sources of the binding and tells where a function breaks the rules at the head of
-- src/script/state/border.h:
--
--   stale     a pointer to a manager or pool, or a struct that holds one, is used after something that may have run a
--             script: a call of a function, a hook of the core, an allocation of Lua's (finalisers). It must be fetched
--             again, by its id.
--   order     one argument of a call may run a script, and another one uses such a pointer: C may evaluate either first
--   message   luaL_error shows something of such a pointer: it allocates before it formats; sp_raise does not
--   crossing  what the core calls may raise an error, which would jump over the core
--   metamethod a function that looks at a value in a way that a metatable has a say in, or that changes it
--   quiet     what sp_quietly calls runs a script; what sp_raw_pcall calls allocates
--
-- It knows C as it is written here: clang-format's layout is not needed, macros that hide braces are not understood.
local source <const> = require "c_source"
local Walk <const> = require "c_follow"

local set <const>, closing <const>, calls_in <const> = source.set, source.closing, source.calls_in

local border <const> = {}

-- {== What is known =========================================================

-- Pointers that go out of date with their manager or pool.
local HANDLES <const> = set "sp_lua_manager sp_lua_pool sp_manager sp_pool sp_keymap sp_look sp_column_layout"

-- These hold such pointers, and keep them right.
local OWNERS <const> = set "sp_context"

-- They call a function, or a metamethod.
local CALLS <const> = set [[lua_call lua_callk lua_pcall lua_pcallk lua_resume lua_resetthread lua_closethread
  lua_gettable lua_getfield_of_anything lua_geti lua_settable lua_seti lua_getglobal lua_setglobal lua_len luaL_len
  lua_compare lua_arith luaL_tolstring luaL_callmeta lua_close lua_gc luaL_dostring luaL_loadfilex luaL_requiref]]

-- They may take a step of the collector, which calls finalisers.
local ALLOCATES <const> = set [[lua_newtable lua_createtable lua_newuserdatauv lua_newuserdata lua_newthread
  lua_pushstring lua_pushlstring lua_pushliteral lua_pushfstring lua_pushvfstring lua_pushcclosure lua_concat
  luaL_where luaL_traceback luaL_gsub luaL_buffinit luaL_addlstring luaL_addstring luaL_addvalue luaL_pushresult
  luaL_loadbufferx luaL_getmetafield luaL_getsubtable luaL_newmetatable luaL_setfuncs luaL_newlib lua_load]]

-- What they call cannot run a script; see border.h. And lua_getfield, of tables that have no metatable.
local SAFE <const> = set "sp_quietly sp_quiet_pcall sp_raw_pcall sp_raw_field lua_getfield sp_pcall_uncollected"

-- Texts that belong to a pool.
local TEXTS <const> = set "sp_pool_type sp_key_text"

-- They raise no error of their own.
local PROTECTED <const> = set "lua_pcall lua_pcallk sp_quiet_pcall sp_raw_pcall sp_door"

-- Members of core structs through which memory comes, or which only answer: they run no script.
local HARMLESS_MEMBERS <const> = set "fn is_halted on_assert on_pool on_part"

local METAMETHODS <const> = set [[luaL_checkstring luaL_checklstring luaL_checknumber luaL_checkinteger luaL_checkoption
  luaL_optstring luaL_optlstring luaL_optnumber luaL_optinteger luaL_tolstring luaL_len lua_len luaL_getmetafield
  luaL_callmeta lua_gettable lua_settable lua_geti lua_seti lua_compare lua_arith lua_getglobal lua_setglobal
  lua_getfield luaL_checkudata luaL_testudata luaL_argcheck]]

-- }==

-- {== Who runs scripts ======================================================

-- What may run a script, of the functions that are defined: found by going round until nothing is new. `allocates`:
-- whether allocations count.
local function find_runners(functions, parameters_of, never, allocates)
  local known <const> = {}
  -- What `name` means in a file: a static function of its own goes first.
  local function runs(file, name)
    local own <const> = file .. ":" .. name
    if functions[own] then return known[own] end
    return known[name]
  end
  for name in pairs(CALLS) do known[name] = name end
  if allocates then
    for name in pairs(ALLOCATES) do known[name] = name end
  end
  repeat
    local found = false
    for _, f in ipairs(functions) do
      if not known[f.key] and not SAFE[f.name] and not never[f.name] then
        calls_in(f.words, f.from, f.to, function(name, _, is_member)
          local indirect <const> = is_member and not HARMLESS_MEMBERS[name] or parameters_of[f][name]
          if (runs(f.file, name) and not is_member and not never[name]) or indirect then
            known[f.key], found = name, true
          end
        end)
      end
    end
  until not found
  return runs
end

-- Functions that only sp_quietly and its like call: name -> which of them.
local function find_quiet(functions, listed)
  local quiet <const> = {}
  for _, f in ipairs(functions) do
    local kind
    calls_in(f.words, f.from, f.to, function(name)
      if SAFE[name] and (name:find "call" or name == "sp_quietly") then kind = name end
    end)
    calls_in(f.words, f.from, f.to, function(name, i)
      local pushed <const> = kind and name == "lua_pushcfunction" and f.words[i + 4][1]
      if pushed then quiet[functions[f.file .. ":" .. pushed] and f.file .. ":" .. pushed or pushed] = kind end
    end)
  end
  -- And what these call, when nobody else does.
  repeat
    local found = false
    local callers <const> = {}
    for _, f in ipairs(functions) do
      for i = f.from, f.to do
        local own <const> = f.file .. ":" .. f.words[i][1]
        local key <const> = functions[own] and own or f.words[i][1]
        if functions[key] and key ~= f.key then
          callers[key] = callers[key] or {}
          callers[key][f.key] = true
        end
      end
    end
    for _, f in ipairs(functions) do
      if not quiet[f.key] and not listed[f.name] and callers[f.key] then
        local all = true
        for caller in pairs(callers[f.key]) do all = all and quiet[caller] ~= nil end
        if all then quiet[f.key], found = "inside", true end
      end
    end
  until not found
  return quiet
end

-- }==

-- {== Checking ==============================================================

local function forbidden(f, out)
  calls_in(f.words, f.from, f.to, function(name, i)
    if METAMETHODS[name] then
      out[#out + 1] = ("%s:%d: %s: metamethod: %s"):format(f.file, f.words[i][2], f.name, name)
    end
  end)
end

local function check_messages(f, handles, out)
  calls_in(f.words, f.from, f.to, function(name, i)
    if name ~= "luaL_error" then return end
    for k = i + 2, closing(f.words, i + 1) do
      local word <const> = f.words[k][1]
      if TEXTS[word] or (handles[word] and handles[word] < i) then
        out[#out + 1] = ("%s:%d: %s: message: %s"):format(f.file, f.words[i][2], f.name, word)
      end
    end
  end)
end

-- Functions that the core calls: they are given to one of its own as an argument, or stand in a struct for it.
local function find_callbacks(functions, core, is_binding)
  local out <const> = {}
  local function note(f, i)
    local own <const> = f.file .. ":" .. f.words[i][1]
    local target <const> = functions[own] or functions[f.words[i][1]]
    if target and is_binding(target.file) and f.words[i + 1][1] ~= "(" then out[target.key] = target end
  end
  for _, f in ipairs(functions) do
    if is_binding(f.file) then
      calls_in(f.words, f.from, f.to, function(name, i)
        if core[name] then
          for k = i + 2, closing(f.words, i + 1) do note(f, k) end
        end
      end)
      for i = f.from, f.to - 3 do
        if f.words[i][1] == "." and f.words[i + 2][1] == "=" then
          local k = i + 3
          while not f.words[k][1]:find "[,;}]" do note(f, k) k = k + 1 end
        end
      end
    end
  end
  return out
end

-- What may raise: errors, and all that allocates.
local function check_crossings(functions, callbacks, never, out)
  local reached <const> = {}
  local function follow(f, path)
    if reached[f.key] then return end
    reached[f.key] = true
    calls_in(f.words, f.from, f.to, function(name, i, is_member)
      if is_member or PROTECTED[name] then return end
      local target <const> = functions[f.file .. ":" .. name] or functions[name]
      if ALLOCATES[name] or never[name] or name == "luaL_checkstack" or name == "lua_call" then
        out[#out + 1] = ("%s:%d: %s: crossing: %s, called by %s"):format(f.file, f.words[i][2], f.name, name, path)
      elseif target and target.file:find "src/script/" then
        follow(target, path .. " " .. f.name)
      end
    end)
  end
  for _, f in pairs(callbacks) do follow(f, "the core:") end
end

local function check_quiet(f, kind, runs_calls, runs, out)
  calls_in(f.words, f.from, f.to, function(name, i, is_member)
    local wrong <const> = kind == "sp_raw_pcall" and runs(f.file, name) or runs_calls(f.file, name)
    if wrong and not is_member then
      out[#out + 1] = ("%s:%d: %s: quiet: %s, through %s"):format(f.file, f.words[i][2], f.name, name, wrong)
    end
  end)
end

-- Returns a sorted list of "file:line: function: kind: what". `files`: name -> text of all sources of the binding and
-- of the core, headers too. `is_binding(name)`: whether a file must keep the rules; `may_convert(name)`: whether it may
-- look at values as the library functions do that it stands for.
function border.check(files, is_binding, may_convert)
  local functions <const>, structs <const>, parameters_of <const> = {}, {}, {}
  local words <const>, names <const> = {}, {}
  for name, text in pairs(files) do
    names[#names + 1] = name
    words[name] = source.words(text)
  end
  table.sort(names)
  for _ = 1, 2 do
    for _, name in ipairs(names) do source.add_structs(words[name], HANDLES, structs, OWNERS) end
  end
  local listed <const>, never <const> = {}, set "lua_error luaL_error luaL_argerror luaL_typeerror abort exit"
  for _, name in ipairs(names) do source.add_functions(name, words[name], functions, listed, never) end
  for _, f in ipairs(functions) do
    -- Parameters that are functions: "void (*fn)(...)", and those of a type that says so.
    local pointers <const> = {}
    for i = f.parameters, f.from do
      if f.words[i][1] == "(" and f.words[i + 1][1] == "*" and f.words[i + 3][1] == ")" then
        pointers[f.words[i + 2][1]] = true
      end
      if f.words[i][1]:find "_fn$" then pointers[f.words[i + 1][1]] = true end
    end
    parameters_of[f] = pointers
  end
  local runs <const> = find_runners(functions, parameters_of, never, true)
  local runs_calls <const> = find_runners(functions, parameters_of, never, false)
  local quiet <const> = find_quiet(functions, listed)
  local core <const> = {} -- its functions: sp_is_untouched tells whether one has called anybody
  for _, f in ipairs(functions) do core[f.name] = not is_binding(f.file) and f.file:find "src/core/" ~= nil or nil end
  local out <const> = {}
  for _, f in ipairs(functions) do
    if is_binding(f.file) then
      if not may_convert(f.file) then forbidden(f, out) end
      if quiet[f.key] and quiet[f.key] ~= "inside" then check_quiet(f, quiet[f.key], runs_calls, runs, out) end
      local handles <const> = source.declared(f.words, f.parameters, f.to, HANDLES, structs, TEXTS)
      local walk <const> = setmetatable({
        f = f, words = f.words, handles = handles, runs = quiet[f.key] and runs_calls or runs, never = never,
        parameters = parameters_of[f], core = core, harmless = HARMLESS_MEMBERS, seen = {}, out = out,
      }, Walk)
      check_messages(f, handles, out)
      if next(handles) then walk:statement(f.from, {}) end
    end
  end
  check_crossings(functions, find_callbacks(functions, core, is_binding), never, out)
  table.sort(out)
  return out
end

-- }==

-- {== The sources ===========================================================

-- Files that have rules of their own: the reload engine, which runs between frames and holds no manager or pool across
-- what it runs; the way from class to pool, also of a save, which reads plain tables of class.lua and works in what
-- sp_quietly calls;
-- the watcher of files.
local EXEMPT <const> = set [[box capture heap_walk redirect reload live pool_create
  class_adopt class_plan value_columns save_open watch watch_scan watcher disk listing ticker]]

-- Library functions of Lua's that the sandbox has versions of: they convert their arguments as Lua's own do.
local LIBRARIES <const> = set [[pattern pattern_library sandbox library identity
  ordered_tables repeatable]]

-- Where a metamethod is wanted. They hold no pointer, and nothing of the core waits for them.
local WANTED <const> = {
  ["border.c: sp_raw_field"] = "lua_getfield of what has no metatable",
  ["callbacks.c: get_callback"] = "the table that main.lua returned may have a metatable",
  ["callbacks.c: run_load"] = "the same",
  ["report.c: describe_error"] = "an error may be a table that knows its text",
  ["traceback.c: call_tostring"] = "the same",
  ["inspect.c: write_field"] = "an object's field is read and written as a script does",
  ["lua_pool.c: push_of_class"] = "self.helper is what the class has, as the class says",
  ["host.c: open_state"] = "a new state: nothing of the game is there",
}

local function name_of(file) return file:match "([%w_]+)%.[ch]$" end

function border.sources()
  local files <const> = {}
  for path in io.popen("ls src/script/*.h src/script/*/*.[ch] src/core/*.[ch]"):lines() do
    local file <close> = assert(io.open(path))
    files[path] = file:read "a"
  end
  return files
end

-- What is wrong with the sources of the library, without what is wanted.
function border.complaints()
  local out <const>, wanted <const> = {}, {}
  local function is_binding(file) return file:find "^src/script/" ~= nil and not EXEMPT[name_of(file)] end
  local function may_convert(file) return LIBRARIES[name_of(file)] end
  for _, line in ipairs(border.check(border.sources(), is_binding, may_convert)) do
    local file <const>, name <const>, kind <const> = line:match "([%w_]+%.[ch]):%d+: ([%w_]+): (%a+):"
    local key <const> = file .. ": " .. name
    if kind == "metamethod" and WANTED[key] then wanted[key] = true else out[#out + 1] = line end
  end
  for key in pairs(WANTED) do
    if not wanted[key] then out[#out + 1] = key .. ": nothing there is wanted any more" end
  end
  return out
end

-- What is said of functions that are planted, each text in a file of its own and with names of its own for its
-- functions f and g: a list of "function: kind: what, ...".
function border.try(texts)
  local files <const>, found <const> = border.sources(), {}
  local function name_of_text(i) return ("src/script/bind/planted_%d.c"):format(i) end
  for i, text in ipairs(texts) do
    files[name_of_text(i)] = text:gsub("%f[%w_][fg]%f[^%w_]", "%0_" .. i)
    found[i] = {}
  end
  local lines <const> = border.check(files, function(file) return file:find "/planted_" ~= nil end,
    function() return false end)
  for _, line in ipairs(lines) do
    local number <const>, what <const> = line:match "/planted_(%d+)%.c:%d+: ([%w_]+: %a+: .*)$"
    table.insert(found[tonumber(number)], (what:gsub("([fg])_%d+", "%1")))
  end
  for i in ipairs(texts) do found[i] = table.concat(found[i], ", ") end
  return found
end

-- }==

return border
