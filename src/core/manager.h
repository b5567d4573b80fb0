/*
** A manager calls its host: it reports broken invariants to options.on_assert, and asks options.host for a state of its
** own.
*/
#ifndef SP_CORE_MANAGER_H
#define SP_CORE_MANAGER_H

#include "core/state.h"

/* Tells options.on_assert that `expression` does not hold; without one, aborts. */
void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line);
#define SP_ASSERT(m, e) ((e) ? (void)0 : sp_assert_failed(m, #e, __FILE__, __LINE__))

/* Returns the size of the host's state; 0: there is none. The manager must be held. */
size_t sp_host_size(const sp_manager *m);
/* Gives the host its state back; `bytes` NULL: there was none. SP_OK, SP_FAILED or SP_INVALID: see spawnpool_save.h. */
sp_result sp_host_read(sp_manager *m, const void *bytes, size_t size);

#endif
