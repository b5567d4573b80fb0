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
  uint32_t shift;  /* what every generation is raised by */
  uint32_t origin; /* low half of the references in the save */
  sp_result why;   /* SP_OK, or what else than damage is in the way */
} sp_loader;

/* False when nothing more can be read; memory that was refused is told. */
bool sp_load_remember(sp_loader *l, bool got);

#endif
