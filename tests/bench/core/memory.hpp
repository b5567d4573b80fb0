/*
** Memory for the pools written here: reserved at once, page by page on first use, as a pool with a fixed capacity would
** have it. Aligned to 2 MiB so that every contestant meets the same page borders.
*/
#ifndef BENCH_MEMORY_HPP
#define BENCH_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace bench {

template <class T> T *reserve(size_t count)
{
  const size_t border = size_t(2) << 20;
  const size_t bytes = (count * sizeof(T) + border - 1) & ~(border - 1);
  void *memory =
      mmap(nullptr, bytes + border, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  return reinterpret_cast<T *>((uintptr_t(memory) + border - 1) & ~uintptr_t(border - 1));
}

} // namespace bench

#endif
