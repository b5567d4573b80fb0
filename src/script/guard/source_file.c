#include "script/guard/source_file.h"

#include <errno.h>
#include <lauxlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/state/disk.h"
#include "script/state/platform.h"

const char *sp_given_file(const sp_context *c, const char *file, size_t *size)
{
  size_t length = c && c->files ? strlen(c->folder) : 0;
  if (length == 0 || strncmp(file, c->folder, length) != 0 || file[length] != '/')
    return NULL;
  const sp_script_file *given = c->files;
  while (given->name && strcmp(given->name, file + length + 1) != 0)
    given++;
  if (given->name)
    *size = given->size ? given->size : strlen(given->source);
  return given->source;
}

bool sp_file_is_there(lua_State *L, const char *folder, const char *file)
{
  const sp_context *c = sp_context_of(L);
  size_t size;
  if (c && c->files)
    return sp_given_file(c, file, &size);
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
  const char *given = sp_given_file(sp_context_of(L), file, &size);
  if (given) {
    lua_pushlstring(L, given, size);
    return true;
  }
  char problem[SP_FILE_PROBLEM_MOST];
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
    sp_disk_free(&reader, &text);
    return status == LUA_OK || lua_error(L);
  }
  lua_pop(L, 2);
  if (result == SP_DISK_REFUSED)
    return luaL_error(L, "cannot read %s: not enough memory", file);
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
