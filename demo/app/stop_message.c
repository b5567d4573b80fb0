#include "demo/app/stop_message.h"

#include <stdio.h>

#include "demo/support/report.h"
#include "demo/ui/error_screen.h"

#define SHOWN_MOST 4096 /* bytes of an error on the screen */

bool stop_message_waits(const options *o) { return !o->headless || (o->realtime && !o->no_watch); }

/* Returns the sentence that says what happens next. */
static const char *meanwhile(const options *o)
{
  return o->no_watch ? "The script is stopped until F5 loads a fix; the last good frame stays."
                     : "The script is stopped until you save a fix; the last good frame stays.";
}

void stop_message_print(const options *o) { fprintf(stderr, "  %s\n", meanwhile(o)); }

void stop_message_draw(graphics *g, const options *o, const sp_script *script)
{
  const char *keys = options_have_timeline(o)
                         ? "Backspace goes back one second   F5 tries again   Ctrl+C copies this   Esc quits"
                         : "Ctrl+C copies this   F5 tries again   ` opens the console   Esc quits";
  const char *error = sp_script_error(script);
  char shown[SHOWN_MOST];
  report_shorten(sp_script_folder(script), error ? error : "no message", shown, sizeof shown);
  error_screen_draw(g, shown, meanwhile(o), keys);
}

bool stop_message_copy(const options *o, const sp_script *script, const char *consequence)
{
  const char *error = sp_script_error(script);
  char *copy = NULL;
  bool done;
  if (!error || SDL_asprintf(&copy, "%s\n  %s\n", error, consequence ? consequence : meanwhile(o)) < 0)
    return false;
  done = SDL_SetClipboardText(copy) == 0;
  SDL_free(copy);
  return done;
}
