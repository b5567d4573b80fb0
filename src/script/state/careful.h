/*
** Included last by every file with functions that a game can reach: from there on the compiler refuses Lua's own ways
** to read an argument, and raw access that nobody has checked. arguments.h has what is used instead. No guard: the
** pragma holds for the file that includes it.
*/
#undef luaL_checkstring
#undef luaL_optstring
#undef luaL_getmetafield
#pragma GCC poison luaL_checkinteger luaL_checknumber luaL_checkstring luaL_checklstring luaL_checktype luaL_checkany
#pragma GCC poison luaL_checkoption luaL_optinteger luaL_optnumber luaL_optstring luaL_optlstring luaL_checkudata
#pragma GCC poison luaL_testudata luaL_tolstring luaL_callmeta luaL_len luaL_setfuncs lua_touserdata
#pragma GCC poison lua_rawget lua_rawgeti lua_rawgetp lua_rawset lua_rawseti lua_rawsetp lua_rawequal lua_rawlen
#pragma GCC poison lua_next lua_gettable lua_settable lua_geti lua_seti lua_len lua_compare lua_arith
