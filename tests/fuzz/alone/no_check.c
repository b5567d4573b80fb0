/*
** A fuzz program has no test runner: a failed assertion of the model ends the process with its message, and nobody is
** told where a test is. These replace functions of Check, by --wrap, in fuzz programs only.
*/
#include "fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>

_Noreturn void __wrap__ck_assert_failed(const char *file, int line, const char *expression, const char *format, ...);
_Noreturn void __wrap__ck_assert_failed(const char *file, int line, const char *expression, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (format)
    vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  fuzz_failed(expression, file, line);
}

void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line) { (void)file, (void)line; }
