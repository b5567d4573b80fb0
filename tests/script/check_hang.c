/*
** What is stopped and does not come back: the host is told, and may end the process.
*/
#include "script/scripted.h"
#include "support/process.h"

#include <check.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_hang(void *ud) { _exit(*(int *)ud); }

/* Nothing stops a collection. Tables with weak keys can make one take for ever: a chain that lies
   in no order. */
START_TEST(what_does_not_come_back_is_told_of)
{
  scripted g;
  int status = 0, told = 42;
  scripted_make(&g, "local a, t = {}, setmetatable({}, { __mode = 'k' })\n"
                    "for i = 1, 1 << 16 do a[i] = {} end\n"
                    "for i = #a, 2, -1 do local j = math.random(i) a[i], a[j] = a[j], a[i] end\n"
                    "collectgarbage 'stop'\n"
                    "for i = 2, #a do t[a[i - 1]] = a[i] end\n"
                    "_G.first, _G.t, a = a[1], t, nil\n"
                    "return { update = function() collectgarbage() end }");
  g.options.patience = 0.2;
  g.options.on_hang = on_hang;
  g.options.hang_ud = &told;
  pid_t child = fork();
  if (child == 0) {
    scripted_open(&g);
    sp_script_start(g.script, 0, NULL);
    scripted_update(&g);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), told);
  test_folder_remove(g.folder);
}
END_TEST

Suite *sp_suite_hang(void)
{
  Suite *suite = suite_create("hang");
  TCase *tcase = tcase_create("hang");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, what_does_not_come_back_is_told_of);
  suite_add_tcase(suite, tcase);
  return suite;
}
