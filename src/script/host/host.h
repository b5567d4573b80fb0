/*
** The state of a script, for the parts of the host: host.c opens it, callbacks.c calls the game and
** reloads it.
*/
#ifndef SP_SCRIPT_HOST_H
#define SP_SCRIPT_HOST_H

#include <lua.h>

#include "script/host/callbacks.h"
#include "script/host/checkpoint.h"
#include "script/script.h"
#include "script/state/context.h"
#include "script/state/handles.h"
#include "script/state/repeatable.h"

/* See collector.c. */
typedef struct sp_collector {
  double live; /* KiB that the last cycle left; 0: the game has no budget */
  bool is_in_cycle;
} sp_collector;

struct sp_script {
  lua_State *L;
  sp_context *context;
  spl_manager *pools;
  sp_arena *arena; /* all memory of the state lies in it; NULL: in that of the C library */
  size_t bytes, limit;
  int collector_speed; /* once the game has started */
  sp_collector collector;
  sp_script_options options;
  char *folder, *main; /* "games/shooter", "games/shooter/main.lua" */
  char *error;
  bool error_is_lost; /* an error occurred, but there was no memory for its text */
  char warning[512];  /* pieces of warn() so far */
  int callbacks;      /* registry reference of the table that main.lua returned, or LUA_NOREF */
  int argc;           /* what load(args) gets */
  char **argv;
  bool is_loaded;              /* load has succeeded */
  uint64_t load_from, load_to; /* serials: objects after the first, up to the second, were made by load */
  bool has_run;                /* the pools were updated since the last poll */
  char *line, *rejected;       /* the line of the last reload; names of rejected files */
  sp_ref selected;             /* `sel` in the console; 0: none */
  /* Set by sp_script_on_command; NULL: none. */
  void (*on_command)(void *ud, sp_ref object, const char *field, const char *text);
  void *command_ud;
  /* Set by sp_script_on_call; NULL: none. */
  void (*on_call)(void *ud, const char *name, const sp_call_value *values, size_t count);
  void *call_ud;
  sp_repeatable repeatable; /* if options.repeatable */
  uint32_t unanimated[16];  /* sprite and animation that have been warned about */
  uint32_t unanimated_count;
};

/* Returns a copy of `length` bytes with a zero behind it, from malloc; NULL: no memory. */
char *sp_host_copy(const char *text, size_t length);

/* Prints a report that the host does not take. */
void sp_host_print(sp_report kind, const char *text);

/* Keep an error for sp_script_error; report a text; both, of an error that ended a call (NULL: of no memory for it).
   `repeats`: it may come in each frame; else it answers what a person did, and is told each time. */
void sp_host_keep_error(sp_script *s, const char *text);
void sp_host_report(sp_script *s, sp_report kind, const char *text);
void sp_host_fail(sp_script *s, const char *text, bool repeats);

/* Return the seconds that a call may take, and main.lua or load(args); 0: unlimited. */
double sp_host_patience(const sp_script *s);
double sp_host_start_patience(const sp_script *s);

/* The game has started: from now on the collector runs as in stock Lua. */
void sp_host_end_start(const sp_script *s);

/* Calls the function and `nargs` arguments on top of the stack, watched. Reports nothing: returns a Lua status and
   leaves the results or the text of the error. */
int sp_host_door(sp_script *s, int nargs, int nresults);

#endif
