#include "session/clock.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "script/state/arguments.h"
#include "script/state/platform.h"
#include "session/module.h"

#include "script/state/careful.h"

#define QUESTION "clock"
#define MICROSECOND 1e-6

double sp_clock_of_machine(void) { return (double)sp_date_nanoseconds() / 1e9; }

/* Returns the seconds since the epoch, as the game gets to know them. */
static double read_clock(sp_session *s)
{
  sp_area *m = s->memory;
  const uint64_t frame = sp_session_frame(s);
  if (m->clock_calls == 0 || m->clock_frame != frame) {
    m->clock = sp_session_answer(s, QUESTION, sp_session_is_live(s) ? sp_clock_of_machine() : m->clock);
    m->clock_frame = frame;
    m->clock_calls = 0;
  }
  return m->clock + (double)m->clock_calls++ * MICROSECOND;
}

static sp_session *session_of(lua_State *L) { return sp_raw_block(L, SP_PART_STATE); }

/* {== A date ============================================================== */

/* Returns the days from the epoch to a day of the proleptic Gregorian calendar; months may be beyond 1 to 12. */
static double days_to(double year, double month, double day)
{
  const double months = year * 12 + month - 1, y0 = floor(months / 12), m = months - y0 * 12 + 1;
  const double y = m <= 2 ? y0 - 1 : y0, era = floor(y / 400), of_era = y - era * 400;
  const double of_year = floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5);
  return era * 146097 + of_era * 365 + floor(of_era / 4) - floor(of_era / 100) + of_year + (day - 1) - 719468;
}

/* Reads a field of the table at 1. */
static double field(lua_State *L, const char *name, double other)
{
  const int type = sp_raw_field(L, 1, name);
  double number = type == LUA_TNUMBER || type == LUA_TSTRING ? lua_tonumber(L, -1) : other;
  lua_pop(L, 1);
  if (isnan(other) && (type == LUA_TNIL || !(number == floor(number))))
    luaL_error(L, "field '%s' missing in date table, or no integer", name);
  if (!(fabs(number) < 1e9) || number != floor(number))
    luaL_error(L, "field '%s' is not an integer, or out-of-bound", name);
  return number;
}

/* Replaces the fields of the table at 1 by those of the date, in their ranges. */
static void normalize(lua_State *L, lua_Integer moment)
{
  static const char *const names[] = {"year", "month", "day", "hour", "min", "sec", "yday", "wday", "isdst"};
  lua_pushvalue(L, lua_upvalueindex(2)); /* os.date */
  lua_pushliteral(L, "!*t");
  lua_pushinteger(L, moment);
  lua_call(L, 2, 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lua_getfield(L, -1, names[i]);
    lua_setfield(L, 1, names[i]);
  }
}

static int os_time(lua_State *L)
{
  if (lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, (lua_Integer)floor(read_clock(session_of(L))));
    return 1;
  }
  sp_check_table(L, 1);
  lua_settop(L, 1);
  const double year = field(L, "year", NAN), month = field(L, "month", NAN), day = field(L, "day", NAN);
  const double seconds =
      days_to(year, month, day) * 86400 + field(L, "hour", 12) * 3600 + field(L, "min", 0) * 60 + field(L, "sec", 0);
  if (!(fabs(seconds) < 6e10))
    return luaL_error(L, "time result cannot be represented in this installation");
  normalize(L, (lua_Integer)seconds);
  lua_pushinteger(L, (lua_Integer)seconds);
  return 1;
}

static int os_date(lua_State *L)
{
  const char *format = lua_isnoneornil(L, 1) ? "%c" : sp_check_text(L, 1);
  const bool has_moment = !lua_isnoneornil(L, 2);
  const lua_Integer moment = has_moment ? (lua_Integer)floor(sp_check_finite(L, 2, "the time"))
                                        : (lua_Integer)floor(read_clock(session_of(L)));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushfstring(L, "%s%s", *format == '!' ? "" : "!", format);
  lua_pushinteger(L, moment);
  lua_call(L, 2, 1);
  return 1;
}

static int os_clock(lua_State *L)
{
  sp_session *s = session_of(L);
  lua_pushnumber(L, fmax(read_clock(s) - s->head.start, 0));
  return 1;
}

/* }== */

/* install(session) */
static int install(lua_State *L)
{
  static const luaL_Reg functions[] = {{"time", os_time}, {"clock", os_clock}, {"date", os_date}, {NULL, NULL}};
  lua_getglobal(L, "os");
  lua_getfield(L, 2, "date");
  for (const luaL_Reg *f = functions; f->name; f++) {
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, f->func, 2);
    lua_setfield(L, 2, f->name);
  }
  return 0;
}

bool sp_clock_install(sp_session *s)
{
  lua_State *L = sp_script_state(s->script);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, s);
  const bool fine = sp_raw_pcall(L, 1, 0) == LUA_OK;
  lua_settop(L, lua_gettop(L) - !fine);
  return fine;
}
