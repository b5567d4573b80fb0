/*
** The rows of all names: see rows.h.
*/
#include "script/bind/rows.h"

#include <stdio.h>
#include <string.h>

#include "script/state/arguments.h"
#include "script/state/context.h"

#include "script/state/careful.h"

/* Each stands for place and member: a value lies in a description, at a number for its reader, or nowhere in C. */
#define IN(member) offsetof(sp_pool_desc, member), #member
#define AT(place) place, NULL
#define NOWHERE 0, NULL

/* Each stands for kind, check, low, high, words and type of a row. */
#define OTHER(check, type) SP_ROW_OTHER, check, 0, 0, NULL, type
#define COUNT(low) SP_ROW_COUNT, "count", low, SP_MAX_SLOTS, NULL, "integer"
#define LIMIT SP_ROW_LIMIT, "limit", 0, SP_MAX_SLOTS, NULL, "number"
#define WORD(first, words) SP_ROW_WORD, "word", first, 0, words, NULL
#define NUMBER(check) SP_ROW_NUMBER, check, 0, 0, NULL, "number"
#define LAYER SP_ROW_LAYER, "layer", INT16_MIN, INT16_MAX, NULL, "integer"
#define SPRITE SP_ROW_SPRITE, "string", 0, 0, NULL, "string"
#define BOOLEAN SP_ROW_BOOLEAN, "boolean", 0, 0, NULL, "boolean"
#define RECORD(owner) SP_ROW_RECORD, "record", 0, 0, owner, "spawnpool." owner
#define OR_RECORD(check, owner, type) SP_ROW_OTHER, check, 0, 0, owner, type " | spawnpool." owner
#define FIELD(type) SP_ROW_OTHER, NULL, 0, 0, NULL, type

/* {== Settings =========================================================== */

static const sp_row general[] = {
    {"extends", NOWHERE, OTHER("any", "string | spawnpool.Class"), "none",
     "[the class whose settings, fields and functions it inherits](lua.md#inheriting)"},
    {"group", NOWHERE, OTHER("string", "string"), "none", "for [filters](lua.md#filters)"},
    {"prealloc", IN(settings.prealloc), COUNT(0), "0", "objects created with the pool"},
    {"order", IN(settings.order), WORD(SP_ORDER_COMPACT, "compact fifo lifo"), "\"compact\"",
     "which idle object is reused first: the lowest, the one idle longest, the last one recycled"},
    {0},
};

const sp_row sp_tunable_rows[] = {
    {"limit", IN(settings.limit), LIMIT, "none", "maximum of live objects; an integer or `math.huge`"},
    {"idle_limit", IN(settings.idle_limit), LIMIT, "none", "maximum of idle objects; an integer or `math.huge`"},
    {"grow", IN(settings.grow), COUNT(1), "32", "how many are created when none is idle; at least 1"},
    {"overflow", IN(settings.overflow), SP_ROW_OVERFLOW, "overflow", SP_OVERFLOW_REFUSE, 0, "refuse oldest grow error",
     "spawnpool.Overflow", "\"refuse\"", "[what happens at the limit](lua.md#limits-and-what-happens-at-them)"},
    {0},
};

static const sp_row behaviour[] = {
    {"fields", NOWHERE, OTHER("fields", "table<string, number | boolean | string | spawnpool.FieldKind>"), "none",
     "[own fields and their first values](lua.md#fields-of-its-own)"},
    {"methods", NOWHERE, OTHER("methods", "table<string, fun(object: spawnpool.Object, ...): any>"), "none",
     "[callable as `object:name()`](lua.md#methods)"},
    {"motion", NOWHERE, RECORD("Motion"), "none",
     "[how all objects move, in addition to their velocities](lua.md#motion)"},
    {"bounds", NOWHERE, RECORD("Bounds"), "none",
     "[a rectangle, and what happens to objects that leave it](lua.md#bounds)"},
    {"box", NOWHERE, RECORD("Box"), "none",
     "[a rectangle in place of the circle](lua.md#box), in `overlaps`, `within`, `nearest`, `separate` and at the "
     "bounds"},
    {"over_life", NOWHERE, OTHER("over_life", "table<string, number[]>"), "none",
     "[built-in number fields that follow the elapsed share of the lifetime](lua.md#over_life)"},
    {"animation", NOWHERE, OR_RECORD("animation", "Animation", "string | false"), "none",
     "[which frames of a sheet objects show](lua.md#animation)"},
    {"blend", NOWHERE, SP_ROW_OTHER, "word", 0, 0, "alpha add", NULL, "\"alpha\"",
     "`\"add\"`: objects add their light to what is below"},
    {"on_parent_end", IN(on_parent_end), WORD(SP_PARENT_END_RECYCLE, "recycle detach"), "\"recycle\"",
     "what happens to an object when its [parent](lua.md#parents) ends: it ends too, or is detached"},
    {"sound", NOWHERE, OR_RECORD("sound", "Sounds", "string"), "none",
     "in the player: the [sound](lua.md#sounds-of-classes) of each beginning life, or of both ends"},
    {0},
};

static const sp_row motion[] = {
    {"gravity", IN(motion.gravity), NUMBER("number"), "0",
     "added to `vy`, points per second squared; negative values make things rise"},
    {"drag", IN(motion.drag), NUMBER("not_negative"), "0",
     "share of the velocity that is lost per second, from 0; the velocity is divided by `1 + drag * dt`"},
    {"face_velocity", IN(motion.face_velocity), BOOLEAN, "`false`",
     "`angle` follows the velocity; at rest it keeps its value"},
    {0},
};

static const sp_row bounds[] = {
    {"x", IN(bounds.x), NUMBER("number"), NULL, "left edge"},
    {"y", IN(bounds.y), NUMBER("number"), NULL, "upper edge"},
    {"w", IN(bounds.w), NUMBER("positive"), NULL, "width, above 0"},
    {"h", IN(bounds.h), NUMBER("positive"), NULL, "height, above 0"},
    {"outside", IN(bounds.outside), WORD(SP_OUTSIDE_RECYCLE, "recycle wrap bounce clamp"), NULL,
     "what happens to an object without a parent that leaves"},
    {0},
};

static const sp_row box[] = {
    {"w", IN(box.w), NUMBER("positive"), NULL, "width, above 0; times `scale`"},
    {"h", IN(box.h), NUMBER("positive"), NULL, "height, above 0; times `scale`"},
    {0},
};

static const sp_row animation[] = {
    {"frames", NOWHERE, OTHER("frames", "integer[] | integer"), "all",
     "a list of 1 to 64 frames of the sheet, counted from 1; or how many, from the first one on"},
    {"fps", NOWHERE, OTHER("rate", "number"), "the sheet's durations", "frames per second, at most 1000"},
    {"loop", NOWHERE, OTHER("boolean", "boolean"), "`true`", "`false`: the last frame stays"},
    {0},
};

static const sp_row sounds[] = {
    {"spawn", NOWHERE, OTHER("sound_name", "string"), "none", "when a life begins"},
    {"recycle", NOWHERE, OTHER("sound_name", "string"), "none",
     "when it ends, for any reason but `recycled_all` and `removed`: leaving a level is silent"},
    {0},
};

/* The functions of a class that its pool calls. */
#define POOL "self: spawnpool.Pool"
#define OBJECT POOL ", object: spawnpool.Object"
static const sp_row hooks[] = {
    {"alloc", NOWHERE, FIELD("fun(" POOL ", lifetime?: number, ...: any): spawnpool.Object?, spawnpool.Refusal?"), NULL,
     "[instead of the base `alloc`](lua.md#an-alloc-of-its-own)"},
    {"recycle", NOWHERE, FIELD("fun(" OBJECT ", why?: spawnpool.Why): boolean, spawnpool.Failure?"), NULL,
     "[instead of the base `recycle`](lua.md#a-recycle-of-its-own)"},
    {"on_create", NOWHERE, FIELD("fun(" OBJECT ")"), NULL, "when an object is created, before its first life"},
    {"on_spawn", NOWHERE, FIELD("fun(" OBJECT ", fresh: boolean)"), NULL,
     "when a life begins; `fresh` is `true` in the first life of the object"},
    {"on_despawn", NOWHERE, FIELD("fun(" OBJECT ", why: spawnpool.Why)"), NULL,
     "when a life ends; the object is still readable; `why` is one of the [reasons](lua.md#results-and-reasons)"},
    {"on_reject", NOWHERE, FIELD("fun(" OBJECT ")"), NULL,
     "when the object exceeds `idle_limit`; it is destroyed next"},
    {"on_destroy", NOWHERE, FIELD("fun(" OBJECT ")"), NULL, "before an object is destroyed"},
    {"on_restore", NOWHERE, FIELD("fun(" OBJECT ")"), NULL,
     "for each live object, after its manager was [restored or loaded](lua.md#snapshots)"},
    {"update", NOWHERE, FIELD("fun(" POOL ", dt: number)"), NULL, "once in every `update` of the manager"},
    {"before_reload", NOWHERE, FIELD("fun(): any"), NULL,
     "of the old code, before its file runs again; its result is passed to `after_reload`"},
    {"after_reload", NOWHERE, FIELD("fun(value: any)"), NULL, "of the new code, once it is in effect"},
    {"on_reload", NOWHERE, FIELD("fun(" OBJECT ", old_version: integer)"), NULL, "for each live object, after that"},
    {0},
};

/* }== */

/* {== Fields of objects ================================================== */

#define FIRST(name) #name, IN(name), NUMBER("number"), "0"
#define LOOK(name, standard) #name, IN(look.name), NUMBER("number"), standard
#define POSITION "position, in points; relative to the parent, if there is one"

const sp_row sp_first_rows[] = {
    {FIRST(x), POSITION},
    {FIRST(y), POSITION},
    {FIRST(vx), "velocity, points per second"},
    {FIRST(vy), "velocity, points per second"},
    {FIRST(ax), "acceleration, points per second squared"},
    {FIRST(ay), "acceleration, points per second squared"},
    {FIRST(angle), "radians; 0 is along x, and it grows clockwise, since y points down"},
    {FIRST(spin), "radians per second"},
    {LOOK(radius, "8"), "size, in points"},
    {LOOK(scale, "1"), "factor of the radius, in drawing and in `overlaps`, and of the box"},
    {LOOK(r, "1"), "colour, 0 to 1; a sprite is multiplied by it"},
    {LOOK(g, "1"), "colour, 0 to 1; a sprite is multiplied by it"},
    {LOOK(b, "1"), "colour, 0 to 1; a sprite is multiplied by it"},
    {LOOK(a, "1"), "opacity; 0 is invisible"},
    {"layer", IN(look.layer), LAYER, "0", "an integer, -32768 to 32767; higher ones cover lower ones"},
    {"sprite", IN(look.sprite), SPRITE, "\"circle\"", "a [built-in shape or a picture](lua.md#sprites)"},
    {"visible", IN(look.visible), BOOLEAN, "`true`", "`false`: not drawn"},
    {0},
};

#define LIFE(name, kind, type) name, AT(SP_NAME(kind, 0)), FIELD(type)

const sp_row sp_life_rows[] = {
    {LIFE("pinned", SP_NAME_PINNED, "boolean"), "`false`", "exempt from eviction by `overflow = \"oldest\"`"},
    {LIFE("parent", SP_NAME_PARENT, "spawnpool.Object?"), "`nil`",
     "its position is [relative to it](lua.md#parents); setting `nil` keeps the world position"},
    {LIFE("remaining", SP_NAME_REMAINING, "number"), "the lifetime",
     "seconds until it ends; `math.huge` is never, 0 is the next tick"},
    {LIFE("lifetime", SP_NAME_LIFETIME, "number"), "as allocated",
     "seconds, 0: without end; read only, writing `remaining` changes it"},
    {LIFE("age", SP_NAME_AGE, "number"), "0", "seconds; read only"},
    {LIFE("alive", SP_NAME_ALIVE, "boolean"), NULL,
     "`false` once the life has ended, or while it ends; never raises; read only"},
    {LIFE("type", SP_NAME_TYPE, "string"), NULL, "name of its type; read only"},
    {LIFE("pool", SP_NAME_POOL, "spawnpool.Pool"), NULL, "the pool of its type; read only"},
    {LIFE("id", SP_NAME_ID, "integer"), NULL,
     "number of its slot within the type, from 1, as in `tostring`; read only"},
    {0},
};

/* Fields that the objects of a class have once one of them is used: see sp_gain_scales. */
static const sp_row scales[] = {
    {"scale_x", NOWHERE, OTHER("number", "number"), "1",
     "factor of its width or height in drawing, beside `scale`; negative mirrors"},
    {"scale_y", NOWHERE, OTHER("number", "number"), "1",
     "factor of its width or height in drawing, beside `scale`; negative mirrors"},
    {0},
};

/* Fields of objects whose class has the setting `animation`. */
static const sp_row animated[] = {
    {"animation", NOWHERE, FIELD("string?"), "of the class",
     "what it shows of a sheet; only if its class has an [animation](lua.md#animation)"},
    {"frame", NOWHERE, FIELD("integer"), "of the class",
     "the current frame, from 1; only if its class has an [animation](lua.md#animation)"},
    {0},
};

/* }== */

/* {== Pools and managers ================================================= */

const sp_row sp_pool_rows[] = {
    {"live", AT(SP_POOL_LIVE), FIELD("integer"), NULL, "live objects; read only"},
    {"idle", AT(SP_POOL_IDLE), FIELD("integer"), NULL, "idle objects; read only"},
    {"total", AT(SP_POOL_TOTAL), FIELD("integer"), NULL, "live and idle; read only"},
    {"peak", AT(SP_POOL_PEAK), FIELD("integer"), NULL, "highest number of live objects; read only"},
    {"type", AT(SP_POOL_TYPE), FIELD("string"), NULL, "of its objects; read only"},
    {"class", AT(SP_POOL_ITS_CLASS), FIELD("spawnpool.Class?"), NULL, "`nil` without a class; read only"},
    {0},
};

const sp_row sp_manager_rows[] = {
    {"time", AT(SP_MANAGER_TIME), FIELD("number"), NULL, "seconds of game time so far; read only"},
    {"time_scale", AT(SP_MANAGER_TIME_SCALE), FIELD("number"), NULL, "speed of the clock, 0 to 1e6; 1 at first"},
    {"paused", AT(SP_MANAGER_PAUSED), FIELD("boolean"), NULL, "while `true`, `update` does nothing"},
    {0},
};

const sp_row sp_option_rows[] = {
    {"unknown", AT(SP_OPTION_UNKNOWN), WORD(SP_UNKNOWN_GENERIC, "generic error"), "\"generic\"",
     "a type without a class gets a generic pool and a warning, or with `\"error\"` an error"},
    {"misuse", AT(SP_OPTION_MISUSE), WORD(SP_MISUSE_WARN, "warn error ignore"), "\"warn\"",
     "a recycle of a stale, foreign or dying object: warns once per place, is an error, or is ignored"},
    {"trace", AT(SP_OPTION_TRACE), OTHER("boolean", "boolean"), "`false`",
     "records where objects are allocated and recycled, for [leaks](lua.md#leaks); costs time"},
    {"path", AT(SP_OPTION_PATH), OTHER("path", "string"), "none",
     "where class files are, with `?` for the type: `\"game/pools/?.lua\"`; none: all classes are declared already"},
    {"step", AT(SP_OPTION_STEP), OTHER("step", "number"), "`1 / 60`", "seconds per tick, from 1e-6 to 1000"},
    {"seed", AT(SP_OPTION_SEED), OTHER("seed", "number"), "none", "calls `math.randomseed(seed)`"},
    {0},
};

/* }== */

/* {== Lists ============================================================== */

static const struct {
  const char *owner;
  const sp_row *rows;
} lists[] = {
    {"Definition", general},
    {"Definition", sp_tunable_rows},
    {"Definition", behaviour},
    {"Definition", sp_first_rows},
    {"Definition", scales},
    {"Motion", motion},
    {"Bounds", bounds},
    {"Box", box},
    {"Animation", animation},
    {"Sounds", sounds},
    {"Hooks", hooks},
    {"Pool", sp_pool_rows},
    {"Pool", sp_tunable_rows},
    {"Manager", sp_manager_rows},
    {"Object", sp_first_rows},
    {"Object", scales},
    {"Object", animated},
    {"Object", sp_life_rows},
    {"Options", sp_option_rows},
};
enum { LISTS = sizeof lists / sizeof *lists };

const sp_row *sp_rows_next(const char *owner, const sp_row *after)
{
  for (int i = 0; i < LISTS; i++)
    if (strcmp(lists[i].owner, owner) == 0) {
      if (!after)
        return lists[i].rows;
      if (lists[i].rows == after)
        after = NULL;
    }
  return NULL;
}

const sp_row *sp_row_find(const sp_row *rows, const char *name)
{
  while (rows->name && (rows->name[0] != name[0] || strcmp(rows->name, name) != 0))
    rows++;
  return rows->name ? rows : NULL;
}

/* }== */

/* {== Words ============================================================== */

int sp_row_word(const sp_row *row, const char *word)
{
  size_t length = strlen(word);
  const char *at = row->words;
  for (int i = 0; *at; i++) {
    size_t next = strcspn(at, " ");
    if (next == length && memcmp(at, word, length) == 0)
      return i;
    at += next + strspn(at + next, " ");
  }
  return -1;
}

bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises)
{
  int i = sp_row_word(sp_row_find(sp_tunable_rows, "overflow"), name);
  if (i < 0)
    return false;
  *raises = i == SP_REFUSE_AND_RAISE;
  *overflow = *raises ? SP_OVERFLOW_REFUSE : (sp_overflow)i;
  return true;
}

void sp_row_push_word(lua_State *L, const sp_row *row, int index)
{
  const char *at = row->words;
  for (; index > 0; index--)
    at += strcspn(at, " ") + 1;
  lua_pushlstring(L, at, strcspn(at, " "));
}

static void append(sp_shown *out, const char *before, const char *text, size_t length, const char *after)
{
  size_t at = strlen(out->text);
  snprintf(out->text + at, sizeof out->text - at, "%s%.*s%s", before, (int)length, text, after);
}

const char *sp_row_words(const sp_row *row, sp_shown *out)
{
  out->text[0] = '\0';
  for (const char *at = row->words; *at; at += strspn(at, " ")) {
    append(out, at == row->words ? "'" : "', '", at, strcspn(at, " "), "");
    at += strcspn(at, " ");
  }
  append(out, "'", "", 0, "");
  return out->text;
}

const char *sp_row_names(const sp_row *rows, sp_shown *out)
{
  out->text[0] = '\0';
  for (const sp_row *row = rows; row->name; row++)
    append(out, row == rows ? "" : row[1].name ? ", " : " and ", row->name, strlen(row->name), "");
  return out->text;
}

/* }== */

/* {== For Lua ============================================================ */

static void set_text(lua_State *L, const char *key, const char *text)
{
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, lua_Integer number)
{
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

static void push_row(lua_State *L, const sp_row *row)
{
  lua_createtable(L, 0, 9);
  set_text(L, "name", row->name);
  set_text(L, "check", row->check);
  set_integer(L, "low", row->low);
  set_integer(L, "high", row->high);
  set_text(L, "words", row->words);
  set_text(L, "member", row->member);
  set_text(L, "type", row->type);
  set_text(L, "standard", row->standard);
  set_text(L, "help", row->help);
}

int spl_native_rows(lua_State *L)
{
  const sp_row *rows = NULL;
  lua_Integer count = 0;
  lua_newtable(L);
  while ((rows = sp_rows_next(sp_check_text(L, 1), rows)) != NULL)
    for (const sp_row *row = rows; row->name; row++) {
      push_row(L, row);
      sp_raw_seti(L, -2, ++count);
    }
  return count > 0;
}

/* }== */
