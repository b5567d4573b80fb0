/*
** On systems without a second wall the player writes its files itself, so no process is started.
*/
#include "demo/capture/file_writer.h"

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

bool file_writer_open(file_writer *s, const file_writer_names *names)
{
  (void)names;
  *s = (file_writer){.process = 0};
  return true;
}

bool file_writer_save(const file_writer *s, const png_bytes *b, const char *file)
{
  (void)s;
  return png_save(b, file);
}

void file_writer_close(file_writer *s) { *s = (file_writer){.process = 0}; }

#endif
