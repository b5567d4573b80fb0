/*
** What the library tells the host: warnings, and errors that have nobody to go to.
*/
#ifndef SP_SCRIPT_REPORT_H
#define SP_SCRIPT_REPORT_H

#include "script/state/context.h"

/* Text to the host: warnings, and errors that have nobody to go to. The same text again is only counted, and told at
   every tenth power. Never raises. */
void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text);
/* Reports and pops the error on top of the stack; `where` (may be NULL) says what was running. */
void sp_report_error(lua_State *L, sp_context *c, const char *where);

#endif
