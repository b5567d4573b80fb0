/*
** See soak.h.
*/
#include "demo/soak.h"
#include "demo/bind/audio_lua.h"
#include "demo/bind/graphics_lua.h"
#include "demo/bind/input_lua.h"
#include "demo/bind/storage_lua.h"
#include "demo/bind/view_lua.h"

#include "demo/game_run.h"
#include "script/guard/watchdog.h"
#include "script/state/context.h"
#include "support/core_fixture.h"

#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MOST 60.0 /* seconds: slow tools */
#define BRIEF 0.02         /* seconds, for a loop that never ends */
#define SETTLED 121        /* frames after which new code counts as good */
#define HOOK_FRAMES 60     /* in which a hook fails whenever it is called */
#define KEY_EACH 20        /* frames */
#define PAUSE_MOST 1200    /* frames for which a game may pause itself */

/* {== What is told ======================================================= */

/* Meant: a type without a class is made all the same. */
static bool is_known_warning(const char *told) { return strncmp(told, "unknown type ", 13) == 0; }

/* What came of an edit, beside the error itself. */
static bool is_outcome(const char *told)
{
  return strncmp(told, "not reloaded: ", 14) == 0 || strstr(told, "its last good version is back") != NULL;
}

static void on_report(void *ud, sp_report kind, const char *told)
{
  soak *s = ud;
  bool meant = kind == SP_REPORT_PRINT || kind == SP_REPORT_RELOAD;
  if (kind == SP_REPORT_WARNING)
    meant = is_known_warning(told) || (s->expected && is_outcome(told));
  if (kind == SP_REPORT_ERROR)
    meant = s->expected && strstr(told, s->expected);
  ck_assert_msg(meant, "frame %llu, trouble %llu: not expected (but '%s'): %s", (unsigned long long)s->frames,
                (unsigned long long)s->troubles, s->expected ? s->expected : "nothing", told);
  s->errors += kind == SP_REPORT_ERROR;
}

/* }== */

/* {== Opening ============================================================ */

static uint64_t any(soak *s, uint64_t below)
{
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return (s->random >> 11) % below;
}

static void read_files(soak *s)
{
  test_process p = test_run(60, "find '%s' -name '*.lua' | LC_ALL=C sort", s->folder);
  ck_assert_int_eq(p.status, 0);
  for (char *line = strtok(p.out, "\n"); line; line = strtok(NULL, "\n")) {
    soak_file *f = &s->files[s->file_count++];
    ck_assert_uint_lt(s->file_count, SOAK_FILES_MOST);
    f->path = strdup(line);
    f->text = gamerun_read(line, &f->length);
    const char *pools = strstr(line, "/pools/");
    if (pools)
      snprintf(f->type, sizeof f->type, "%.*s", (int)strcspn(pools + 7, "."), pools + 7);
  }
  test_process_free(&p);
}

static void open_script(soak *s, uint64_t seed)
{
  char problem[256];
  sp_script_options o = {.path = s->folder,
                         .seed = seed,
                         .memory_limit = (size_t)1 << 30,
                         .reload = true,
                         .patience = PATIENCE_MOST,
                         .report = on_report,
                         .report_ud = s,
                         .on_sound = audio_lua_sound,
                         .sound_ud = &s->game.voices};
  game *it = &s->game;
  it->script = sp_script_open(&o, problem, sizeof problem);
  ck_assert_msg(it->script != NULL, "%s", problem);
  it->step = sp_step(game_pools(it));
  audio_open(&it->audio, sp_script_folder(it->script), NULL);
  voices_open(&it->voices, &it->audio, it->script, &it->view);
  ck_assert(audio_lua_install(&it->voices, sp_script_state(it->script), problem, sizeof problem));
  ck_assert(input_install(&it->input, sp_script_state(it->script), problem, sizeof problem));
  it->graphics.world = &it->view;
  ck_assert(graphics_install(&it->graphics, sp_script_state(it->script), &it->g, problem, sizeof problem));
  storage_prepare(&it->storage, NULL);
  storage_open_memory(&it->storage);
  ck_assert(storage_install(&it->storage.files, sp_script_state(it->script), problem, sizeof problem));
  ck_assert(view_install(&it->view, sp_script_state(it->script), problem, sizeof problem));
  ck_assert(window_open(&s->window, "soak", 800, 600, WINDOW_BLIND, problem, sizeof problem));
  ck_assert_msg(game_load_graphics(it, &s->window, problem, sizeof problem), "%s", problem);
}

void soak_open(soak *s, const char *path, const char *keys, char *argument, uint64_t seed)
{
  char *arguments[] = {argument, NULL};
  *s = (soak){.keys = keys, .random = 88172645463325252u + seed};
  ck_assert(test_folder_make(s->folder, sizeof s->folder));
  test_process p = test_run(60, "cp -R '%s/.' '%s'", path, s->folder);
  ck_assert_msg(p.status == 0, "%s", p.err);
  test_process_free(&p);
  read_files(s);
  open_script(s, seed);
  options o = {.game_argc = argument != NULL, .game_argv = arguments};
  game_start(&s->game, &o);
  ck_assert(!s->game.stopped);
}

void soak_close(soak *s)
{
  ck_assert(!s->game.stopped);
  game_close(&s->game);
  window_close(&s->window);
  for (size_t i = 0; i < s->file_count; i++) {
    free(s->files[i].path);
    free(s->files[i].text);
  }
  test_folder_remove(s->folder);
}

/* }== */

/* {== Frames ============================================================= */

static void send(soak *s, const SDL_Event *event)
{
  input_change change = input_event(&s->game.input, event);
  game_input(&s->game, &change);
}

static void press_something(soak *s)
{
  size_t count = strlen(s->keys), choice = any(s, count + 2);
  int x = (int)any(s, 800), y = (int)any(s, 450);
  SDL_Keycode key = choice < count ? s->keys[choice] : SDLK_LEFT;
  send(s, &(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}});
  if (choice >= count) {
    send(s, &(SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
    send(s, &(SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
    return;
  }
  send(s, &(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}});
  send(s, &(SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = key}}});
}

/* The hands rest for five seconds of twenty, in which a game may play by itself. */
static void play(soak *s)
{
  if (s->frames % KEY_EACH == 0 && s->frames % 1200 < 900)
    press_something(s);
  if (!s->game.stopped) {
    game_step(&s->game);
    s->ticks += !s->game.stopped && !sp_paused(game_pools(&s->game));
  }
  game_draw(&s->game);
  s->frames++;
}

void soak_frame(soak *s)
{
  sp_poll_result result = sp_script_poll(s->game.script, SP_POLL_LOOK);
  ck_assert_int_eq(result, SP_POLL_NOTHING);
  play(s);
  ck_assert(!s->game.stopped);
}

/* }== */

/* {== Troubles =========================================================== */

static void save(const soak_file *f, const char *before, const char *content, size_t length)
{
  FILE *out = fopen(f->path, "wb");
  ck_assert_ptr_nonnull(out);
  fputs(before, out);
  fwrite(content, 1, length, out);
  ck_assert_int_eq(fclose(out), 0);
}

static void poll_now(soak *s, const soak_file *f, sp_poll_result expected)
{
  sp_poll_result result = sp_script_poll(s->game.script, SP_POLL_NOW);
  ck_assert_msg(result == expected, "frame %llu, %s: %d, not %d", (unsigned long long)s->frames, f->path, (int)result,
                (int)expected);
}

/* The text is another one each time, and so is every function in it. */
static void edit(soak *s, const soak_file *f)
{
  char line[80];
  snprintf(line, sizeof line, "local edited <const> = %llu do local _ = edited end ", (unsigned long long)s->edits);
  save(f, line, f->text, f->length);
  poll_now(s, f, SP_POLL_RELOADED);
  s->edits++;
}

static void edit_badly(soak *s, const soak_file *f, const char *before, const char *expected)
{
  save(f, "local edited <const> = 0\n", f->text, f->length); /* the good version is known to be in force */
  poll_now(s, f, SP_POLL_RELOADED);
  s->expected = expected;
  save(f, before, f->text, f->length);
  poll_now(s, f, SP_POLL_REFUSED);
  s->expected = NULL;
  for (int i = 0; i < 5; i++)
    soak_frame(s);
  save(f, "", f->text, f->length);
  poll_now(s, f, SP_POLL_RELOADED);
  s->edits += 2;
  s->refused++;
}

/* The file's class, whatever the file calls it, gets an update that fails. */
static void save_failing(const soak_file *f)
{
  const char *end = f->text;
  FILE *out = fopen(f->path, "wb");
  ck_assert_ptr_nonnull(out);
  for (const char *at = f->text; (at = strstr(at, "\nreturn ")); at++)
    end = at;
  fwrite(f->text, 1, (size_t)(end - f->text), out);
  fprintf(out, "\nlocal soaked <const> = %s", end + 8);
  fputs("function soaked:update() error 'soak: late' end\nreturn soaked\n", out);
  ck_assert_int_eq(fclose(out), 0);
}

/* New code that fails in the next frame: the version before is back. */
static void edit_fatally(soak *s, const soak_file *f)
{
  for (int i = 0; i < SETTLED; i++)
    soak_frame(s);
  save_failing(f);
  poll_now(s, f, SP_POLL_RELOADED);
  s->expected = "soak: late";
  for (int i = 0; i == 0 || (sp_paused(game_pools(&s->game)) && i < PAUSE_MOST); i++)
    play(s);
  ck_assert(!s->game.stopped);
  poll_now(s, f, SP_POLL_REVERTED);
  save(f, "", f->text, f->length);
  sp_script_poll(s->game.script, SP_POLL_NOW);
  s->expected = NULL;
  s->edits++;
  s->reverted++;
}

static void run(soak *s, const char *code, sp_eval expected)
{
  sp_eval result = sp_script_eval(s->game.script, code);
  ck_assert_msg(result == expected, "%s: %d", code, (int)result);
}

static void fail_in_hook(soak *s, const char *type, const char *hook)
{
  char code[512];
  s->expected = "soak: hook";
  snprintf(code, sizeof code,
           "local c = spawnpool.class '%s' for name, f in pairs(c) do if name == '%s' then soak_was = f end end "
           "c.%s = function() error 'soak: hook' end",
           type, hook, hook);
  run(s, code, SP_EVAL_DONE);
  uint64_t errors = s->errors;
  for (int i = 0; i < HOOK_FRAMES; i++) {
    sp_script_poll(s->game.script, SP_POLL_LOOK);
    play(s);
    s->stops += s->game.stopped;
    game_resume(&s->game);
  }
  snprintf(code, sizeof code, "spawnpool.class('%s').%s = soak_was soak_was = nil", type, hook);
  run(s, code, SP_EVAL_DONE);
  sp_script_poll(s->game.script, SP_POLL_LOOK);
  s->expected = NULL;
  s->hook_faults += s->errors > errors;
}

static void type_what_never_ends(soak *s)
{
  sp_watchdog *w = sp_context_of(sp_script_state(s->game.script))->watchdog;
  sp_watchdog_set_budget(w, BRIEF);
  s->expected = "stopped: ";
  run(s, "while true do end", SP_EVAL_FAILED);
  sp_watchdog_set_budget(w, PATIENCE_MOST);
  s->expected = "not enough memory";
  run(s, "return #('x'):rep((1 << 31) - 1)", SP_EVAL_FAILED);
  s->expected = NULL;
  s->endless++;
  s->greedy++;
}

/* A class file whose type has a pool, from `first` on. */
static const soak_file *class_file(const soak *s, size_t first)
{
  for (size_t i = 0; i < s->file_count; i++) {
    const soak_file *f = &s->files[(first + i) % s->file_count];
    if (f->type[0] && sp_find_pool(game_pools(&s->game), f->type))
      return f;
  }
  return NULL;
}

void soak_trouble(soak *s)
{
  static const char *const hooks[] = {"on_despawn", "on_spawn", "update", "recycle", "alloc", "on_create"};
  uint64_t n = s->troubles++, turn = n / 6;
  const soak_file *f = &s->files[turn % s->file_count], *class = class_file(s, any(s, s->file_count));
  switch (n % 6) {
  case 0:
    edit(s, f);
    break;
  case 1:
    edit_badly(s, f, "local broken <const> =\n", "near");
    break;
  case 2:
    edit_badly(s, f, "error 'soak: refused' ", "soak: refused");
    break;
  case 3:
    if (class)
      edit_fatally(s, class);
    break;
  case 4:
    if (class)
      fail_in_hook(s, class->type, hooks[any(s, sizeof hooks / sizeof *hooks)]);
    break;
  default:
    type_what_never_ends(s);
  }
}

/* }== */

/* {== Looking ============================================================ */

void soak_check(const soak *s)
{
  const sp_manager *m = game_pools(&s->game);
  core_check(m);
  ck_assert_uint_eq(sp_tick(m), s->ticks);
  ck_assert_double_eq(sp_time(m), (double)s->ticks * s->game.step);
}

static size_t resident(void)
{
  char status[4096] = "";
  FILE *in = fopen("/proc/self/status", "r");
  if (!in)
    return 0;
  size_t length = fread(status, 1, sizeof status - 1, in);
  fclose(in);
  status[length] = '\0';
  const char *at = strstr(status, "VmRSS:");
  return at ? (size_t)strtoull(at + 6, NULL, 10) * 1024 : 0;
}

soak_memory soak_measure(const soak *s)
{
  lua_State *L = sp_script_state(s->game.script);
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCCOLLECT);
  size_t lua = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  return (soak_memory){lua, sp_total_stats(game_pools(&s->game)).bytes, resident()};
}

/* }== */
