/*
** Looking into a running game, for a host that shows it: the fields of one object, and writing them as a script would;
** what a trace knows; how often files were loaded; how long the functions of classes run. Nothing here runs code of the
** game, but for what an assignment itself may call, and no error ends up among those of the game.
*/
#ifndef SP_SCRIPT_INSPECT_H
#define SP_SCRIPT_INSPECT_H

#include "script/script.h"

/* {== Fields ============================================================= */

typedef enum sp_field_type { SP_FIELD_NUMBER, SP_FIELD_BOOLEAN, SP_FIELD_STRING, SP_FIELD_OTHER } sp_field_type;

typedef struct sp_field_value {
  const char *name, *text; /* `text`: its value, in at most 63 bytes; good until the call returns */
  sp_field_type type;      /* of the value; OTHER: nil, a table, an object, a value that was not asked for yet */
  bool own;                /* of the class, not built in */
  bool writable;           /* by sp_script_set_field; not a string that `text` does not hold all of */
} sp_field_value;

/* Calls `fn` for each field of a live object: its own ones in their order, then the built-in ones. `fn` must return,
   and must not call the game. False when the object is not live, or memory is refused. */
typedef void (*sp_field_fn)(void *ud, const sp_field_value *field);
bool sp_script_fields(sp_script *script, sp_ref object, sp_field_fn fn, void *ud);

/* Assigns to a field as `object.name = value` does, every check included. `text` is read as what the field holds now: a
   number ("inf" too), true or false, or a string as it stands. False, with one line in `error`, when that is
   refused. */
bool sp_script_set_field(sp_script *script, sp_ref object, const char *name, const char *text, char *error,
                         size_t error_size);

/* }== */

/* {== Traces ============================================================= */

/* Whether the default manager keeps track of where its objects come from (`trace` of sp_script_options). */
bool sp_script_traces(const sp_script *script);

/* What is known of a life, also of an ended one: "allocated at FILE:LINE, 1.20 s; ...". False, and "", when nothing
   is. */
bool sp_script_history(sp_script *script, sp_ref object, char *out, size_t size);

/* Calls `fn` for those of the live objects of which it is known, with the place that allocated each: "FILE:LINE", good
   until it returns. False when memory is refused. */
typedef void (*sp_site_fn)(void *ud, uint32_t index, const char *site);
bool sp_script_sites(sp_script *script, const sp_ref *objects, uint32_t count, sp_site_fn fn, void *ud);

/* }== */

/* {== Classes ============================================================ */

/* How often the file of a class was loaded; 0 when files are not kept track of, or the class is in none. */
uint32_t sp_script_class_version(sp_script *script, const char *type);

/* From now on (or no more) functions of classes are timed: a reading of the clock before and after each. */
void sp_script_time_hooks(sp_script *script, bool on);
/* Nanoseconds in the functions of a pool's class, and in timers of its objects, while they were timed. What they call
   in other classes counts there. */
uint64_t sp_script_hook_time(const sp_script *script, const sp_pool *pool);

/* }== */

#endif
