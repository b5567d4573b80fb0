/*
** A save that is being read: the state that the files which read its parts share.
*/
#ifndef SP_CORE_LOAD_H
#define SP_CORE_LOAD_H

#include "core/stream.h"

typedef struct sp_loader {
  sp_reader r;
  sp_manager *m;
  uint32_t pool_count, chunk_count;
  uint32_t shift;  /* is added to every generation */
  uint32_t origin; /* the manager's part of the references in the save */
  sp_result why;   /* SP_OK, or the reason when the load fails without any damage */
} sp_loader;

/* Returns false when nothing more can be read. `got` false: memory was refused, which becomes the reason. */
bool sp_load_remember(sp_loader *l, bool got);

#endif
