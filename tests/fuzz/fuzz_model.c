/*
** A game of the model (model/game.h), as a program of bytes: which calls are made, what hooks do in them, whether
** memory is refused. Every answer, count, order, field and time is compared after each call.
** SP_FUZZ_SAY=1 writes the game down.
*/
#include "fuzz/fuzz.h"
#include "model/game.h"

#include <string.h>

int fuzz_model(const uint8_t *data, size_t size)
{
  static uint8_t bytes[4096 / RECORD * RECORD];
  const size_t used = size < sizeof bytes ? size : sizeof bytes;
  memset(bytes, 0, sizeof bytes);
  if (used > 0)
    memcpy(bytes, data, used);
  const program p = {bytes, used / RECORD + (used % RECORD > 0 || used == 0)};
  game_play(&p, getenv("SP_FUZZ_SAY") ? stderr : NULL);
  return 0;
}
