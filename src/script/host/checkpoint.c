#include "script/host/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "script/guard/watchdog.h"
#include "script/host/arena.h"
#include "script/host/host.h"
#include "script/state/context.h"

struct sp_checkpoint {
  sp_script script; /* the struct itself; its texts are not those of the checkpoint, except for `error` */
  size_t room;
  char bytes[];
};

bool sp_script_has_checkpoints(const sp_script *s) { return s->arena != NULL; }

size_t sp_script_checkpoint_bytes(const sp_script *s) { return sizeof(sp_checkpoint) + sp_arena_bytes(s->arena); }

size_t sp_checkpoint_bytes(const sp_checkpoint *c) { return sizeof *c + c->room; }

void sp_checkpoint_free(sp_checkpoint *c)
{
  if (c)
    free(c->script.error);
  free(c);
}

static char *copy_error(const sp_script *s)
{
  char *copy = s->error ? malloc(strlen(s->error) + 1) : NULL;
  return copy ? strcpy(copy, s->error) : NULL;
}

/* Memory that is far too large is not reused, because the state has shrunk. */
static sp_checkpoint *make_room(sp_checkpoint *c, size_t size)
{
  if (c && c->room >= size && c->room / 2 <= size) {
    free(c->script.error);
    return c;
  }
  sp_checkpoint_free(c);
  size_t room = size + size / 8;
  c = malloc(sizeof *c + room);
  if (c)
    c->room = room;
  return c;
}

sp_checkpoint *sp_script_checkpoint(const sp_script *s, sp_checkpoint *reuse)
{
  size_t size = sp_arena_bytes(s->arena);
  if (SP_HARDENED)
    sp_open_handles(s->context);
  sp_checkpoint *c = make_room(reuse, size);
  if (!c)
    return NULL;
  c->script = *s;
  c->script.error = copy_error(s);
  c->script.error_is_lost = s->error_is_lost || (s->error && !c->script.error);
  sp_arena_copy(s->arena, c->bytes);
  return c;
}

void sp_script_return(sp_script *s, const sp_checkpoint *c)
{
  sp_script now = *s;
  sp_ticker ticker = sp_watchdog_ticker(s->context->watchdog);
  if (SP_HARDENED)
    sp_open_handles(s->context);
  sp_arena_put_back(s->arena, c->bytes);
  free(now.error);
  *s = c->script;
  s->error = copy_error(&c->script);
  s->error_is_lost = c->script.error_is_lost || (c->script.error && !s->error);
  s->line = now.line;
  s->rejected = now.rejected;
  s->on_command = now.on_command;
  s->command_ud = now.command_ud;
  sp_watchdog_set_ticker(s->context->watchdog, ticker);
}
