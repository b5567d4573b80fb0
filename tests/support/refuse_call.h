/*
** A kernel that lacks a system call, for tests of what a program does then.
*/
#ifndef SP_TESTS_REFUSE_CALL_H
#define SP_TESTS_REFUSE_CALL_H

#include <stdbool.h>

/* From now on the call `number` fails with `error`, in this process and in all that it starts: it cannot be taken back.
   False where that is not possible. */
bool test_refuse_call(long number, int error);

#endif
