/* The core pair through mimalloc's own call for small sizes. */
#include "patterns.hpp"

#include <mimalloc.h>

using namespace bench;

struct mi_small {
  typedef void *handle;
  void open(size_t) {}
  handle alloc() { return mi_malloc_small(object_size); }
  void recycle(handle memory) { mi_free(memory); }
  void *memory(handle memory) { return memory; }
};

static const contestant contestants[] = {{"mimalloc", run_patterns<mi_small>}};

int main(int argc, char **argv) { return main_of(contestants, argc, argv); }
