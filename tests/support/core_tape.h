/*
** A save in memory: what sp_manager_save writes and sp_manager_load reads; and a host whose state goes into it.
*/
#ifndef SP_TESTS_CORE_TAPE_H
#define SP_TESTS_CORE_TAPE_H

#include "core/spawnpool.h"
#include "support/memory.h"

typedef struct core_tape {
  unsigned char *bytes; /* to be freed */
  size_t size, at;
  size_t most;  /* that may be written; 0: any */
  size_t piece; /* that is read at once, as a pipe may give it; 0: any */
} core_tape;

bool core_tape_write(void *tape, const void *bytes, size_t size);
size_t core_tape_read(void *tape, void *bytes, size_t size);
/* Saves, which must work; the reader gets the bytes in small pieces. */
core_tape core_save(const sp_manager *manager);
/* Loads from its begin; the memory may be NULL. */
sp_manager *core_load(core_tape *tape, sp_manager_options options, test_memory *memory, sp_result *result);
/* The state of a host: some bytes. */
typedef struct core_host {
  size_t size;
  int reads;
  bool refuses;                      /* to read */
  void (*look)(sp_manager *manager); /* at each call; or NULL */
  sp_manager *manager;
  char bytes[20000];
} core_host;

sp_host_state core_host_state(core_host *it);
/* Puts the checksum at the end right, by the stream of the core. */
void core_tape_sum(core_tape *tape);

#endif
