# A public header as it is installed: with spawnpool_save.h in the place where spawnpool.h includes it.

/^#include "spawnpool_save.h"/ {
  file = FILENAME
  sub(/[^\/]*$/, "spawnpool_save.h", file)
  while ((getline line < file) > 0)
    if (line !~ /^#include "spawnpool.h"/)
      print line
  next
}
{ print }
