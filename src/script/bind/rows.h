/*
** The tables of names: settings of classes, fields of objects, pools and managers, options. What is known about a name
** is in its row and nowhere else: the binding reads, checks, changes and saves settings by their rows,
** lua/spawnpool/settings.lua gets its checks from them, and the annotations of the editor and the tables in the manual
** are written from them (tests/lua/annotate.lua).
*/
#ifndef SP_SCRIPT_ROWS_H
#define SP_SCRIPT_ROWS_H

#include <lauxlib.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "script/state/report.h"

/* How C reads the value of a setting. */
typedef enum sp_row_kind {
  SP_ROW_OTHER,    /* no setting, or one with a reader of its own */
  SP_ROW_COUNT,    /* uint32_t */
  SP_ROW_LIMIT,    /* uint32_t; none is SP_UNLIMITED */
  SP_ROW_OVERFLOW, /* sp_overflow: a word or a function */
  SP_ROW_WORD,     /* an enum whose value of the first word is `low` */
  SP_ROW_NUMBER,   /* float */
  SP_ROW_LAYER,    /* int16_t */
  SP_ROW_SPRITE,   /* uint16_t: the number of a name */
  SP_ROW_BOOLEAN,  /* uint8_t or bool */
  SP_ROW_RECORD    /* a table with rows of its own */
} sp_row_kind;

typedef struct sp_row {
  const char *name;
  uint32_t place;     /* of a setting: its offset in sp_pool_desc; of other fields: a number for their reader */
  const char *member; /* of a setting that C reads: its name in sp_pool_desc, "settings.limit" */
  sp_row_kind kind;
  const char *check;    /* its check in lua/spawnpool/settings.lua; NULL: no setting */
  int32_t low, high;    /* of integers */
  const char *words;    /* "refuse oldest"; of a table: the owner of its rows */
  const char *type;     /* as the annotations have it; NULL: the words */
  const char *standard; /* the default, as the manual shows it; NULL: none, and a setting is required */
  const char *help;     /* one line; its links are for the manual */
} sp_row;

/* Settings that a pool has too: `pool.limit = 3` changes them, until the class changes them; saves keep them. A save
   lists them in this order, so a new one is added at the end. */
extern const sp_row sp_tunable_rows[];
/* Fields of objects that a class may give first values, and the other built-in ones, whose `place` is an sp_name. */
extern const sp_row sp_first_rows[], sp_life_rows[];
/* The other fields of pools and managers; `place` is their index. */
extern const sp_row sp_pool_rows[], sp_manager_rows[];
/* The options of spawnpool.new; `place` is their index. */
extern const sp_row sp_option_rows[];
enum { SP_POOL_LIVE, SP_POOL_IDLE, SP_POOL_TOTAL, SP_POOL_PEAK, SP_POOL_TYPE, SP_POOL_ITS_CLASS };
enum { SP_MANAGER_TIME, SP_MANAGER_TIME_SCALE, SP_MANAGER_PAUSED };
enum { SP_OPTION_UNKNOWN, SP_OPTION_MISUSE, SP_OPTION_TRACE, SP_OPTION_PATH, SP_OPTION_STEP, SP_OPTION_SEED };

/* Returns a list of rows of this owner, such as "Definition", after the list `after` (NULL: its first list), or NULL.
   A list ends with a row without a name. */
const sp_row *sp_rows_next(const char *owner, const sp_row *after);
/* Returns the row of a list, or NULL. First letters are compared before names. */
const sp_row *sp_row_find(const sp_row *rows, const char *name);

/* Returns the index of a word of the row, or -1. */
int sp_row_word(const sp_row *row, const char *word);
/* Finds the overflow policy of this name; false, and nothing written, when there is none. The last word of the row,
   "error", is the binding's own: SP_OVERFLOW_REFUSE in the core, and `raises`. */
enum { SP_REFUSE_AND_RAISE = 3 };
bool sp_overflow_of_name(const char *name, sp_overflow *overflow, bool *raises);
/* Pushes the word with this index. */
void sp_row_push_word(lua_State *L, const sp_row *row, int index);
/* Write the words of a row, "'refuse', 'oldest'"; and the names of a list, "limit, grow and overflow". */
const char *sp_row_words(const sp_row *row, sp_shown *out);
const char *sp_row_names(const sp_row *rows, sp_shown *out);
/* Returns the address of the setting in a pool's settings, for a row of sp_tunable_rows. */
static inline uint32_t *sp_row_cell(const sp_row *row, const sp_settings *settings)
{
  return (uint32_t *)((char *)settings + (row->place - offsetof(sp_pool_desc, settings)));
}

/* native.rows(owner) -> a list of rows as tables, or nothing for an unknown owner. */
int spl_native_rows(lua_State *L);

#endif
