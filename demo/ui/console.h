/*
** The console: a panel over the game in which Lua is typed and run, below the output of the game. The backtick opens
** and closes it; while it is open, it receives the keys.
*/
#ifndef SP_DEMO_CONSOLE_H
#define SP_DEMO_CONSOLE_H

#include <SDL.h>
#include <stdbool.h>

#include "demo/ui/completion.h"
#include "demo/ui/panel.h"
#include "demo/ui/prompt.h"
#include "demo/ui/scrollback.h"
#include "script/script.h"

#define CONSOLE_PENDING_MOST 65536 /* bytes of an unfinished text of several lines */

typedef struct console {
  sp_script *script;
  sp_eval (*eval)(void *ud, const char *text); /* runs what was typed; NULL: sp_script_eval */
  void *eval_ud;
  bool shown;
  bool drops_key; /* the key that opened it also produces text, which is dropped */
  prompt prompt;
  completion completion; /* of the word before the cursor, until another key is pressed */
  char *pending;         /* lines of an unfinished text; NULL: none */
  scrollback back;
  int scrolled;   /* lines scrolled back from the last one */
  int page;       /* lines scrolled by PageUp: one less than the last drawing had room for */
  size_t letters; /* letters per row, as of the last drawing */
} console;

/* A zeroed console is closed and accepts output. The script must outlive it. */
void console_open(console *it, sp_script *script);
void console_close(console *it);

/* Shows or hides it. */
void console_toggle(console *it);

/* Adds a report of the script. */
void console_add(console *it, sp_report kind, const char *said);

/* Handles an event, which may run Lua. True when it was consumed. */
bool console_event(console *it, const SDL_Event *event);

/* Draws it, unless it is hidden. */
void console_draw(console *it, graphics *g);

#endif
