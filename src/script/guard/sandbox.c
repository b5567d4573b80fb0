#include "script/guard/sandbox.h"

#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/state/repeatable.h"
#include "script/state/report.h"

/* {== Source files ======================================================= */

static const sp_script_file *find_file(const sp_script_file *list, const char *name)
{
  while (list && list->name && strcmp(list->name, name) != 0)
    list++;
  return list && list->name ? list : NULL;
}

bool sp_given_file(const sp_context *c, const char *file, const char **text, size_t *size)
{
  size_t length = c && (c->files || c->texts || c->only_texts) ? strlen(c->root) : 0;
  *text = NULL;
  if (length == 0 || strncmp(file, c->root, length) != 0 || file[length] != '/')
    return false;
  const sp_script_file *given = find_file(c->texts, file + length + 1);
  given = given || c->only_texts ? given : find_file(c->files, file + length + 1);
  *text = given ? given->source : NULL;
  if (*text)
    *size = given->size ? given->size : strlen(*text);
  return given || c->files || c->only_texts;
}

/* Tells the host which text is read, by its name in the folder of the game. */
static void tell_of(const sp_context *c, const char *file, const char *text, size_t size)
{
  size_t length = c && c->on_read && c->root ? strlen(c->root) : 0;
  if (length > 0 && strncmp(file, c->root, length) == 0 && file[length] == '/')
    c->on_read(c->read_ud, file + length + 1, text, size);
}

bool sp_file_is_there(lua_State *L, const char *folder, const char *file)
{
  const sp_context *c = sp_context_of(L);
  const char *text;
  size_t size;
  if (sp_given_file(c, file, &text, &size) || (c && (c->files || c->only_texts)))
    return text;
  if (folder && !sp_folder_holds(folder, file))
    return luaL_error(L, "%s is outside the game's folder", file);
  char problem[SP_FILE_PROBLEM_MOST];
  int opened = sp_folder_open(folder, file, problem);
  if (opened >= 0)
    sp_file_close(opened);
  else if (errno != ENOENT)
    luaL_error(L, "cannot read %s: %s", file, problem);
  return opened >= 0;
}

/* push(text): where running out of memory is caught, so that the text is freed. */
static int push_text(lua_State *L)
{
  const sp_disk_text *text = lua_touserdata(L, 1);
  lua_pushlstring(L, text->bytes, text->size);
  return 1;
}

bool sp_push_file(lua_State *L, const char *folder, const char *file)
{
  size_t size;
  const char *given;
  char problem[SP_FILE_PROBLEM_MOST];
  bool is_given = sp_given_file(sp_context_of(L), file, &given, &size);
  if (given) {
    lua_pushlstring(L, given, size);
    tell_of(sp_context_of(L), file, given, size);
    return true;
  }
  if (is_given) {
    lua_pushnil(L);
    lua_pushfstring(L, "cannot read %s: %s", file, sp_file_problem(ENOENT, problem));
    return false;
  }
  sp_disk_reader reader = {.folder = folder};
  sp_disk_text text = {0};
  sp_stamp stamp = {0};
  reader.memory.alloc = lua_getallocf(L, &reader.memory.ud);
  luaL_checkstack(L, 4, NULL);
  lua_pushcfunction(L, push_text);
  lua_pushlightuserdata(L, &text);
  sp_disk_result result = sp_disk_read(&reader, file, &stamp, true, &text, problem);
  if (result == SP_DISK_READ) {
    int status = lua_pcall(L, 1, 1, 0);
    if (status == LUA_OK)
      tell_of(sp_context_of(L), file, text.bytes, text.size);
    sp_disk_free(&reader, &text);
    return status == LUA_OK || lua_error(L);
  }
  lua_pop(L, 2);
  if (result == SP_DISK_REFUSED) {
    lua_pushfstring(L, "cannot read %s: not enough memory", file);
    return lua_error(L); /* without a line: it would be one of the library's own Lua code */
  }
  lua_pushnil(L);
  lua_pushfstring(L, "cannot read %s: %s", file, problem);
  return false;
}

bool sp_lengthen_place(lua_State *L, const char *path)
{
  static const char cut[] = "...";
  size_t dots = sizeof cut - 1, length = strlen(path);
  const char *text = lua_tostring(L, -1), *colon = text ? strchr(text, ':') : NULL;
  if (!colon || strncmp(text, cut, dots) != 0)
    return false;
  size_t rest = (size_t)(colon - text) - dots;
  if (rest > length || strncmp(path + length - rest, text + dots, rest) != 0)
    return false;
  lua_pushfstring(L, "%s%s", path, colon);
  lua_replace(L, -2);
  return true;
}

/* }== */

/* {== Compiling ========================================================== */

#define TEXT_MOST ((size_t)4 << 20)
#define COMPILE_SECONDS 5 /* some texts take time that grows with the square of their length */
#define PIECE 1024        /* bytes: the clocks are read before each */

typedef struct reading {
  const char *at; /* the rest of the text, or of a piece */
  size_t left;
  int function;   /* stack index of the function that returns pieces, or 0; its last one is in the next slot */
  uint64_t begin; /* nanoseconds */
  int line;
  const char *name; /* of the chunk */
} reading;

/* Reads the next piece from the function. False at the end. */
static bool ask_for_more(lua_State *L, reading *r)
{
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, r->function);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "reader function must return a string");
  lua_replace(L, r->function + 1);
  r->at = lua_tolstring(L, r->function + 1, &r->left);
  return r->left > 0;
}

/* A lua_Reader. */
static const char *next_piece(lua_State *L, void *ud, size_t *size)
{
  reading *r = ud;
  sp_watchdog_check_clock(L);
  if (sp_clock_nanoseconds() - r->begin > COMPILE_SECONDS * UINT64_C(1000000000)) {
    const char *name = *r->name == '@' || *r->name == '=' ? r->name + 1 : "a text";
    lua_pushfstring(L, "%s:%d: compiling was stopped after %d s: split it", name, r->line, COMPILE_SECONDS);
    lua_error(L);
  }
  if (r->left == 0 && (!r->function || !ask_for_more(L, r)))
    return NULL;
  const char *piece = r->at;
  *size = r->left < PIECE ? r->left : PIECE;
  r->at += *size;
  r->left -= *size;
  for (const char *at = piece; at < r->at; at++)
    r->line += *at == '\n';
  return piece;
}

bool sp_load_text(lua_State *L, const char *text, size_t size, int function, const char *name)
{
  reading r = {text, text ? size : 0, 0, sp_clock_nanoseconds(), 1, name};
  if (function) { /* below the slot of its pieces */
    lua_pushvalue(L, function);
    lua_pushnil(L);
    r.function = lua_gettop(L) - 1;
  }
  bool fine = lua_load(L, next_piece, &r, name, "t") == LUA_OK;
  if (function) {
    lua_replace(L, r.function);
    lua_settop(L, r.function);
  }
  return fine;
}

static bool load_file_text(lua_State *L, const char *text, size_t size, const char *name)
{
  if (size <= TEXT_MOST)
    return sp_load_text(L, text, size, 0, name);
  lua_pushfstring(L, "a source file has up to %d MiB; this one is larger, and is not compiled", (int)(TEXT_MOST >> 20));
  return false;
}

bool sp_compile_text(lua_State *L, const char *text, size_t size, const char *file)
{
  const char *name = lua_pushfstring(L, "@%s", file);
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    size -= 3;
  }
  if (size > 0 && text[0] == '#') {
    const char *end = memchr(text, '\n', size);
    size = end ? size - (size_t)(end - text) : 0;
    text = end ? end : text;
  }
  bool fine = load_file_text(L, text, size, name);
  lua_remove(L, -2);
  if (fine)
    return true;
  sp_lengthen_place(L, file);
  if (!strchr(lua_tostring(L, -1), ':')) { /* of bytecode, it does not say where */
    lua_pushfstring(L, "%s: %s", file, lua_tostring(L, -1));
    lua_remove(L, -2);
  }
  if (text[0] != LUA_SIGNATURE[0] && memchr(text, '\0', size)) { /* of which Lua says nothing */
    lua_pushfstring(L, "%s (there are zero bytes in the file: save it as plain text, in UTF-8)", lua_tostring(L, -1));
    lua_remove(L, -2);
  }
  return false;
}

/* }== */

bool sp_compile_file(lua_State *L, const char *folder, const char *file)
{
  size_t size;
  bool fine = sp_push_file(L, folder, file);
  if (fine) {
    const char *text = lua_tolstring(L, -1, &size);
    fine = sp_compile_text(L, text, size, file);
  }
  lua_remove(L, -2); /* the text, or nil */
  return fine;
}

void sp_load_source(lua_State *L, const char *file, const char *kind, const char *name)
{
  const sp_context *c = sp_context_of(L);
  if (c && c->calls.load && c->calls.load(L, file, kind, name))
    return;
  if (!sp_compile_file(L, c ? c->folder : NULL, file))
    lua_error(L);
}

/* {== require ============================================================ */

static bool is_separator(char c) { return c == '.' || c == '/'; }

/* Returns whether a name consists of letters, digits, '_' and '-', separated by single dots or slashes: it cannot
   leave the folder. */
static bool is_module_name(const char *name)
{
  char before = '.';
  for (; *name; before = *name++) {
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
    if (!letter && *name != '_' && *name != '-' && !(is_separator(*name) && !is_separator(before)))
      return false;
  }
  return !is_separator(before);
}

enum { FOLDER = lua_upvalueindex(1), TRUST = lua_upvalueindex(2), PACKAGE = lua_upvalueindex(3) };

#define DEFAULT_PATH "?.lua;?/init.lua"

/* Returns the templates of the game, package.path, each of which stays inside its folder; left on the stack. */
static const char *push_path(lua_State *L)
{
  if (!lua_istable(L, PACKAGE))
    return lua_pushliteral(L, DEFAULT_PATH);
  if (lua_getfield(L, PACKAGE, "path") != LUA_TSTRING)
    luaL_error(L, "'package.path' must be a string");
  return lua_tostring(L, -1);
}

static bool leads_out(const char *template, size_t size)
{
  for (size_t i = 0; i + 1 < size; i++)
    if (template[i] == '.' && template[i + 1] == '.')
      return true;
  return false;
}

/* Pushes the file of a module by a template, in the game's folder. */
static const char *push_file_name(lua_State *L, const char *template, size_t size, const char *path)
{
  if (size >= 2 && template[0] == '.' && template[1] == '/') {
    template += 2;
    size -= 2;
  }
  lua_pushlstring(L, template, size);
  const char *name = luaL_gsub(L, lua_tostring(L, -1), "?", path);
  const char *file = lua_pushfstring(L, "%s/%s", lua_tostring(L, FOLDER), name);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return file;
}

/* Returns a loader and the file, or a text for require's message. */
static int search_folder(lua_State *L)
{
  const char *folder = lua_toboolean(L, TRUST) ? NULL : lua_tostring(L, FOLDER);
  const char *name = luaL_checkstring(L, 1);
  if (!is_module_name(name)) {
    lua_pushfstring(L, "'%s' is no module name (letters, digits, '_', '-', parts parted by '.' or '/')", name);
    return 1;
  }
  const char *path = luaL_gsub(L, name, ".", "/"), *template = push_path(L), *end;
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  lua_pushliteral(L, ""); /* what was tried */
  for (; *template; template = *end ? end + 1 : end) {
    end = template + strcspn(template, ";");
    size_t size = (size_t)(end - template);
    if (size == 0 || leads_out(template, size))
      continue;
    sp_work_called(&work);
    const char *file = push_file_name(L, template, size, path);
    if (sp_file_is_there(L, folder, file)) {
      sp_load_source(L, file, "module", name);
      lua_insert(L, -2);
      return 2;
    }
    size_t length = strlen(file), last = sizeof "/init.lua" - 1;
    bool is_said = length < last || strcmp(file + length - last, "/init.lua") != 0;
    const char *tried = lua_tostring(L, -2);
    lua_pushfstring(L, is_said ? "%s%sno file '%s'" : "%s", tried, *tried ? "\n\t" : "", file);
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  return 1;
}

/* `require` keeps the real package table as an upvalue; the game sees what was loaded, its own loaders, and where its
   modules are searched for. */
static void confine_require(lua_State *L, const char *folder, bool trust)
{
  lua_getglobal(L, "package");
  if (trust) {
    lua_pushnil(L);
  } else {
    static const char *const kept[] = {"loaded", "preload", NULL};
    lua_createtable(L, 0, 4);
    for (int i = 0; kept[i]; i++) {
      lua_getfield(L, -2, kept[i]);
      lua_setfield(L, -2, kept[i]);
    }
    lua_pushliteral(L, LUA_DIRSEP "\n;\n?\n!\n-\n");
    lua_setfield(L, -2, "config");
    lua_pushliteral(L, DEFAULT_PATH);
    lua_setfield(L, -2, "path");
    lua_pushvalue(L, -1);
    lua_setglobal(L, "package");
    lua_getfield(L, -1, "loaded");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "package");
    lua_pop(L, 1);
  }
  lua_getfield(L, -2, "searchers");
  lua_createtable(L, 5, 0);
  lua_rawgeti(L, -2, 1); /* preload */
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, folder);
  lua_pushboolean(L, trust);
  lua_pushvalue(L, -5); /* the game's package */
  lua_pushcclosure(L, search_folder, 3);
  lua_rawseti(L, -2, 2);
  for (int i = 2; trust && i <= 4; i++) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -4, "searchers");
  lua_pop(L, 3);
}

/* }== */

/* {== load =============================================================== */

/* Bytecode is refused whatever the mode is. The watchdog never interrupts chunks with names of the library, so no other
   chunk may have such a name. */
static int load(lua_State *L)
{
  size_t size = 0;
  const char *text = lua_tolstring(L, 1, &size), *mode = luaL_optstring(L, 3, "bt");
  const char *name = luaL_optstring(L, 2, text ? text : "=(load)");
  bool has_env = !lua_isnone(L, 4);
  if (!text)
    luaL_checktype(L, 1, LUA_TFUNCTION);
  if (strncmp(name, "=spawnpool", sizeof "=spawnpool" - 1) == 0)
    return luaL_argerror(L, 2, "chunks called 'spawnpool' are the library's own");
  lua_settop(L, 4);
  if (!strchr(mode, 't') && !(text && *text == *LUA_SIGNATURE)) {
    luaL_pushfail(L);
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  if (!sp_load_text(L, text, size, text ? 0 : 1, name)) {
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_env) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1))
      lua_pop(L, 1);
  }
  return 1;
}

/* }== */

/* {== setmetatable ======================================================= */

enum { REPEATABLE = lua_upvalueindex(1), ORIGINAL = lua_upvalueindex(2), GC = lua_upvalueindex(3) };

static void warn_of_finaliser(lua_State *L)
{
  luaL_where(L, 1);
  lua_pushliteral(L, "__gc is not called in the sandbox: <close> ends a block, on_despawn a life");
  lua_concat(L, 2);
  sp_report_text(L, sp_context_of(L), SP_REPORT_WARNING, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* Finalisers cannot be stopped. Lua looks for __gc when a metatable is set: it is taken away for that moment. */
static int set_metatable(lua_State *L)
{
  bool has_finaliser = false;
  if (lua_istable(L, 1) && lua_istable(L, 2)) {
    sp_repeatable *repeatable = sp_repeatable_at(L, REPEATABLE);
    if (repeatable)
      sp_repeatable_note_metatable(L, repeatable, 2);
    lua_settop(L, 2);
    lua_pushvalue(L, GC);
    has_finaliser = lua_rawget(L, 2) != LUA_TNIL;
  }
  if (!has_finaliser)
    return lua_tocfunction(L, ORIGINAL)(L);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  lua_pushvalue(L, GC);
  lua_pushnil(L);
  lua_rawset(L, 2);
  lua_pushvalue(L, 2);
  lua_setmetatable(L, 1);
  lua_pushvalue(L, GC);
  lua_pushvalue(L, 3);
  lua_rawset(L, 2);
  warn_of_finaliser(L);
  lua_settop(L, 1);
  return 1;
}

/* }== */

/* Replaces `load` and `setmetatable`. */
static void confine_functions(lua_State *L)
{
  lua_pushglobaltable(L);
  lua_pushcfunction(L, load);
  lua_setfield(L, -2, "load");
  sp_repeatable_push(L);
  lua_getfield(L, -2, "setmetatable");
  lua_pushliteral(L, "__gc");
  lua_pushcclosure(L, set_metatable, 3);
  lua_setfield(L, -2, "setmetatable");
  lua_pop(L, 1);
}

/* {== Libraries ========================================================== */

/* Registers the table on top as a library; pops it. */
static void add_library(lua_State *L, const char *library)
{
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
  lua_setglobal(L, library);
}

static void keep_only(lua_State *L, const char *library, const char *const *names)
{
  lua_newtable(L);
  lua_getglobal(L, library);
  for (; *names; names++) {
    lua_getfield(L, -1, *names);
    lua_setfield(L, -3, *names);
  }
  lua_pop(L, 1);
  add_library(L, library);
}

/* getenv(name) -> nil: the environment is not the game's. */
static int getenv_of_nobody(lua_State *L)
{
  luaL_checkstring(L, 1);
  luaL_pushfail(L);
  return 1;
}

/* getinfo([thread,] level [, what]) -> where the function at that level is, as Lua's own says it: "S" and "l" alone,
   and no function. Upvalue: Lua's own. */
static int getinfo(lua_State *L)
{
  int level = lua_isthread(L, 1) ? 2 : 1;
  luaL_checkinteger(L, level);
  const char *what = luaL_optstring(L, level + 1, "Sl");
  if (what[strspn(what, "Sl")] != '\0')
    return luaL_argerror(L, level + 1, "the sandbox has 'S' and 'l'; a trusted game has all of Lua");
  lua_settop(L, level);
  lua_pushstring(L, what);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* Replaces a function of a library; the new one has the old one as its upvalue. */
static void replace_in(lua_State *L, const char *library, const char *name, lua_CFunction function)
{
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* Everything of Lua but what reaches files, processes and native code, or what Lua keeps to itself. */
static void open_confined(lua_State *L)
{
  static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},          {LUA_LOADLIBNAME, luaopen_package},
                                       {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
                                       {LUA_STRLIBNAME, luaopen_string},   {LUA_MATHLIBNAME, luaopen_math},
                                       {LUA_UTF8LIBNAME, luaopen_utf8},    {LUA_OSLIBNAME, luaopen_os},
                                       {LUA_DBLIBNAME, luaopen_debug},     {NULL, NULL}};
  static const char *const of_os[] = {"clock", "date", "difftime", "time", NULL};
  static const char *const of_debug[] = {"getinfo", "traceback", NULL};
  static const char *const gone[] = {"dofile", "loadfile", NULL};
  for (const luaL_Reg *lib = libraries; lib->name; lib++) {
    luaL_requiref(L, lib->name, lib->func, 1);
    lua_pop(L, 1);
  }
  keep_only(L, LUA_OSLIBNAME, of_os);
  replace_in(L, LUA_OSLIBNAME, "getenv", getenv_of_nobody);
  keep_only(L, LUA_DBLIBNAME, of_debug);
  replace_in(L, LUA_DBLIBNAME, "getinfo", getinfo);
  for (int i = 0; gone[i]; i++) {
    lua_pushnil(L);
    lua_setglobal(L, gone[i]);
  }
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
  confine_functions(L);
}

void sp_sandbox_open(lua_State *L, const char *folder, bool trust)
{
  sp_repeatable *repeatable = sp_repeatable_push(L);
  lua_pop(L, 1);
  if (trust)
    luaL_openlibs(L);
  else
    open_confined(L);
  if (repeatable)
    sp_repeatable_open(L);
  confine_require(L, folder, trust);
}

/* }== */

/* {== Lists of files ===================================================== */

static void append(lua_State *L, int list, const char *name, size_t length)
{
  lua_pushlstring(L, name, length);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* An open folder that no error can leave open. */
static int close_folder(lua_State *L)
{
  sp_folder_stream **dir = lua_touserdata(L, 1);
  sp_folder_stream_close(*dir);
  *dir = NULL;
  return 0;
}

static sp_folder_stream *open_folder(lua_State *L, const char *path)
{
  sp_folder_stream **dir = lua_newuserdatauv(L, sizeof *dir, 0);
  *dir = NULL;
  if (luaL_newmetatable(L, "spawnpool.listing")) {
    lua_pushcfunction(L, close_folder);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, close_folder);
    lua_setfield(L, -2, "__close");
  }
  lua_setmetatable(L, -2);
  lua_toclose(L, -1);
  return *dir = sp_folder_list(sp_context_here(L)->folder, path);
}

/* Returns 2 for files and special files, 3 for folders, 0 to skip: files of the game have paths without links, and a
   link to a folder could form a cycle. */
static int list_of(const char *path)
{
  sp_disk_kind kind = sp_disk_stamp(path).kind;
  if (kind == SP_DISK_FOLDER)
    return sp_path_is_link(path) ? 0 : 3;
  return kind == SP_DISK_NOTHING ? 0 : 2;
}

/* Lists a folder of a game in memory. Files of one folder stand together, so that each folder appends its name once. */
static void list_given(lua_State *L, const sp_context *c, const sp_script_file *file, const char *path)
{
  size_t above = strlen(c->folder), length = strlen(path) - above;
  const char *inside = length > 0 ? path + above + 1 : "", *last = "";
  for (; file && file->name; file++) {
    const char *name = length > 0 ? file->name + length : file->name;
    if (length > 0 && (strncmp(file->name, inside, length - 1) != 0 || file->name[length - 1] != '/'))
      continue;
    size_t size = strcspn(name, "/");
    bool is_folder = name[size] == '/', is_new = strncmp(name, last, size) != 0 || last[size] != '/';
    if (name[0] != '.' && (!is_folder || is_new))
      append(L, is_folder ? 3 : 2, name, size);
    last = is_folder ? name : last;
  }
}

/* native.list(folder) -> a list of its files, a list of its folders: names, in no order, without those that begin with
   a dot. Empty when it cannot be read. */
static int native_list(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  const char *name;
  lua_settop(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  const sp_context *c = sp_context_here(L);
  if (c->files || c->only_texts) {
    list_given(L, c, c->files ? c->files : c->texts, path);
    return 2;
  }
  sp_folder_stream *dir = open_folder(L, path);
  while (dir && (name = sp_folder_stream_next(dir, NULL)) != NULL) {
    if (name[0] == '.')
      continue;
    int list = list_of(lua_pushfstring(L, "%s/%s", path, name));
    lua_pop(L, 1);
    if (list)
      append(L, list, name, strlen(name));
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  return 2;
}

/* native.folder() -> that of a game in a sandbox, or nil. */
static int native_folder(lua_State *L)
{
  lua_pushstring(L, sp_context_here(L)->folder);
  return 1;
}

void sp_add_listing(lua_State *L, sp_context *c)
{
  static const luaL_Reg natives[] = {{"list", native_list}, {"folder", native_folder}, {NULL, NULL}};
  sp_set_functions(L, c, natives);
}

/* }== */
