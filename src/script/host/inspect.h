/*
** Inspection of a running game, for a host that displays it: the fields of one object, and writing them as a script
** would; traces; how often files were loaded; the time spent in functions of classes; hashes of its state. Nothing here
** runs code of the game, except what an assignment itself may call, and no error is added to those of the game.
*/
#ifndef SP_SCRIPT_INSPECT_H
#define SP_SCRIPT_INSPECT_H

#include "script/script.h"

/* {== Fields ============================================================= */

typedef enum sp_field_type { SP_FIELD_NUMBER, SP_FIELD_BOOLEAN, SP_FIELD_STRING, SP_FIELD_OTHER } sp_field_type;

#define SP_FIELDS_SHOWN 128

typedef struct sp_field_value {
  char name[64], text[64]; /* `text`: its value; both are cut */
  double number;           /* the value, if it is one */
  sp_field_type type;      /* of the value; OTHER: nil, a table, an object, a fresh value that does not exist yet */
  bool own;                /* of the class, not built in */
  bool writable;           /* by sp_script_set_field; false if `name`, or the value of a string, is cut */
} sp_field_value;

/* Fills `fields` with those of a live object: its own ones in their order, then the built-in ones. Returns how many; 0
   when the object is not live, or memory is refused. */
uint32_t sp_script_fields(sp_script *script, sp_ref object, sp_field_value fields[SP_FIELDS_SHOWN]);

/* Assigns to a field like `object.name = value`, with all checks. `text` is parsed as the type of the current value:
   a number ("inf" too), true or false, or a string as it is. False, with one line in `error`, when it is rejected. */
bool sp_script_set_field(sp_script *script, sp_ref object, const char *name, const char *text, char *error,
                         size_t error_size);

/* Returns the column of an own field that holds numbers or booleans, each as a double: for sp_object_peek. -1: there is
   none. */
int sp_script_column(const sp_pool *pool, const char *field);

/* }== */

/* {== Traces ============================================================= */

/* Returns whether the default manager traces its objects (`trace` of sp_script_options). */
bool sp_script_traces(const sp_script *script);

/* Writes the history of a life, also of an ended one: "allocated at FILE:LINE, 1.20 s; ...". False, and "", when it
   is unknown. */
bool sp_script_history(sp_script *script, sp_ref object, char *out, size_t size);

/* Calls `fn` for each of the live objects whose allocation is known, with its place: "FILE:LINE", valid until it
   returns. False when memory is refused. */
typedef void (*sp_site_fn)(void *ud, uint32_t index, const char *site);
bool sp_script_sites(sp_script *script, const sp_ref *objects, uint32_t count, sp_site_fn fn, void *ud);

/* }== */

/* {== Classes ============================================================ */

/* Returns how often the file of a class was loaded; 0 when files are not tracked, or the class is in none. */
uint32_t sp_script_class_version(sp_script *script, const char *type);

/* Turns timing of class functions on or off: two readings of the clock per call. */
void sp_script_time_hooks(sp_script *script, bool on);
/* Returns the nanoseconds in the functions of a pool's class and in timers of its objects, while they were timed.
   Calls into other classes are included. */
uint64_t sp_script_hook_time(const sp_script *script, const sp_pool *pool);

/* }== */

/* {== Commands =========================================================== */

/* Commands of a person to a running game: code typed into the console (sp_script_eval), and fields set in the
   inspector. A host that records input gets each of them before it runs. */

/* `field` NULL: `text` is Lua, and `object` what `sel` stands for; 0: nothing. Else `text` is for that field of the
   object. */
typedef void (*sp_command_fn)(void *ud, sp_ref object, const char *field, const char *text);

/* Calls `fn` (NULL: none) from now on, before sp_script_eval and sp_script_set_field do anything. */
void sp_script_on_command(sp_script *script, sp_command_fn fn, void *ud);

/* }== */

/* {== Hashes =============================================================
** The state of all pools of a repeatable script as a number, to compare two runs: equal for equal states, in every
** process. Beside the number of the whole there are those of the parts of each pool, in which what differs can be
** found: its counts, each field over all live objects, and groups of objects over all fields. */

typedef enum sp_hash_kind {
  SP_HASH_POOL,   /* `name` is "hash", that of the whole pool, "live", "idle", or "order", that of its idle slots */
  SP_HASH_FIELD,  /* a field over all live objects */
  SP_HASH_OBJECTS /* all fields of some objects: `name` has their numbers, "#12" or "#9..12" */
} sp_hash_kind;

/* `pool` is the type; those of other managers than the default one have "2:" and so on before it. Both texts are valid
   until the call returns. */
typedef void (*sp_hash_fn)(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number);

/* Calls `fn` (NULL: none) for each part of each pool, in order of creation, but for fields and objects whose number is
   0, and returns the number of the whole; 0 when memory is refused. Runs nothing of the game. Takes about 0.2 us per
   object. */
uint64_t sp_script_hash(sp_script *script, sp_hash_fn fn, void *ud);

/* Returns a number that soon differs when two runs differ: clocks, counts, and the numbers of 64 objects of each pool.
   For every frame. */
uint32_t sp_script_digest(const sp_script *script);

/* }== */

#endif
