/*
** A tick can occur between any two machine instructions of its thread, so all that its handler reads is volatile and
** written in an order that is consistent at every point. What an interrupted write has lost is set again by the next
** tick; ticks continue until the outermost door is closed.
*/
#include "script/guard/watchdog.h"

#include <lauxlib.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/platform.h"

#define TICKS_PER_BUDGET 16
#define SHORTEST_PERIOD 1e-3
#define LONGEST_BUDGET 1e6
#define REST_FACTOR 8          /* pause after setting the hook, in multiples of the time that took */
#define EXTENSION 0.25         /* fraction of the budget */
#define MUCH ((size_t)1 << 30) /* bytes */
#define LEVELS_MOST 4000       /* examined levels of a stack: each takes longer the deeper it is */

#define LOOKS_A_READING 64  /* of the clock, without a ticker */
#define STEP_SECONDS 1e-8   /* of sp_work, at least */
#define TRACKED_CALLS 20000 /* examined per frame: a file that has not run by then counts as not run */

#define MESSAGE_MOST 1024 /* bytes of the message of a stop */

struct sp_watchdog {
  sp_context *context;
  lua_State *volatile running; /* the coroutine that runs */
  volatile uint32_t depth;     /* number of open doors */
  volatile uint32_t call;      /* serial of the outermost door */
  volatile double allowance;   /* seconds */
  volatile sig_atomic_t stopping;
  volatile double stopping_since; /* in CPU time of the thread */
  sp_hang_fn on_hang;
  void *hang_ud;
  double hang_seconds;
  const char *volatile doing;   /* work of the host between two calls */
  volatile uint32_t timed_call; /* the call, or the time between two, that `since` is about */
  volatile double since;        /* start of that call, in CPU time of the thread */
  volatile double rest_until;
  double budget;
  double share;    /* of real time, that calls may compute together; 0: unlimited */
  double saved;    /* seconds of it that were not used; below 0 when a call has used more */
  double refilled; /* in real time */
  double opened;   /* start of the call, in CPU time of the thread */
  sp_ticker ticker;
  bool counts;      /* counts instructions: there is no ticker */
  bool is_short;    /* the share leaves this call less than the budget */
  bool is_spent;    /* the share is used up, and half of what can be saved is not there yet */
  bool extended;    /* this call already got its extension */
  bool has_message; /* `text` is about this stop */
  bool foreseen;    /* the stop is for work that was only announced */
  lua_CFunction pcall, xpcall;
  sp_tracked tracked[SP_TRACKED_MOST];
  int tracked_count;
  uint64_t tracked_bits, ran; /* of all; of those that ran */
  uint32_t calls_left;
  uint32_t looks; /* of loops in C, without a ticker: see sp_watchdog_is_over */
  bool tracks;    /* calls are being examined */
  char text[MESSAGE_MOST];
};

/* {== Time =============================================================== */

static double thread_seconds(const sp_watchdog *w) { return sp_ticker_seconds(&w->ticker); }

/* Returns how long the call has taken, or the time between two calls. It is timed from the first check on, so that
   opening a door reads no clock. */
static double time_taken(sp_watchdog *w)
{
  double now = thread_seconds(w);
  if (w->timed_call != w->call) {
    w->since = now;
    w->timed_call = w->call;
  }
  return now - w->since;
}

static bool is_over(sp_watchdog *w) { return time_taken(w) >= w->allowance; }

static void stop(lua_State *L, lua_Debug *ar);

/* Makes Lua stop at its next instruction. Setting a hook visits every frame of the stack; on a deep one that can
   take longer than the time between two ticks, so the code gets a pause in which to reach its next instruction. */
static void set_stop_hook(sp_watchdog *w)
{
  const double begin = thread_seconds(w);
  if (!w->stopping)
    w->stopping_since = begin;
  w->stopping = 1;
  lua_sethook(w->running, stop, LUA_MASKCOUNT, 1); /* as the `lua` program does at Ctrl-C */
  const double end = thread_seconds(w);
  w->rest_until = end + REST_FACTOR * (end - begin);
}

/* {== Hanging ============================================================ */

static bool is_library(const lua_Debug *ar);

static bool find_line(lua_State *L, lua_Debug *ar, const char **called, bool of_file)
{
  lua_Debug callee;
  for (int level = 0; level < LEVELS_MOST && lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline <= 0 || (of_file ? ar->source[0] != '@' : is_library(ar)))
      continue;
    if (level > 0 && lua_getstack(L, level - 1, &callee) && lua_getinfo(L, "n", &callee))
      *called = callee.name;
    return true;
  }
  return false;
}

/* Returns the file whose line runs, or else the chunk, with that line in `*ar`, and the name of the function in C that
   the line calls. File names are not shortened (see door.h). */
static const char *find_place(lua_State *L, lua_Debug *ar, const char **called)
{
  *called = NULL;
  if (find_line(L, ar, called, true))
    return ar->source + 1;
  return find_line(L, ar, called, false) ? ar->short_src : NULL;
}

/* Reports the hang to the host. Lua is in the middle of an operation, but has been for seconds, so its stack can be
   read. Allocates nothing. */
static void report_hang(sp_watchdog *w, double seconds)
{
  lua_Debug ar;
  const char *called = NULL, *place = NULL, *doing = w->doing;
  if (w->depth > 0) {
    place = find_place(w->running, &ar, &called);
    doing = called ? called : w->context->callback ? w->context->callback : "a call into Lua";
  }
  if (place)
    snprintf(w->text, sizeof w->text, "%.600s:%d: '%.100s' did not come back within %g s of computing", place,
             ar.currentline, doing, seconds);
  else
    snprintf(w->text, sizeof w->text, "%.100s did not come back within %g s of computing", doing, seconds);
  w->on_hang(w->hang_ud, w->text);
}

/* Checks for code that neither ends nor can be stopped: a C function, a collection, work of the host between two calls.
   Code that is being stopped may use the rest of that time after its budget, or a tenth of it. */
static void check_hang(sp_watchdog *w)
{
  if (w->depth == 0 && !w->doing)
    return;
  double taken = w->depth > 0 ? thread_seconds(w) - w->stopping_since : time_taken(w);
  double limit = w->depth > 0 ? fmax(w->hang_seconds - w->budget, w->hang_seconds / 10) : w->hang_seconds;
  if (taken >= limit)
    report_hang(w, limit + (w->depth > 0 ? w->budget : 0));
}

/* }== */

static bool on_tick(void *ud)
{
  sp_watchdog *w = ud;
  if (w->on_hang && (w->depth == 0 || w->stopping))
    check_hang(w);
  if (w->depth > 0 && (w->stopping ? thread_seconds(w) >= w->rest_until : is_over(w)))
    set_stop_hook(w);
  return w->depth > 0 || w->doing;
}

/* }== */

/* {== Stopping =========================================================== */

/* The message handler of xpcall: calls the game's own handler, unless the game is being stopped. */
static int guarded_handler(lua_State *L)
{
  const sp_watchdog *w = lua_touserdata(L, lua_upvalueindex(1));
  if (w->stopping)
    return 1;
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

/* A message handler runs inside the hook that raised, where no hook can interrupt it, so an endless handler could
   not be stopped. The handler that the error would reach is therefore replaced by guarded_handler. xpcall has it in its
   second slot. False when that is too far down to be found. */
static bool guard_handler(lua_State *L, sp_watchdog *w)
{
  lua_Debug ar;
  int level = 0;
  for (; level < LEVELS_MOST && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "f", &ar);
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    if (function && function == w->pcall)
      return true;
    if (!function || function != w->xpcall || !lua_getlocal(L, &ar, 2))
      continue;
    if (lua_tocfunction(L, -1) == guarded_handler) {
      lua_pop(L, 1);
      return true;
    }
    lua_pushlightuserdata(L, w);
    lua_insert(L, -2);
    lua_pushcclosure(L, guarded_handler, 2);
    lua_setlocal(L, &ar, 2);
    return true;
  }
  return level < LEVELS_MOST;
}

/* Makes the message, which names the first line that was stopped, even if a pcall around it is stopped later; with
   `L` NULL the callback, unless a line follows. Allocates nothing. */
static void make_message(lua_State *L, sp_watchdog *w)
{
  lua_Debug ar;
  const char *called, *place = L ? find_place(L, &ar, &called) : NULL, *callback = w->context->callback;
  if (w->has_message)
    return;
  int used = place      ? snprintf(w->text, sizeof w->text, "%.600s:%d: ", place, ar.currentline)
             : callback ? snprintf(w->text, sizeof w->text, "%.100s: ", callback)
                        : 0;
  snprintf(w->text + used, sizeof w->text - (size_t)used,
           w->is_short   ? "stopped: the game has used its share of the thread, %g"
           : w->foreseen ? "stopped: it would run for more than %g s"
                         : "stopped: it ran for more than %g s without returning",
           w->is_short ? w->share : w->budget);
  w->has_message = L != NULL;
}

/* Raises the error. Code that catches it is stopped at its next instruction. */
static void raise_stop(lua_State *L, sp_watchdog *w)
{
  lua_sethook(L, stop, LUA_MASKCOUNT, 1);
  luaL_checkstack(L, 8, NULL);
  make_message(L, w);
  if (!guard_handler(L, w))
    lua_newuserdatauv(L, MUCH, 0); /* is refused, see host.c: such an error calls no handler */
  lua_pushstring(L, w->text);
  lua_error(L);
}

/* Sets the hook for normal operation: none, or the one that counts or tracks calls, which must not be restarted each
   time. */
static void reset_hook(lua_State *L, const sp_watchdog *w)
{
  int count = w && w->counts && w->depth > 0 ? SP_COUNTED_INSTRUCTIONS : 0;
  int mask = (count ? LUA_MASKCOUNT : 0) | (w && w->tracks ? LUA_MASKCALL : 0);
  if (!mask)
    lua_sethook(L, NULL, 0, 0);
  else if (lua_gethook(L) != stop || lua_gethookmask(L) != mask || (count && lua_gethookcount(L) != count))
    lua_sethook(L, stop, mask, count);
}

static bool has_foreign_hook(lua_State *L) { return lua_gethook(L) && lua_gethook(L) != stop; }

/* Begins or ends counting on this stack, unless debug.sethook has set a hook. */
static void set_counting(lua_State *L, const sp_watchdog *w)
{
  if (!has_foreign_hook(L))
    reset_hook(L, w);
}

/* Starts tracking calls on this stack, unless debug.sethook has set a hook. */
static void arm(lua_State *L, const sp_watchdog *w)
{
  if (w->tracks && !w->stopping && !has_foreign_hook(L))
    reset_hook(L, w);
}

/* Records a called function that has tracked lines. */
static void note_call(lua_State *L, sp_watchdog *w, lua_Debug *ar)
{
  lua_getinfo(L, "S", ar);
  for (int i = 0; i < w->tracked_count; i++) {
    const sp_tracked *t = &w->tracked[i];
    if (ar->source == t->source && ar->linedefined <= t->to && ar->lastlinedefined >= t->from)
      w->ran |= t->bits;
  }
  if (w->ran == w->tracked_bits || --w->calls_left == 0) {
    w->tracks = false;
    reset_hook(L, w);
  }
}

/* Lua code of the library is not stopped: it is finite and must complete its changes. The game is stopped when it
   returns. */
static bool is_library(const lua_Debug *ar)
{
  static const char head[] = "=spawnpool.";
  return strncmp(ar->source, head, sizeof head - 1) == 0;
}

sp_watchdog *sp_watchdog_of(lua_State *L)
{
  const sp_context *c = sp_context_of(L);
  return c ? c->watchdog : NULL;
}

void sp_watchdog_on_count(lua_State *L, lua_Debug *ar)
{
  sp_watchdog *w = sp_watchdog_of(L);
  if (w && w->counts && w->depth > 0 && !w->stopping && is_over(w))
    set_stop_hook(w);
  if (w && w->stopping && lua_getinfo(L, "S", ar) && !is_library(ar))
    raise_stop(L, w);
}

/* The hook. A coroutine may have kept or inherited it from an earlier stop. */
static void stop(lua_State *L, lua_Debug *ar)
{
  sp_watchdog *w = sp_watchdog_of(L);
  if (w && w->tracks && (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL)) {
    note_call(L, w, ar);
    return;
  }
  sp_watchdog_on_count(L, ar);
  if (!w || !w->stopping)
    reset_hook(L, w);
}

/* }== */

/* {== Doors ============================================================== */

static const char LOST[] =
    "the watchdog gets no ticks any more (the program handles or blocks SIGURG, or has no timers "
    "left): it counts instructions from now on, and Lua runs slower";

/* The ticker of a call or, if not `begins`, of the time between two; counting instead when it cannot tick any more. */
static void start_ticker(sp_watchdog *w, double seconds, bool begins)
{
  const sp_context *c = w->context;
  const double period = fmax(seconds / TICKS_PER_BUDGET, SHORTEST_PERIOD);
  const bool ticked = w->ticker.seat != 0;
  if (w->counts)
    return;
  w->counts = begins ? !sp_ticker_begin(&w->ticker, period) : !sp_ticker_rest(&w->ticker, period);
  if (w->counts && ticked && c->report)
    c->report(c->report_ud, SP_REPORT_WARNING, LOST);
}

/* Starts the ticker, or the counting hook, when the outermost door opens. */
static void begin_watch(sp_watchdog *w, lua_State *L)
{
  start_ticker(w, w->allowance, true);
  if (w->counts)
    set_counting(L, w);
}

/* Unused time is saved for later calls, but no more than one call or a second may use. */
static double most_saved(const sp_watchdog *w) { return w->budget > 0 ? fmin(w->budget, w->share) : w->share; }

static void refill_share(sp_watchdog *w)
{
  const double now = (double)sp_clock_nanoseconds() * 1e-9;
  w->saved = fmin(w->saved + (now - w->refilled) * w->share, most_saved(w));
  w->refilled = now;
}

/* A call may use what is saved: it is timed from here on, and not from the first tick. */
static void begin_share(sp_watchdog *w)
{
  refill_share(w);
  w->is_short = w->saved < w->allowance;
  w->allowance = fmax(fmin(w->saved, w->allowance), 0);
  w->opened = w->since = thread_seconds(w);
  w->timed_call = w->call;
}

static bool is_over_now_and_then(sp_watchdog *w) { return ++w->looks % LOOKS_A_READING == 0 && is_over(w); }

/* Instructions are counted per coroutine, and many short coroutines would never reach the count. */
static void switch_counting(sp_watchdog *w, lua_State *co)
{
  if (!w->stopping && is_over_now_and_then(w))
    set_stop_hook(w);
  if (!w->stopping)
    set_counting(co, w);
}

/* Where Lua code begins and ends to run, a watched field is looked at: it may have been changed by C. */
static void look(const sp_watchdog *w, lua_State *running, lua_State *next)
{
  sp_context *c = w->context;
  if (!c->watch)
    return;
  c->calls.look(running ? running : next, c);
  if (next && !w->stopping)
    c->calls.follow(next);
}

lua_State *sp_watchdog_switch_to(sp_watchdog *w, lua_State *co)
{
  lua_State *outer = w->running;
  look(w, outer, co);
  w->running = co;
  if (w->counts && w->depth > 0)
    switch_counting(w, co);
  else if (co)
    arm(co, w);
  if (w->stopping)
    lua_sethook(co, stop, LUA_MASKCOUNT, 1);
  return outer;
}

lua_State *sp_watchdog_open_door(sp_watchdog *w, lua_State *L)
{
  if (w->depth > 0) {
    w->depth++;
    return sp_watchdog_switch_to(w, L);
  }
  lua_State *outer = w->running;
  look(w, NULL, L);
  if (w->doing)
    sp_ticker_arrive(&w->ticker);
  w->running = L;
  w->extended = w->is_short = false;
  w->allowance = w->budget > 0 ? w->budget : HUGE_VAL;
  w->call++;
  w->context->entries++;
  if (w->share > 0)
    begin_share(w);
  w->depth = 1;
  if (w->budget > 0 || w->share > 0)
    begin_watch(w, L);
  arm(L, w);
  return outer;
}

/* Ends or continues a stop when the door of the stopped code on `L` has been closed. */
static void end_stop(sp_watchdog *w, lua_State *L)
{
  if (w->depth > 0 && w->extended) {
    lua_sethook(w->running, stop, LUA_MASKCOUNT, 1);
    return;
  }
  if (w->depth > 0) {
    w->extended = true;
    w->since = thread_seconds(w);
    w->allowance *= EXTENSION;
  }
  w->has_message = w->foreseen = false;
  w->stopping = 0;
  reset_hook(L, w);
}

void sp_watchdog_close_door(sp_watchdog *w, lua_State *outer)
{
  lua_State *L = w->running;
  look(w, L, NULL);
  w->running = outer;
  if (w->depth == 1)
    sp_ticker_end(&w->ticker); /* the next tick is that of another state whose call goes on */
  if (--w->depth == 0) {
    w->call++;
    w->saved -= w->share > 0 ? thread_seconds(w) - w->opened : 0;
  }
  if (w->stopping)
    end_stop(w, L);
  else if (w->counts && w->depth == 0)
    set_counting(L, w);
}

void sp_watchdog_check_stop(sp_watchdog *w, lua_State *L)
{
  lua_Debug ar;
  if (w->stopping && !(lua_getstack(L, 1, &ar) && lua_getinfo(L, "S", &ar) && is_library(&ar)))
    raise_stop(L, w);
}

/* Loops in C look at each object: reading the clock costs more than most of them do in between. */
bool sp_watchdog_is_over(sp_watchdog *w)
{
  if (w && w->counts && w->depth > 0 && !w->stopping && is_over_now_and_then(w))
    set_stop_hook(w);
  return w && w->stopping;
}

bool sp_watchdog_goes_on(void *watchdog) { return !sp_watchdog_is_over(watchdog); }

void sp_watchdog_check_clock(lua_State *L)
{
  const sp_context *c = sp_context_of(L);
  if (c && sp_watchdog_is_over(c->watchdog))
    sp_watchdog_check_stop(c->watchdog, L);
}

sp_work sp_work_begin(lua_State *L, sp_watchdog *w)
{
  if (sp_watchdog_is_over(w))
    sp_watchdog_check_stop(w, L);
  return (sp_work){L, SP_STEPS_A_CHECK, w};
}

void sp_work_expect(sp_work *work, uint64_t steps)
{
  sp_watchdog *w = work->watchdog;
  if (steps < SP_STEPS_A_CHECK || !w || w->depth == 0)
    return;
  if (!w->stopping && time_taken(w) + (double)steps * STEP_SECONDS >= w->allowance) {
    w->foreseen = true;
    set_stop_hook(w);
  }
  if (w->stopping)
    sp_watchdog_check_stop(w, work->L);
}

void sp_work_check_clock(sp_work *work)
{
  work->left = SP_STEPS_A_CHECK;
  sp_work_called(work);
}

void sp_work_called(sp_work *work)
{
  sp_watchdog *w = work->watchdog;
  if (!w)
    return;
  w->looks = LOOKS_A_READING - 1; /* the work done is worth a reading */
  if (sp_watchdog_is_over(w))
    sp_watchdog_check_stop(w, work->L);
}

/* }== */

/* {== Tracking =========================================================== */

void sp_watchdog_track(sp_watchdog *w, lua_State *L, const sp_tracked *tracked, int count)
{
  w->tracked_count = count;
  w->tracked_bits = 0;
  for (int i = 0; i < count; i++) {
    w->tracked[i] = tracked[i];
    w->tracked_bits |= tracked[i].bits;
  }
  sp_watchdog_tracked(w, L);
}

uint64_t sp_watchdog_tracked(sp_watchdog *w, lua_State *L)
{
  const uint64_t ran = w->ran;
  const bool is_blind = has_foreign_hook(L);
  w->ran = is_blind ? UINT64_MAX : 0;
  w->calls_left = TRACKED_CALLS;
  w->tracks = w->tracked_count > 0 && !is_blind;
  if (w->tracks)
    arm(L, w);
  else if (!is_blind && !w->stopping)
    reset_hook(L, w);
  return ran;
}

/* }== */

/* {== The watchdog ======================================================= */

sp_ticker sp_watchdog_ticker(const sp_watchdog *w) { return w->ticker; }

void sp_watchdog_set_ticker(sp_watchdog *w, sp_ticker ticker) { w->ticker = ticker; }

void sp_watchdog_set_budget(sp_watchdog *w, double seconds)
{
  w->budget = seconds > 0 ? fmin(seconds, LONGEST_BUDGET) : 0;
}

void sp_watchdog_set_share(sp_watchdog *w, double share) { w->share = share; }

bool sp_watchdog_has_time(sp_watchdog *w)
{
  if (w->share <= 0 || w->depth > 0)
    return true;
  refill_share(w);
  if (w->saved <= 0)
    w->is_spent = true;
  else if (w->saved >= most_saved(w) / 2)
    w->is_spent = false;
  return !w->is_spent;
}

void sp_watchdog_use_no_signal(sp_watchdog *w)
{
  sp_ticker_close(&w->ticker);
  w->counts = true;
  if (w->depth > 0 && w->running && !w->stopping)
    set_counting(w->running, w);
}

void sp_watchdog_on_hang(sp_watchdog *w, double seconds, sp_hang_fn fn, void *ud)
{
  w->hang_seconds = seconds;
  w->on_hang = fn;
  w->hang_ud = ud;
}

void sp_watchdog_between(sp_watchdog *w, const char *doing)
{
  if (w->depth > 0)
    return;
  sp_ticker_arrive(&w->ticker);
  w->doing = doing;
  w->call++;
  if (doing && w->budget > 0)
    start_ticker(w, w->budget, false);
}

sp_watchdog_kind sp_watchdog_kind_of(const sp_watchdog *w)
{
  if (w->budget <= 0 && w->share <= 0)
    return SP_WATCHDOG_NONE;
  return w->counts ? SP_WATCHDOG_COUNTING : w->ticker.seat ? SP_WATCHDOG_SIGNAL : SP_WATCHDOG_NONE;
}

bool sp_watchdog_is_stopping(const void *watchdog)
{
  const sp_watchdog *w = watchdog;
  return w && w->stopping;
}

bool sp_watchdog_refuses_memory(sp_watchdog *w, bool moves)
{
  if (w && w->stopping)
    make_message(moves ? NULL : w->running, w);
  return w && w->stopping;
}

bool sp_watchdog_was_short(const sp_watchdog *w) { return w->is_short; }

const char *sp_watchdog_message(const sp_watchdog *w) { return w->text; }

bool sp_watchdog_is_its_error(const sp_watchdog *w, const char *text)
{
  return w && text && w->text[0] && strstr(text, w->text);
}

/* Code that runs while the state closes is not watched. */
static int close_watchdog(lua_State *L)
{
  sp_watchdog *w = lua_touserdata(L, 1);
  sp_watchdog_set_budget(w, 0);
  sp_ticker_close(&w->ticker);
  return 0;
}

static lua_CFunction global_function(lua_State *L, const char *name)
{
  sp_raw_global(L, name);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

void sp_watchdog_open(lua_State *L, sp_context *c, double budget)
{
  sp_watchdog *w = lua_newuserdatauv(L, sizeof *w, 0);
  memset(w, 0, sizeof *w);
  w->context = c;
  w->ticker.tick = on_tick;
  w->ticker.ud = w;
  w->pcall = global_function(L, "pcall");
  w->xpcall = global_function(L, "xpcall");
  sp_watchdog_set_budget(w, budget);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, close_watchdog);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  luaL_ref(L, LUA_REGISTRYINDEX);
  c->watchdog = w;
}

/* }== */
