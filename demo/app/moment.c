#include "demo/app/moment.h"

bool moment_take(moment *m, const game *it, sp_checkpoint *reuse)
{
  m->script = sp_script_checkpoint(it->script, reuse);
  if (!m->script)
    return false;
  m->input = it->input;
  m->view = it->view;
  m->settings = it->settings;
  m->color = it->graphics.color;
  m->shake_x = it->graphics.shake_x;
  m->shake_y = it->graphics.shake_y;
  m->stopped = it->stopped;
  m->sheets = it->sheets;
  if (voices_copy(&it->voices, &m->voices) && storage_copy(it->storage.list, &m->stored))
    return true;
  moment_free(m);
  return false;
}

void moment_free(moment *m)
{
  sp_checkpoint_free(m->script);
  storage_free(&m->stored);
  voices_list_free(&m->voices);
  *m = (moment){.frame = 0};
}

size_t moment_bytes(const moment *m)
{
  return sizeof *m + sp_checkpoint_bytes(m->script) + storage_bytes(m->stored) +
         m->voices.count * sizeof *m->voices.list;
}

void moment_return(const moment *m, game *it)
{
  sp_script_return(it->script, m->script);
  it->input = m->input;
  it->view = m->view;
  it->settings = m->settings;
  it->graphics.color = m->color;
  it->graphics.shake_x = m->shake_x;
  it->graphics.shake_y = m->shake_y;
  it->stopped = m->stopped;
  storage_free(&it->storage.list);
  storage_copy(m->stored, &it->storage.list);
  voices_put_back(&it->voices, &m->voices);
  sprites_renumber(it->sprites);
  if (m->sheets != it->sheets)
    sprites_send_sheets(it->sprites);
}
