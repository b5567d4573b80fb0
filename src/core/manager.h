/*
** Broken invariants are reported to options.on_assert.
*/
#ifndef SP_CORE_MANAGER_H
#define SP_CORE_MANAGER_H

#include "core/state.h"

/* Tells options.on_assert that `expression` does not hold; without one, aborts. */
void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line);
#define SP_ASSERT(m, e) ((e) ? (void)0 : sp_assert_failed(m, #e, __FILE__, __LINE__))

#endif
