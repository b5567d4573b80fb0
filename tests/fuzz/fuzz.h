/*
** Shared by the fuzz targets. A target takes bytes and plays something out of them; what must hold is checked with
** fuzz_check or Check's asserts, which end the process, so that a fuzzer keeps the bytes. The same functions run on the
** kept corpus in the suite "fuzz".
**
**   int fuzz_model(const uint8_t *data, size_t size);        -- links as the entry of libFuzzer
*/
#ifndef SP_TESTS_FUZZ_H
#define SP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/spawnpool.h"

/* Each returns 0. The bytes may be any; nothing of a call is left for the next one. */
typedef int fuzz_target(const uint8_t *data, size_t size);
fuzz_target fuzz_model, fuzz_lua, fuzz_png, fuzz_load, fuzz_codec, fuzz_recording, fuzz_zip;

#define fuzz_check(e) ((e) ? (void)0 : fuzz_failed(#e, __FILE__, __LINE__))
_Noreturn void fuzz_failed(const char *what, const char *file, int line);

/* Seconds that a call into a game may compute: little, for the bytes like loops without end. */
double fuzz_patience(void);

/* Writes a file in a folder of this process, which is removed at its end; folders in `name` are made. Returns its path,
   good for seven more calls. */
const char *fuzz_file(const char *name, const void *bytes, size_t size);

#endif
