/*
** Ends lives.
*/
#ifndef SP_CORE_RECYCLE_H
#define SP_CORE_RECYCLE_H

#include "core/state.h"

/* Takes a slot back whose life is over, but for its generation. */
void sp_give_back(sp_pool *p, uint32_t slot);
/* Ends the life in `slot`, which must be live. `override`: the pool's own recycle decides; `force`: it may not veto. */
sp_result sp_end(sp_manager *m, uint32_t slot, sp_why why, bool override, bool force);
/* sp_end of a life whose time has come. */
void sp_expire(sp_manager *m, uint32_t slot);

#endif
