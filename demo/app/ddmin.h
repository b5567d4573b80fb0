/*
** Delta debugging: reduces a list to a small part of it that still passes a test.
*/
#ifndef SP_DEMO_DDMIN_H
#define SP_DEMO_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the kept entries still pass the test. */
typedef bool (*ddmin_test)(void *ud, const bool *kept, size_t count);

/* Clears entries of `kept` (`count` of them, all true at first) until no single further entry can be removed. False
   when out of memory: `kept` then passes the test, but may not be minimal. */
bool ddmin(bool *kept, size_t count, ddmin_test test, void *ud);

#endif
