/*
** What docs/player.md shows of the console and of an error is what the game that `init` makes says today, but for the
** numbers.
*/
#include "demo/game_run.h"
#include "script/script.h"
#include "support/markdown.h"
#include "support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256], heard[4096];
static markdown_page page;
static sp_script *script;

static void hear(void *ud, sp_report kind, const char *text)
{
  size_t length = strlen(heard);
  (void)ud;
  (void)kind;
  snprintf(heard + length, sizeof heard - length, "%s\n", text);
}

/* The new game, with an edit of its main.lua, after a second. */
static void open_game(const char *edit)
{
  char path[PATH_MOST], error[256] = "";
  test_process p =
      test_run(PATIENCE, "bin=$(cd %s && pwd) && cd '%s' && $bin/spawnpool init rain && sed -i.old '%s' rain/main.lua",
               SP_BUILD_DIR, folder, edit);
  ck_assert_msg(p.status == 0, "%s", p.err);
  test_process_free(&p);
  snprintf(path, sizeof path, "%s/rain", folder);
  sp_script_options options = {.path = path, .seed = 1, .report = hear};
  script = sp_script_open(&options, error, sizeof error);
  ck_assert_msg(script && sp_script_start(script, 0, NULL), "%s%s", error, heard);
  for (int i = 0; i < 60; i++)
    ck_assert(sp_script_call(script, "update", "n", 1.0 / 60) && sp_script_update(script, 1.0 / 60));
}

static void setup(void)
{
  heard[0] = '\0';
  ck_assert(test_folder_make(folder, sizeof folder));
  page = markdown_open("docs/player.md");
}

static void teardown(void)
{
  sp_script_close(script);
  markdown_close(&page);
  test_folder_remove(folder);
}

static test_group core = {"core", setup, teardown, PATIENCE};

TEST(core, an_error_reads_as_it_is_shown)
{
  markdown_block shown = markdown_find(&page, "text", "rain/main.lua:59: ");
  char names[PATH_MOST];
  open_game("59s/throw_ball/throw_bal/");
  ck_assert(!sp_script_call(script, "mouse_pressed", "nnn", 1.0, 2.0, 1.0));
  /* As seen from where the player was started; what it adds in the end is for check_player_page.c. */
  size_t length = (size_t)snprintf(names, sizeof names, "%s/", folder);
  for (char *at; (at = strstr(heard, names)) != NULL;)
    memmove(at, at + length, strlen(at + length) + 1);
  ck_assert_msg(strncmp(heard, shown.code, strlen(heard)) == 0, "%s", heard);
  ck_assert_uint_gt(strlen(heard), 150);
}

/* Every number becomes a #. */
static void blur(char *text)
{
  char *to = text;
  for (const char *at = text; *at;) {
    size_t digits = isdigit((unsigned char)at[*at == '-']) ? strspn(at, "-0123456789.") : 0;
    *to++ = digits ? '#' : *at;
    at += digits ? digits : 1;
  }
  *to = '\0';
}

/* Lines after a prompt are typed; what stands between them is the answer. */
TEST(core, the_console_answers_as_it_is_shown)
{
  markdown_block shown = markdown_find(&page, "text", "> pools:");
  char typed[1024] = "", expected[2048] = "";
  int lines = 0;
  open_game("");
  char *text = strndup(shown.code, shown.length);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
    bool more = strncmp(line, ">> ", 3) == 0, is_typed = more || strncmp(line, "> ", 2) == 0;
    if (is_typed && !more)
      typed[0] = '\0';
    snprintf(typed + strlen(typed), sizeof typed - strlen(typed), more ? "\n%s" : "%s",
             is_typed ? line + 2 + more : "");
    if (is_typed)
      sp_script_eval(script, typed);
    else
      snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s\n", line);
  }
  free(text);
  blur(heard);
  blur(expected);
  ck_assert_str_eq(heard, expected);
  ck_assert_int_ge(lines, 8);
}

SUITE(player_texts, &core)
