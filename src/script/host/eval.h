/*
** Commands that a person gives to a running game from outside: code typed into the console, and fields set in the
** inspector. A host that records input gets each of them before it runs.
*/
#ifndef SP_SCRIPT_EVAL_H
#define SP_SCRIPT_EVAL_H

#include "script/script.h"

/* `field` NULL: `text` is Lua, and `object` what `sel` stands for; 0: nothing. Else `text` is for that field of the
   object. */
typedef void (*sp_command_fn)(void *ud, sp_ref object, const char *field, const char *text);

/* Calls `fn` (NULL: none) from now on, before sp_script_eval and sp_script_set_field do anything. */
void sp_script_on_command(sp_script *script, sp_command_fn fn, void *ud);

#endif
