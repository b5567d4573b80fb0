#include "script/host/commands.h"

#include "script/host/host.h"

void sp_script_on_command(sp_script *s, sp_command_fn fn, void *ud)
{
  s->on_command = fn;
  s->command_ud = ud;
}
