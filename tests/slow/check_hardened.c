/*
** The specs in a build with hardened handles and AddressSanitizer: each call into Lua poisons all managers and pools,
** so that code that goes on with a pointer from before the call is found (src/script/state/handles.h).
*/
#include "support/process.h"
#include "support/test.h"

#include <string.h>

enum { PATIENCE = 1200 };

static test_group tcase = {"hardened", .timeout = PATIENCE};

TEST(tcase, no_function_goes_on_with_a_handle_from_before_a_call_into_lua)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("hardened", "only from a plain build");
    return;
  }
  test_process p = test_run(PATIENCE, "make --no-print-directory DEPS=no BUILD=" SP_BUILD_DIR "/hardened hardened");
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  test_process_free(&p);
}

SUITE(hardened, &tcase)
