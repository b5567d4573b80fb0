#include "core/spawnpool_tasks.h"

#include "core/state.h"

sp_result sp_set_tasks(sp_manager *m, const sp_tasks *tasks)
{
  if (tasks && !(tasks->enqueue && tasks->finish))
    return SP_INVALID;
  if (m->busy > 0)
    return SP_BUSY;
  m->tasks = tasks ? *tasks : (sp_tasks){0};
  return SP_OK;
}
