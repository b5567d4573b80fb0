/*
** The console: a panel over the game in which Lua is typed that runs in it, below what the game has said. The backtick
** opens and closes it; while it is open, keys are the console's.
*/
#ifndef SP_DEMO_CONSOLE_H
#define SP_DEMO_CONSOLE_H

#include <SDL.h>
#include <stdbool.h>

#include "demo/ui/panel.h"
#include "demo/ui/prompt.h"
#include "demo/ui/scrollback.h"
#include "script/script.h"

#define CONSOLE_PENDING_MOST 65536 /* bytes of a text over several lines */

typedef struct console {
  sp_script *script;
  bool shown;
  bool drops_key; /* the letter of the key that has opened it comes as text too */
  prompt prompt;
  char *pending; /* lines of a text that is not complete; NULL: none */
  scrollback back;
  int scrolled;   /* lines back from the last one */
  size_t letters; /* that fit into a row, as of the last picture */
} console;

/* A zeroed console is closed and takes what is said. The script must outlive it. */
void console_open(console *it, sp_script *script);
void console_close(console *it);

/* Shows or hides it. */
void console_toggle(console *it);

/* What the script reported. */
void console_add(console *it, sp_report kind, const char *said);

/* Whether the event was the console's, which has acted upon it: Lua may have run. */
bool console_event(console *it, const SDL_Event *event);

/* Nothing when it is hidden. */
void console_draw(console *it, graphics *g);

#endif
