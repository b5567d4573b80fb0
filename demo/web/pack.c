/*
** In the place of app/pack.c: a page packs nothing but bug files, and those itself (page/src/page.js): it has the files
** of the game.
*/
#include "demo/app/pack.h"

#include <emscripten.h>

/* clang-format off */
EM_JS(void, send_file, (const char *name, const char *text), {
  if (Module["onFile"]) Module["onFile"](UTF8ToString(name), UTF8ToString(text));
})
/* clang-format on */

void *pack_with(const options *o, const game *it, const sp_script_file *more, size_t *size, char *problem)
{
  (void)o, (void)it;
  for (; more->name; more++)
    send_file(more->name, more->source);
  *size = 0;
  problem[0] = '\0';
  return NULL;
}
