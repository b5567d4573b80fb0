#include "core/spawnpool.h"

const char *sp_version(void) { return SP_VERSION; }

const char *sp_result_name(sp_result result)
{
  static const char *const names[] = {
#define NAME(code, name, text) name,
      SP_RESULTS(NAME)
#undef NAME
  };
  return (unsigned)result < SP_RESULT_COUNT ? names[result] : "unknown";
}

const char *sp_result_text(sp_result result)
{
  static const char *const texts[] = {
#define TEXT(code, name, text) text,
      SP_RESULTS(TEXT)
#undef TEXT
  };
  return (unsigned)result < SP_RESULT_COUNT ? texts[result] : "unknown result";
}

const char *sp_why_name(sp_why why)
{
  static const char *const names[] = {
#define NAME(code, name) name,
      SP_WHYS(NAME)
#undef NAME
  };
  return (unsigned)why < SP_WHY_COUNT ? names[why] : "unknown";
}
