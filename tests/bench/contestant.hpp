/* A program's contestants: `program NAME` runs one, `program` alone lists them. One process measures one contestant. */
#ifndef BENCH_CONTESTANT_HPP
#define BENCH_CONTESTANT_HPP

#include <cstdio>
#include <cstring>

namespace bench {

struct contestant {
  const char *name;
  void (*run)();
};

template <size_t N> int main_of(const contestant (&contestants)[N], int argc, char **argv)
{
  for (const contestant &it : contestants) {
    if (argc < 2)
      puts(it.name);
    else if (strcmp(argv[1], it.name) == 0) {
      it.run();
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}

} // namespace bench

#endif
