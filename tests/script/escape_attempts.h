/*
** Ways out of the sandbox, one row for each rule: a name, and Lua code that tries it. The result of the code must be
** the one in the row. tests/slow/check_reach.c calls each function that a game can reach, and tests/fuzz/hostile calls
** them with values of every kind.
*/
#ifndef SP_TESTS_ESCAPE_ATTEMPTS_H
#define SP_TESTS_ESCAPE_ATTEMPTS_H

#include <stdbool.h>

/* The rule that an attempt would break. */
typedef enum rule { NO_LIBRARY, NO_METATABLE, NO_FILE, NO_END, NO_LOOP, NO_HOOK, NO_TWIST } rule;

typedef struct attempt {
  rule of;
  /* `result`: what the code returns as text, or a part of the error it raises; or "hangs: 'rep'": it does not come
     back, and the host is told so */
  const char *name, *code, *result;
  bool needs_ticks; /* without them it takes seconds, in which few instructions run */
} attempt;

static const attempt attempts[] = {
    {NO_LIBRARY, "io", "return io, package.loaded.io, pcall(require, 'io')", "nil nil false"},
    {NO_LIBRARY, "os_beyond_the_clock",
     "local t = {} for k in pairs(os) do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')",
     "clock date difftime time"},
    {NO_LIBRARY, "debug",
     "local t = {} for k in pairs(debug) do t[#t + 1] = k end return #t, t[1], require('debug') == debug,\n"
     "(debug.traceback('at'):find('^at\\nstack traceback:'))",
     "1 traceback true 1"},
    {NO_LIBRARY, "package_functions",
     "return package.loadlib, package.searchers, package.searchpath, package.path, package.cpath, package.preload",
     "nil nil nil nil nil nil"},
    {NO_LIBRARY, "package_by_assignment",
     "package.preload = { evil = print } package.searchers = { function() return print end }\n"
     "return (pcall(require, 'evil'))",
     "false"},
    {NO_LIBRARY, "package_loaded_lends_no_library",
     "package.loaded.debug = nil package.loaded._G = nil return (pcall(require, 'debug'))", "false"},
    {NO_LIBRARY, "harmless_libraries_are_there",
     "local all = { math.floor, string.format, table.concat, coroutine.wrap, utf8.char, os.time, os.clock, os.date,\n"
     "  os.difftime, load, pcall, select, require, collectgarbage, setmetatable, warn, print }\n"
     "return #all, type(require 'math'), require('string') == string, type(require('spawnpool').new)",
     "17 table true function"},
    {NO_LIBRARY, "bytecode_in_any_mode",
     "local code, all = '\\27Lua' .. ('x'):rep(100), {}\n"
     "for _, mode in ipairs { 'b', 'bt', 't' } do local _, why = load(code, 'c', mode) all[why] = true end\n"
     "return next(all)",
     "attempt to load a binary chunk (mode is 't') true"},
    {NO_LIBRARY, "what_load_takes",
     "return load('return 1 + 1')(), load('return ...', 'c', 't', {})(5), load('return x', 'c', nil, { x = 3 })(),\n"
     "#table.pack(load(function() end)()), pcall(load('return x', 'c', 't', nil))",
     "2 5 3 0 false [string \"c\"]:1: attempt to index a nil value (upvalue '_ENV')"},
    {NO_LIBRARY, "a_reader_of_no_text", "return select(2, load(function() return {} end)):match 'reader .*'",
     "reader function must return a string"},
    {NO_LIBRARY, "bytecode_in_a_loader_function",
     "local once = '\\27Lua' return load(function() local c = once once = nil return c end, 'c', 'b')",
     "nil attempt to load a text chunk (mode is 'b')"},
    {NO_LIBRARY, "load_has_no_other_globals", "return load('return io, debug.getregistry, os.exit')()", "nil nil nil"},
    {NO_LIBRARY, "our_own_modules_are_not_lent",
     "return (pcall(require, 'spawnpool.reload')), (pcall(require, 'spawnpool.class')), "
     "package.loaded['spawnpool.files']",
     "false false nil"},
    {NO_LIBRARY, "whatever_can_be_reached_is_harmless",
     "local seen, todo, bad = {}, { _G, spawnpool, pools, pools:pool 'Cube', pools:alloc 'Cube', '', print }, {}\n"
     "local names = { 'open', 'popen', 'execute', 'exit', 'getenv', 'rename', 'loadlib', 'sethook', 'dump', 'dofile' "
     "}\n"
     "local function look(v) for _, name in ipairs(names) do\n"
     "  local ok, f = pcall(function() return v[name] end)\n"
     "  if ok and f ~= nil then bad[#bad + 1] = name end end end\n"
     "while #todo > 0 do local v = table.remove(todo) if v ~= nil and not seen[v] then seen[v] = true look(v)\n"
     "  if type(v) == 'table' then for k, x in next, v do todo[#todo + 1] = k todo[#todo + 1] = x end end\n"
     "  todo[#todo + 1] = getmetatable(v) end end\n"
     "return #bad, bad[1]",
     "0 nil"},
    {NO_METATABLE, "string_metatable_reaches_strings_only",
     "local m = getmetatable('') local n = 0 for _ in pairs(m) do n = n + 1 end\n"
     "return n, m.__index == string",
     "9 true"},
    {NO_METATABLE, "what_is_the_librarys_hides_its_metatable",
     "local Cube <const>, cubes <const> = spawnpool.class 'Cube', pools:pool 'Cube'\n"
     "local kinds = { pools:alloc 'Cube', pools, cubes, cubes:within(0, 0, 1), spawnpool.keep(1), spawnpool.ref }\n"
     "for i, it in ipairs(kinds) do kinds[i] = getmetatable(it):match '^spawnpool.(.*)' end\n"
     "return table.concat(kinds, ' '), (pcall(setmetatable, Cube, {})), pcall(setmetatable, Cube, { __gc = print })",
     "object pools pool list field field false false cannot change a protected metatable"},
    {NO_METATABLE, "userdata_has_no_hidden_fields",
     "return (pcall(function() return pools.__gc end)), pools:pool('Cube').__index,\n"
     "pools:pool('Cube').__gc, (pcall(rawget, pools, 1))",
     "false nil nil false"},
    {NO_METATABLE, "the_base_of_classes_is_nobodys_own",
     "local base = spawnpool.class('Cube').super\n"
     "return getmetatable(base), (pcall(setmetatable, base, {}))",
     "spawnpool.class false"},
    {NO_METATABLE, "a_walk_over_a_class_lends_no_table_of_its_own",
     "local Cube, lent = spawnpool.class 'Cube', 0\n"
     "for _, v in ipairs(table.pack(pairs(Cube))) do if type(v) == 'table' and v ~= Cube then lent = lent + 1 end end\n"
     "return lent",
     "0"},
    {NO_METATABLE, "finalisers_made_later",
     "local m = {} local t = setmetatable({}, m) m.__gc = function() while true do end end\n"
     "t = nil collectgarbage() return 'nothing ran'",
     "nothing ran"},
    {NO_METATABLE, "a_metatable_of_the_globals",
     "setmetatable(_G, { __index = function(_, k) return 'made ' .. k end, __newindex = function() error 'no' end })\n"
     "local o = pools:alloc('Cube', 1) pools:update(0.5) pools:configure {} return nothing, o.alive",
     "made nothing true"},
    {NO_METATABLE, "an_index_of_all_texts",
     "local m = getmetatable '' m.__index = function() return function() return 'mine' end end\n"
     "local r, o = ('x'):upper(), pools:alloc 'Cube' pcall(pools.alloc, pools, 7) pools:stats() m.__index = string\n"
     "return r, o.alive",
     "mine true"},
    {NO_METATABLE, "a_formatted_forgery",
     "return pools:is_live(tostring(pools:alloc 'Cube')), pools:is_live('Cube#1 (live)')", "false false"},
    {NO_FILE, "require_by_odd_names",
     "for _, name in ipairs { '../secret', '..secret', '...secret', './a', '/etc/passwd', 'a/../../secret', 'a\\\\b', "
     "'',\n"
     "  '.', '..', 'a.', '.a', 'a..b', 'a\\0b', 'C:secret', 'secret', 'io', 'a//b', 'a/', '/a', 'a./b', 'nothing' } "
     "do\n"
     "  local ok, why = pcall(require, name) if ok or not why:find 'not found' then return name, ok, why end end\n"
     "return pcall(require, 12) or pcall(require, nil) or pcall(require, {})",
     "false"},
    /* Lua's own require takes it for the end of the name. */
    {NO_FILE, "require_with_a_zero_byte", "return require('inside\\0/../../secret')", "inside"},
    {NO_FILE, "require_over_a_link", "require 'link'", "outside the game's folder"},
    {NO_FILE, "require_over_a_link_that_stays", "return require 'own'", "inside"},
    {NO_FILE, "a_class_file_outside", "spawnpool.new({ path = OUT .. '/?.lua' }):alloc 'secret'",
     "outside the game's folder"},
    {NO_FILE, "a_class_file_inside", "return spawnpool.new({ path = IN .. '/more/?.lua' }):alloc('Own').x", "3.0"},
    {NO_FILE, "a_class_file_over_a_link", "spawnpool.new({ path = IN .. '/?.lua' }):alloc 'link'",
     "outside the game's folder"},
    {NO_FILE, "a_chunk_called_like_a_file_outside", "load('error \"none of it\"', '@' .. OUT .. '/secret.lua')()",
     "none of it"},
    {NO_FILE, "a_message_that_begins_like_a_place", "error(OUT .. '/secret.lua:1: none of it', 0)", "none of it"},
    {NO_FILE, "a_path_with_a_zero_byte", "spawnpool.new { path = '/etc/passwd\\0?' }", "'path' must be a file name"},
    {NO_END, "memory_by_concat", "local s = 'x' while true do s = s .. s end", "not enough memory"},
    {NO_END, "memory_by_objects", "for i = 1, 1e9 do pools:alloc 'Cube' end", "memory"},
    {NO_END, "memory_by_prewarming", "pools:pool('Cube'):prewarm(1 << 24)", "memory"},
    {NO_END, "memory_by_managers",
     "kept = {} for i = 1, 250 do kept[i] = spawnpool.new() for k = 1, 1e6 do kept[i]:alloc 'Cube' end end", "memory"},
    {NO_END, "memory_with_the_collector_stopped",
     "collectgarbage 'stop' local s = ('x'):rep(5000)\nfor i = 1, 4e4 do local _ = s .. i end\n"
     "return 'collected all the same'",
     "collected all the same"},
    {NO_END, "collector_with_huge_numbers",
     "collectgarbage('setpause', 1 << 31) collectgarbage('setstepmul', 1 << 31)\n"
     "collectgarbage('incremental', 1 << 30, 1 << 30, 1 << 30)\n"
     "collectgarbage('generational', 1 << 30, 1 << 30)\n"
     "collectgarbage('step', math.maxinteger) collectgarbage() return 'fine'",
     "fine"},
    {NO_END, "deep_calls_through_pcall", "local function f() return pcall(f) end f() return 'ended'", "ended"},
    {NO_END, "deep_calls_through_c", "local function f(s) return (s:gsub('.', f)) end f 'x'", "C stack overflow"},
    {NO_END, "deep_source", "return load('return ' .. ('{'):rep(1e5))", "nil C stack overflow"},
    {NO_END, "a_pattern_that_backtracks_in_pcall",
     "while true do pcall(('a'):rep(99).gsub, ('a'):rep(99), ('.-'):rep(20) .. 'b') end", "stopped"},
    {NO_END, "a_pattern_of_pairs", "(('('):rep(1 << 20)):find('%b()')", "stopped"},
    {NO_END, "a_search_in_what_is_nearly_the_same",
     "local s = ('a'):rep(1 << 22) s:find(s:sub(1, 1 << 21) .. 'b', 1, true)", "stopped"},
    {NO_END, "a_loop_in_xpcalls_handler", "xpcall(error, function() while true do end end)", "stopped"},
    {NO_END, "a_loop_in_tostring_of_an_error",
     "error(setmetatable({}, { __tostring = function() while true do end end }))", "stopped"},
    {NO_END, "a_loop_called_like_the_library", "load('while true do end', '=spawnpool.class')()", "library's own"},
    {NO_END, "a_loop_in_rep", "return #(''):rep(1 << 62), #(''):rep(1 << 62, '')", "hangs: 'rep'"},
    {NO_END, "a_loop_in_sort",
     "table.sort(setmetatable({}, { __len = function() return (1 << 31) - 2 end }),\n"
     "pcall)",
     "array too big"},
    {NO_END, "a_loop_in_concat_of_what_is_not_there",
     "table.concat(setmetatable({}, { __metatable = '', __index = getmetatable }), '', 1, 1 << 62)", "hangs: 'concat'"},
    {NO_END, "a_sort_of_long_strings",
     "local t, a = {}, ('\\0'):rep(1 << 24) local b = a .. 'b' for i = 1, 1e5, 2 do t[i], t[i + 1] = a, b end\n"
     "table.sort(t)",
     "stopped"},
    {NO_END, "formats_that_are_concats",
     "local t = {} for i = 1, 3e5 do t[i] = 'x' end setmetatable(t, { __tostring = table.concat })\n"
     "local u = {} for i = 1, 1e5 do u[i] = t end local f = ('%.1s'):rep(#u) f:format(table.unpack(u))",
     "hangs: 'format'"},
    {NO_END, "prints_that_are_concats",
     "local t = {} for i = 1, 1e6 do t[i] = '' end setmetatable(t, { __tostring = table.concat })\n"
     "local u = {} for i = 1, 1e5 do u[i] = t end print(table.unpack(u))",
     "stopped", .needs_ticks = true},
    {NO_END, "a_text_that_takes_for_ever_to_compile",
     "local s, l = {}, {} for i = 1, 190 do l[i] = 'l' .. i end\n"
     "for i = 1, 60 do s[i] = 'local ' .. table.concat(l, ',') .. ' return function() ' end\n"
     "load(table.concat(s) .. ('a=a '):rep(1 << 22) .. ('end '):rep(60))",
     "stopped"},
    {NO_END, "a_reader_whose_pieces_take_for_ever_to_compile",
     "local s, l = {}, {} for i = 1, 190 do l[i] = 'l' .. i end\n"
     "for i = 1, 60 do s[i] = 'local ' .. table.concat(l, ',') .. ' return function() ' end\n"
     "s = table.concat(s) local rest = ('a=a '):rep(1 << 22)\n"
     "load(function() local piece = s s = rest return piece end)",
     "stopped"},
    {NO_END, "a_date_that_takes_for_ever", "os.date(('%c'):rep(1 << 24))", "not enough memory"},
    {NO_END, "a_set_that_is_passed_over_a_million_times",
     "(('a'):rep(1 << 20)):find('[' .. ('b'):rep(1 << 20) .. ']?c')", "stopped"},
    {NO_END, "captures_that_are_compared_again_and_again",
     "local s = ('a'):rep(1 << 20) s:find('^(' .. ('a'):rep(1 << 18) .. '.-)%1b')", "stopped"},
    {NO_END, "objects_that_all_meet",
     "local p = pools:pool 'Cube' for i = 1, 8000 do p:alloc() end p:overlaps(p, rawequal)", "stopped"},
    {NO_END, "a_reader_in_c_that_always_has_more", "load(collectgarbage)", "stopped"},
    /* `loop` never ends. Each ends the call, whatever is around it. */
    {NO_LOOP, "loop_plain", "loop()", "stopped"},
    {NO_LOOP, "loop_in_pcall_again_and_again", "while true do pcall(loop) end", "stopped"},
    {NO_LOOP, "loop_in_xpcalls_handler_again", "while true do xpcall(loop, loop) end", "stopped"},
    {NO_LOOP, "loop_in_three_coroutines",
     "coroutine.wrap(function() coroutine.wrap(function() coroutine.wrap(loop)() end)() end)()", "stopped"},
    {NO_LOOP, "loop_in_a_coroutines_handler", "xpcall(coroutine.wrap(loop), loop)", "stopped"},
    {NO_LOOP, "loop_in_resumes", "while true do coroutine.resume(coroutine.create(loop)) end", "stopped"},
    {NO_LOOP, "loop_in_coroutines_that_yield", "while true do coroutine.wrap(coroutine.yield)() end", "stopped"},
    {NO_LOOP, "loop_in_close_of_a_coroutine",
     "local co <const> = coroutine.create(function()\n  local x <close> = setmetatable({}, { __close = loop })\n  "
     "coroutine.yield()\nend)\ncoroutine.resume(co) coroutine.close(co)",
     "stopped"},
    {NO_LOOP, "loop_in_close_after_a_loop", "local x <close> = setmetatable({}, { __close = loop })\nloop()",
     "stopped"},
    {NO_LOOP, "loop_of_tail_calls", "local function f() return f() end\nf()", "stopped"},
    {NO_LOOP, "loop_of_pcalls", "local function f() pcall(f) pcall(f) end\nf()", "stopped"},
    {NO_LOOP, "loop_far_down",
     "local function f(n) if n == 0 then loop() end return 1 + f(n - 1) end\npcall(f, 190000)", "stopped"},
    {NO_LOOP, "loop_of_classes", "while true do spawnpool.class('Looper', { limit = 3 }) end", "stopped"},
    {NO_LOOP, "loop_in_alloc_in_pcall",
     "function Looper:alloc() loop() end\nwhile true do pcall(pools.alloc, pools, 'Looper') end", "stopped"},
    {NO_LOOP, "loop_in_on_despawn_again_and_again",
     "function Looper:on_despawn() loop() end\nwhile true do pools:alloc('Looper'):recycle() end", "stopped"},
    {NO_LOOP, "loop_in_recycle_all", "pools:alloc('Looper') pools:recycle_all(loop)", "stopped"},
    {NO_LOOP, "loop_in_runs", "local cube <const> = pools:alloc('Looper')\nwhile true do cube:run(loop) end",
     "stopped"},
    /* Hooks and timers that do not come back: each is stopped, and its caller goes on. */
    {NO_HOOK, "on_spawn",
     "function Looper:on_spawn() loop() end\nprint(select(2, pcall(pools.alloc, pools, 'Looper')))", "stopped"},
    {NO_HOOK, "on_despawn_in_a_coroutine",
     "function Looper:on_despawn() coroutine.wrap(loop)() end\npools:alloc('Looper'):recycle()", "stopped"},
    {NO_HOOK, "update",
     "local once\nfunction Looper:update() if not once then once = true loop() end "
     "end\npools:alloc('Looper'):recycle() pools:update(1)",
     "stopped"},
    {NO_HOOK, "run_later", "pools:alloc('Looper'):run(function() coroutine.yield(0.1) loop() end) pools:update(1)",
     "stopped"},
    {NO_HOOK, "run_in_close",
     "local cube <const> = pools:alloc('Looper')\ncube:run(function()\n  local x <close> = setmetatable({}, { __close "
     "= loop }) coroutine.yield(9) end) cube:recycle()",
     "stopped"},
    {NO_HOOK, "on_despawn_in_xpcall",
     "function Looper:on_despawn() loop() end\nprint(xpcall(function() pools:alloc('Looper'):recycle() error('later', "
     "0) end, function(m) return 'handled ' .. m end))",
     "print: false\thandled later\n"},
    /* Calls that lead nowhere, and errors that are more than a text. */
    {NO_TWIST, "index_of_itself", "local m = {} m.__index = setmetatable({}, m) return setmetatable({}, m).x", "loop"},
    {NO_TWIST, "deep_requires", "require 'again'", "again.lua"},
    {NO_TWIST, "deep_handlers", "local function f(m) error(m) end return select('#', xpcall(error, f, 'x'))", "2"},
    {NO_TWIST, "an_error_that_throws_itself", "error(setmetatable({}, { __tostring = function(e) error(e) end }))",
     "(error object is a table value)"},
    {NO_TWIST, "a_loop_in_coroutine_close",
     "local co = coroutine.create(function()\n"
     "  local x <close> = setmetatable({}, { __close = function() while true do end end }) coroutine.yield() end)\n"
     "coroutine.resume(co) coroutine.close(co)",
     "stopped"},
    {NO_TWIST, "a_coroutine_of_ours_resumed_and_closed",
     "local o, co = pools:alloc 'Cube'\n"
     "o:run(function() co = coroutine.running() coroutine.yield(9) end)\n"
     "return coroutine.resume(co), coroutine.close(co), o:recycle()",
     "true true true"},
    {NO_TWIST, "sort_with_a_comparator_that_yields",
     "coroutine.wrap(function() table.sort({ 3, 2, 1 }, coroutine.yield) end)()",
     "attempt to yield across a C-call boundary"},
    {NO_TWIST, "ticks_without_end_of_a_function_in_c", "pools:alloc('Cube'):every(1 / 60, type) pools:update(1e11)",
     "stopped"},
    {NO_TWIST, "ticks_without_end_of_a_coroutine",
     "for _ = 1, 10 do pools:alloc('Cube'):run(function() while true do coroutine.yield(0) end end) end\n"
     "pools:update(1e11)",
     "stopped"},
    {NO_TWIST, "lives_without_end",
     "local Heir = spawnpool.class 'Heir' function Heir:on_despawn(_, why) if why == 'expired' then self:alloc(0.01) "
     "end end\n"
     "for _ = 1, 10 do pools:alloc('Heir', 0.01) end pools:update(1e11)",
     "stopped"},
};

#endif
