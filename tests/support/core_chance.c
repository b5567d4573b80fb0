#include "support/core_chance.h"

static uint32_t next_byte(chance_source *from) { return from->bytes < from->bytes_end ? *from->bytes++ : 0; }

static uint32_t next_two(chance_source *from)
{
  uint32_t high = next_byte(from);
  return high << 8 | next_byte(from);
}

chance_source chance_of_turn(uint64_t seed, int turn)
{
  uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)turn * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (chance_source){.random = x ^ x >> 31};
}

uint32_t chance_below(chance_source *from, uint32_t n)
{
  if (from->bytes_end)
    return (n <= 256 ? next_byte(from) : next_two(from)) % n;
  from->random = from->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(from->random >> 33) % n;
}
