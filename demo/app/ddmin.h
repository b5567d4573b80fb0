/*
** Delta debugging: the smallest part of a list that still does something, as far as removing parts of it finds that.
*/
#ifndef SP_DEMO_DDMIN_H
#define SP_DEMO_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the list still does it without what is not kept. */
typedef bool (*ddmin_test)(void *ud, const bool *kept, size_t count);

/* Clears bits of `kept` (all set at first, `count` of them) until removing no single one passes the test. False, with
   some result, when memory is refused. */
bool ddmin(bool *kept, size_t count, ddmin_test test, void *ud);

#endif
