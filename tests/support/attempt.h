/*
** A place where a test may fail and the suite goes on: a child process.
*/
#ifndef SP_TESTS_ATTEMPT_H
#define SP_TESTS_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Not under valgrind, where a child that ends in the middle of a test counts as one that leaks, nor when lines are
   counted, which such a child does not write down. */
bool attempt_can(void);

/* Runs `body` in a child for at most `seconds`: Check's asserts may fail in it, and it may crash. Returns whether it
   failed; `message` says how ("signal 11" after a crash). `said` (may be NULL) receives all that it wrote to `out`. */
typedef void (*attempt_fn)(void *ud, FILE *out);
bool attempt(attempt_fn body, void *ud, int seconds, char *message, size_t size, char **said);

/* Returns whether two messages report the same fault: they are equal but for numbers. */
bool attempt_is_same(const char *a, const char *b);

#endif
