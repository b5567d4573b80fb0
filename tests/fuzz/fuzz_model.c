/*
** The core against the naive model of it (support/core_model.h), as a program of bytes: which calls are made, what
** hooks do in them, whether memory is refused. Every answer, count, order, field and time is compared after each call.
** SP_FUZZ_SAY=1 writes the game down as C.
*/
#include "fuzz/fuzz.h"
#include "support/core_play.h"

int fuzz_model(const uint8_t *data, size_t size)
{
  play_bytes(data, size < 4096 ? size : 4096, getenv("SP_FUZZ_SAY") ? stderr : NULL);
  return 0;
}
