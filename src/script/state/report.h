/*
** Reports of the library to the host: warnings, errors that no caller is there for, and misuse.
*/
#ifndef SP_SCRIPT_REPORT_H
#define SP_SCRIPT_REPORT_H

#include "script/state/handles.h"

/* Reports a warning, or an error that no caller is there for. The same text again is only counted, and reported at
   every tenth power. Never raises. */
void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text);
/* Reports and pops the error on top of the stack; `where` (may be NULL) says what was running. */
void sp_report_error(lua_State *L, sp_context *c, const char *where);

/* Reports a refused recycle as the manager's `misuse` option says. Runs scripts. */
void sp_report_misuse(lua_State *L, const sp_lua_manager *m, sp_result why, sp_ref object);

#endif
