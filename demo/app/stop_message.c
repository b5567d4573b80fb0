#include "demo/app/stop_message.h"

#include <stdio.h>

#include <SDL.h>

bool stop_message_waits(const options *o) { return !o->headless || (o->realtime && !o->no_watch); }

const char *stop_message_meanwhile(const options *o)
{
  return o->no_watch ? "The script is stopped until F5 loads a fix; the last good frame stays."
                     : "The script is stopped until you save a fix; the last good frame stays.";
}

void stop_message_print(const options *o) { fprintf(stderr, "  %s\n", stop_message_meanwhile(o)); }

bool stop_message_copy(const options *o, const sp_script *script, const char *consequence)
{
  const char *error = sp_script_error(script);
  char *copy = NULL;
  bool done;
  if (!error || SDL_asprintf(&copy, "%s\n  %s\n", error, consequence ? consequence : stop_message_meanwhile(o)) < 0)
    return false;
  done = SDL_SetClipboardText(copy) == 0;
  SDL_free(copy);
  return done;
}
