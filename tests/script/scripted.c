#include "script/scripted.h"

#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void on_report(void *ud, sp_report kind, const char *text)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  scripted *g = ud;
  size_t used = strlen(g->told);
  snprintf(g->told + used, sizeof g->told - used, "%s: %s\n", kinds[kind], text);
}

const char *scripted_path(const scripted *g, const char *name) { return test_path(g->folder, name); }

void scripted_write(const scripted *g, const char *name, const char *text) { test_write(scripted_path(g, name), text); }

void scripted_make(scripted *g, const char *main)
{
  memset(g, 0, sizeof *g);
  ck_assert(test_folder_make(g->folder, sizeof g->folder));
  if (main)
    scripted_write(g, "main.lua", main);
  g->options = (sp_script_options){.path = g->folder, .seed = 1, .report = on_report, .report_ud = g};
}

void scripted_open(scripted *g)
{
  char error[256] = "";
  g->script = sp_script_open(&g->options, error, sizeof error);
  ck_assert_msg(g->script != NULL, "%s", error);
}

void scripted_end(scripted *g)
{
  sp_script_close(g->script);
  test_folder_remove(g->folder);
}

void scripted_begin(scripted *g)
{
  scripted_open(g);
  bool started = sp_script_start(g->script, 0, NULL);
  ck_assert_msg(started, "%s", g->told);
}

void scripted_start(scripted *g, const char *main)
{
  scripted_make(g, main);
  scripted_begin(g);
}

sp_poll_result scripted_save(scripted *g, const char *name, const char *text)
{
  scripted_write(g, name, text);
  return sp_script_poll(g->script, SP_POLL_NOW);
}

const char *scripted_told(scripted *g)
{
  static char text[sizeof g->told];
  char *to = text;
  for (const char *from = g->told; *from;) {
    size_t length = strlen(g->folder);
    bool folder = strncmp(from, g->folder, length) == 0;
    to += folder ? sprintf(to, "GAME") : (*to = *from, 1);
    from += folder ? length : 1;
  }
  *to = '\0';
  g->told[0] = '\0';
  return text;
}

void scripted_expect(scripted *g, const char *part)
{
  const char *told = scripted_told(g);
  ck_assert_msg(strstr(told, part) != NULL, "'%s' is not in:\n%s", part, told);
}

void scripted_expect_no_start(scripted *g, const char *part)
{
  scripted_open(g);
  ck_assert(!sp_script_start(g->script, 0, NULL));
  scripted_expect(g, part);
}

bool scripted_update(scripted *g) { return sp_script_call(g->script, "update", "n", 0.25); }
