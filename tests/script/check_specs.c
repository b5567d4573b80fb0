/*
** Runs the specs of tests/lua as Check tests: one text, several ways, each way in a suite of its own. Each `test` of
** each file has a Lua state of its own, which must close without an error and leave no byte behind.
**
**   specs             as they are
**   specs_refused     with an allocation refused: the n-th one, or all from the n-th one on
**   specs_repeated    twice in repeatable states with different addresses: all hashes must be equal (slow)
**   specs_collecting  with a full collection again and again (slow)
**
** tests/slow/check_hardened.c runs them once more, with handles that are poisoned whenever Lua is called.
**
** Files that call spec.ignores_collector run plain and refused only, and every way in `make soak-specs`; those that
** call spec.differs_each_time are not repeated.
*/
#include "script/bind/ordered_keys.h"
#include "script/guard/watchdog.h"
#include "script/script.h"
#include "script/state/context.h"
#include "script/state/handles.h"
#include "support/core_fixture.h"
#include "support/lua_suite.h"
#include "support/process.h"
#include "support/spec_files.h"

#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GC_INSTRUCTIONS = 100, GC_EAGER = 200, GC_PAUSE = 200, GC_STEPS = 100, TIMEOUT = 60 };
enum { LOADED_EAGERLY = 1000, RUN_EAGERLY = 100, GC_KIB = 15000 }; /* the first two: allocations */
enum { HASH_INSTRUCTIONS = 10000, SPREAD = 4 };
enum { LOADING = 0 }; /* the index of no test */

typedef enum way { PLAIN, REFUSED, REPEATED, STRESSED } way;

/* One state that runs specs. The memory comes first: the allocator's user data leads a hook back to here. */
typedef struct runner {
  test_memory memory;
  lua_State *L;
  size_t turns;       /* of the hook */
  size_t eager_until; /* calls of the allocator */
  size_t looked_at;   /* KiB, by collections of the hook */
  size_t told;        /* refused allocations that the spec knows of */
  way way;
  sp_repeatable repeatable;
  uint64_t hash; /* of all states that the hook has seen */
  int works;     /* registry reference of a function that uses the library */
  char warnings[8000];
  char message[8192];
  int line; /* of the file, for the message */
} runner;

/* {== A state ============================================================ */

static runner *runner_of(lua_State *L) { return *(runner **)lua_getextraspace(L); }

/* A pause of 0 and as much work per step as there is: a collection begins where the last one ended, and each time Lua
   looks whether it should collect, which it does whenever it or a C function has allocated, one runs to its end. */
static void stress(lua_State *L, bool on)
{
  lua_gc(L, LUA_GCSETPAUSE, on ? 0 : GC_PAUSE);
  lua_gc(L, LUA_GCSETSTEPMUL, on ? 1000 : GC_STEPS);
}

/* A long test, and one with a large heap, would take minutes at this rate: after a while only every thousandth turn
   collects, and for the whole of that turn. */
static void on_count(lua_State *L, lua_Debug *ar)
{
  (void)ar;
  runner *r = runner_of(L);
  bool is_first = r->turns < GC_EAGER && r->looked_at < GC_KIB;
  bool eager = ++r->turns % 1000 == 0 || is_first;
  const sp_context *c = sp_context_of(L);
  if (c)
    sp_watchdog_is_over(c->watchdog); /* it does not count where there is a hook */
  if (eager)
    r->looked_at += (size_t)lua_gc(L, LUA_GCCOUNT);
  stress(L, r->memory.calls < r->eager_until || r->turns % 1000 == 0);
  if (eager)
    lua_gc(L, LUA_GCCOLLECT);
}

/* Adds the hashes of all managers. The number of calls counts, too: the same run has as many. */
static void on_hash(lua_State *L, lua_Debug *ar)
{
  (void)ar;
  runner *r = runner_of(L);
  const sp_context *c = sp_context_of(L);
  r->turns++;
  for (int id = 0; c && id < 256; id++)
    if (c->managers[id] && sp_held_manager(c->managers[id])->core)
      r->hash = (r->hash ^ sp_manager_hash(c->managers[id]->core)) * 0x100000001b3u;
  r->hash = (r->hash ^ r->turns) * 0x100000001b3u;
  if (c)
    sp_watchdog_is_over(c->watchdog);
}

/* Begins what the way of the runner does while a spec loads or runs. */
static void begin(lua_State *L, size_t allocations)
{
  runner *r = runner_of(L);
  r->eager_until = r->memory.calls + allocations;
  if (r->way == STRESSED)
    lua_sethook(L, on_count, LUA_MASKCOUNT, GC_INSTRUCTIONS);
  if (r->way == REPEATED)
    lua_sethook(L, on_hash, LUA_MASKCOUNT, HASH_INSTRUCTIONS);
  stress(L, r->way == STRESSED);
}

static void on_warning(void *ud, const char *text, int to_be_continued)
{
  runner *r = ud;
  size_t used = strlen(r->warnings);
  snprintf(r->warnings + used, sizeof r->warnings - used, "%s%s", text, to_be_continued ? "" : "\n");
}

/* One line: without the callers, but with a word that there are some. */
static void on_report(void *ud, sp_report kind, const char *text)
{
  runner *r = ud;
  size_t used = strlen(r->warnings);
  const char *trace = strstr(text, "\n  ");
  int length = trace ? (int)(trace - text) : (int)strlen(text);
  snprintf(r->warnings + used, sizeof r->warnings - used, "%s%.*s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "",
           length, text, trace ? " (traced)" : "");
}

static int take_warnings(lua_State *L)
{
  runner *r = runner_of(L);
  lua_pushstring(L, r->warnings);
  r->warnings[0] = '\0';
  return 1;
}

/* spec.reports(): what the library reported since the last call. It is heard from the first call on. */
static int spec_reports(lua_State *L)
{
  sp_context *c = sp_context_of(L);
  c->report = on_report;
  c->report_ud = runner_of(L);
  return take_warnings(L);
}

/* spec.hear(fn, ...): what the library reported while fn ran, as text. */
static int spec_hear(lua_State *L)
{
  lua_pop(L, spec_reports(L));
  int status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
  sp_context_of(L)->report = NULL;
  return status == LUA_OK ? take_warnings(L) : lua_error(L);
}

/* spec.light(address): a light userdata as other libraries have them. */
static int spec_light(lua_State *L)
{
  lua_pushlightuserdata(L, (void *)(uintptr_t)luaL_checkinteger(L, 1));
  return 1;
}

/* spec.allocations(): how often the allocator of the state was called. */
static int spec_allocations(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)runner_of(L)->memory.calls);
  return 1;
}

/* spec.refuse(n, on): refuses the n-th allocation from now on, or all from there on; 0: none. Returns how many were
   refused since the call before. */
static int spec_refuse(lua_State *L)
{
  runner *r = runner_of(L);
  test_memory *m = &r->memory;
  size_t n = (size_t)luaL_checkinteger(L, 1);
  m->keep_failing = lua_toboolean(L, 2);
  m->fail_at = n > 0 ? m->calls + n : 0;
  lua_pushinteger(L, (lua_Integer)(m->refused - r->told));
  r->told = m->refused;
  return 1;
}

/* spec.check(): what holds between any two calls holds in all managers, as after every test. */
static int spec_check(lua_State *L)
{
  const sp_context *c = sp_context_of(L);
  for (int id = 0; c && id < 256; id++)
    if (c->managers[id] && sp_held_manager(c->managers[id])->core)
      core_check(sp_held_manager(c->managers[id])->core);
  return 0;
}

/* Libraries, the module under test, where to require from, and the helpers as module "spec". */
static int body_prepare(lua_State *L)
{
  runner *r = runner_of(L);
  if (r->way == REPEATED)
    sp_repeatable_begin(L, &r->repeatable);
  luaL_openlibs(L);
  if (r->way == REPEATED) {
    sp_repeatable_open(L);
    sp_replace_pairs(L);
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_spawnpool);
  lua_setfield(L, -2, "spawnpool");
  if (luaL_dostring(L, "package.path, package.cpath = 'tests/lua/?.lua', ''") ||
      luaL_dofile(L, "tests/support/specs.lua"))
    lua_error(L);
  static const luaL_Reg functions[] = {
      {"hear", spec_hear},     {"reports", spec_reports}, {"light", spec_light}, {"allocations", spec_allocations},
      {"refuse", spec_refuse}, {"check", spec_check},     {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
  test_spec_files(L);
  lua_pushboolean(L, r->way == REPEATED);
  lua_setfield(L, -2, "is_repeated");
  lua_pushboolean(L, r->way > REFUSED || (r->way == REFUSED && getenv("SP_REFUSE")));
  lua_setfield(L, -2, "is_slow");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "spec");
  lua_getfield(L, -2, "probe");
  if (r->way == REFUSED)
    lua_call(L, 0, 1);
  r->works = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Leaves the function `name` of the helpers on the stack, and the file. */
static void push_helper(lua_State *L, const char *name, const char *file)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "spec");
  lua_getfield(L, -1, name);
  lua_pushstring(L, file);
}

/* Calls `body` with `argument`. What goes wrong is in `message`. */
static void runner_call(runner *r, lua_CFunction body, void *argument)
{
  lua_pushcfunction(r->L, body);
  lua_pushlightuserdata(r->L, argument);
  if (lua_pcall(r->L, 1, 0, 0) != LUA_OK)
    snprintf(r->message, sizeof r->message, "%s", lua_tostring(r->L, -1));
  lua_settop(r->L, 0);
}

/* Puts the mark of a repeatable state in front of each block. */
static void *allocate_marked(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  runner *r = ud;
  sp_block_mark *mark = ptr ? (sp_block_mark *)ptr - 1 : NULL;
  mark = test_memory_fn(ud, mark, ptr ? old_size + sizeof *mark : 0, new_size ? new_size + sizeof *mark : 0);
  if (mark && !ptr)
    *mark = (sp_block_mark){.number = ++r->repeatable.blocks};
  return mark ? mark + 1 : NULL;
}

/* A state with what the specs need. */
static void runner_open(runner *r, way how)
{
  memset(r, 0, sizeof *r);
  r->way = how;
  r->L = lua_newstate(how == REPEATED ? allocate_marked : test_memory_fn, &r->memory);
  if (!r->L)
    abort();
  *(runner **)lua_getextraspace(r->L) = r;
  lua_setwarnf(r->L, on_warning, r);
  runner_call(r, body_prepare, NULL);
}

static void runner_close(runner *r)
{
  lua_sethook(r->L, NULL, 0, 0);
  lua_close(r->L);
  r->L = NULL;
  if (!r->message[0] && strstr(r->warnings, "error in ")) /* what Lua makes of an error in a finaliser */
    snprintf(r->message, sizeof r->message, "%s", r->warnings);
  const test_memory *m = &r->memory;
  if (!r->message[0] && !test_memory_is_clean(m))
    snprintf(r->message, sizeof r->message, "closed state: %zu bytes in %zu blocks left, %zu wrong sizes, %zu overruns",
             m->bytes, m->blocks, m->wrong_sizes, m->broken_guards);
}

/* }== */

/* {== Run one ============================================================ */

static int body_load(lua_State *L)
{
  const lua_test *it = lua_touserdata(L, 1);
  push_helper(L, "load", it->file);
  lua_call(L, 1, 0);
  return 0;
}

static int body_run(lua_State *L)
{
  const lua_test *it = lua_touserdata(L, 1);
  runner *r = runner_of(L);
  push_helper(L, "run", it->file);
  lua_pushinteger(L, it->index);
  lua_call(L, 2, 2);
  if (!lua_isnil(L, -2)) {
    snprintf(r->message, sizeof r->message, "%s", lua_tostring(L, -2));
    r->line = (int)lua_tointeger(L, -1);
  }
  return 0;
}

/* {== With refused memory ================================================ */

static uint64_t seed(void)
{
  const char *said = getenv("SP_SEED");
  return said ? strtoull(said, NULL, 10) : 1;
}

static size_t draw(uint64_t *random, size_t below)
{
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)(*random >> 33) % below;
}

/* An error at a line of the library's own Lua code: it went on with something that it did not get. */
static bool is_internal(const char *message)
{
  int line = 0;
  const char *at = strstr(message, "spawnpool.");
  return at && at < message + strcspn(message, "\n") && sscanf(at, "spawnpool.%*[a-z_]:%d:", &line) == 1;
}

/* A test may fail when memory was refused. The library may not: its counts are right, and it works again. */
static void check_refused(runner *r)
{
  if (!is_internal(r->message))
    r->message[0] = '\0';
  spec_check(r->L);
  lua_rawgeti(r->L, LUA_REGISTRYINDEX, r->works);
  if (lua_pcall(r->L, 0, 0, 0) != LUA_OK)
    snprintf(r->message, sizeof r->message, "afterwards: %s", lua_tostring(r->L, -1));
  lua_settop(r->L, 0);
  r->warnings[0] = '\0';
}

/* Of the tests with a refused call one of SPREAD is enough, which the seed chooses (SP_SEED). With SP_REFUSE each one
   takes part. `random` goes on from the choice. */
static bool takes_part(int index, uint64_t *random)
{
  *random = seed() * 1000000 + (uint64_t)index * 1009;
  return getenv("SP_REFUSE") || draw(random, SPREAD) == 0;
}

/* }== */

/* Runs a test in a state of its own: refuses its n-th call of the allocator, or with `on` all from it on; 0: none.
   Returns how many calls there were. */
static size_t run_once(runner *r, const lua_test *it, size_t n, bool on)
{
  runner_open(r, (way)it->way->kind);
  r->line = it->line;
  _mark_point(it->file, it->line); /* for a crash */
  if (it->index == LOADING)
    begin(r->L, LOADED_EAGERLY);
  runner_call(r, body_load, (void *)it);
  const size_t before = r->memory.calls;
  if (it->index != LOADING && !r->message[0]) {
    begin(r->L, RUN_EAGERLY);
    r->memory.fail_at = n > 0 ? before + n : 0;
    r->memory.keep_failing = on;
    runner_call(r, body_run, (void *)it);
    r->memory.fail_at = 0;
    if (n > 0 && r->memory.refused > 0)
      check_refused(r);
    else if (!r->message[0])
      spec_check(r->L);
  }
  const size_t calls = r->memory.calls - before;
  runner_close(r);
  if (r->message[0] && n > 0)
    _ck_assert_failed(it->file, r->line, it->name, "%s: SP_SEED=%llu, %s %zu refused: %s", it->name,
                      (unsigned long long)seed(), on ? "all allocations from" : "allocation", n, r->message);
  if (r->message[0])
    _ck_assert_failed(it->file, r->line, it->name, "%s: %s", it->name, r->message);
  return calls;
}

static runner the_runner; /* large */

static void run_plain(const lua_test *it) { run_once(&the_runner, it, 0, false); }

/* Refuses one call, or all from there on. With SP_REFUSE each test is repeated: the next call is so many percent
   further; with 0 every call has its turn. */
static void run_refused(const lua_test *it)
{
  const char *how = getenv("SP_REFUSE");
  const size_t percent = how ? strtoul(how, NULL, 10) : 0, calls = run_once(&the_runner, it, 0, false);
  uint64_t random;
  takes_part(it->index, &random);
  size_t n = 1 + draw(&random, how ? 1 + percent / 100 : calls > 0 ? calls : 1);
  for (bool on = draw(&random, 2) == 1; n <= calls; on = !on) {
    run_once(&the_runner, it, n, on);
    n = how ? n + 1 + n * percent / 100 : calls + 1;
  }
}

static void run_repeated(const lua_test *it)
{
  run_plain(it);
  const uint64_t hash = the_runner.hash;
  void *noise = malloc(12345);
  run_plain(it);
  free(noise);
  if (the_runner.hash != hash)
    _ck_assert_failed(it->file, it->line, it->name, "%s: another run has other hashes", it->name);
}

/* }== */

/* {== The suites ========================================================= */

static lua_State *open_listed(const lua_way *it)
{
  runner_open(&the_runner, (way)it->kind);
  luaL_getsubtable(the_runner.L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(the_runner.L, -1, "spec");
  return the_runner.L;
}

/* Behind the list of tests, whether they ignore the collector, and whether they differ each time. */
static bool takes(lua_State *L, const lua_way *it, int index)
{
  const bool ignores = lua_toboolean(L, -2), differs = lua_toboolean(L, -1);
  uint64_t random;
  if ((differs && it->kind == REPEATED) || (ignores && it->kind > REFUSED && !getenv("SP_ALL_SPECS")))
    return false;
  if (index == LOADING)
    return it->kind > REFUSED;
  return it->kind != REFUSED || takes_part(index, &random);
}

static Suite *suite_of(const char *name, way how)
{
  static const lua_way ways[] = {
      {PLAIN, TIMEOUT, NULL, open_listed, takes, run_plain},
      {REFUSED, 20 * TIMEOUT, NULL, open_listed, takes, run_refused},
      {REPEATED, 20 * TIMEOUT, NULL, open_listed, takes, run_repeated},
      {STRESSED, TIMEOUT, NULL, open_listed, takes, run_plain},
  };
  return lua_suite_in(name, "tests/lua/spec_*.lua", &ways[how]);
}

Suite *sp_suite_specs(void) { return suite_of("specs", PLAIN); }
Suite *sp_suite_specs_refused(void) { return suite_of("specs_refused", REFUSED); }
Suite *sp_suite_specs_repeated(void) { return suite_of("specs_repeated", REPEATED); }
Suite *sp_suite_specs_collecting(void) { return suite_of("specs_collecting", STRESSED); }

/* }== */
