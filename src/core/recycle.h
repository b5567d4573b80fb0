/*
** Ends lives.
*/
#ifndef SP_CORE_RECYCLE_H
#define SP_CORE_RECYCLE_H

#include "core/state.h"

/* Takes a slot back whose life is over, but for its generation. */
void sp_slot_release(sp_pool *p, uint32_t slot);
/* How the hook `recycle` of a pool, its override, takes part in the end of a life. */
typedef enum sp_end_by {
  SP_END_BY_OVERRIDE, /* it decides, and may veto */
  SP_END_BY_FORCE,    /* it is called, but cannot veto */
  SP_END_BY_BASE      /* it is not called */
} sp_end_by;

/* Ends the life in `slot`, which must be live. Returns SP_OK or SP_VETOED. Hooks run. */
sp_result sp_end(sp_manager *m, uint32_t slot, sp_why why, sp_end_by by);
/* sp_end of a life whose time has come: SP_WHY_EXPIRED, SP_END_BY_OVERRIDE. */
void sp_expire(sp_manager *m, uint32_t slot);

#endif
