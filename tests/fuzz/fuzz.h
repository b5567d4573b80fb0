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
fuzz_target fuzz_model, fuzz_lua, fuzz_png, fuzz_options, fuzz_load, fuzz_codec, fuzz_recording, fuzz_zip;

/* {== Bytes as choices: past their end every choice is 0 ================== */

typedef struct fuzz_input {
  const uint8_t *at, *end;
} fuzz_input;

bool fuzz_more(const fuzz_input *in);
uint8_t fuzz_byte(fuzz_input *in);
/* 0 .. n - 1; n is 1 to 256. */
uint32_t fuzz_below(fuzz_input *in, uint32_t n);
/* One of a row of values. */
#define fuzz_of(in, row) ((row)[fuzz_below((in), (uint32_t)(sizeof(row) / sizeof *(row)))])

/* }== */

/* {== What must hold ====================================================== */

#define fuzz_check(e) ((e) ? (void)0 : fuzz_failed(#e, __FILE__, __LINE__))
_Noreturn void fuzz_failed(const char *what, const char *file, int line);

/* Seconds that a call into a game may compute: little, for the bytes like loops without end. */
double fuzz_patience(void);

/* }== */

/* {== Files =============================================================== */

/* A folder of this process, made at the first call and removed at its end. */
const char *fuzz_folder(void);
/* Writes a file in it; folders in `name` are made. */
void fuzz_write(const char *name, const void *bytes, size_t size);

/* }== */

#endif
