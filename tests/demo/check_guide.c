/* ** docs/guide.md is followed: its game runs after every block, looks as on the pictures, and the errors that the
   reader is ** told to make read as they are shown. That it grows while it runs is for check_reload_page.c to say. **
   ** `make golden` makes the pictures anew: look at them before they are committed. */
#include "demo/game_run.h"
#include "demo/picture.h"
#include "script/script.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

enum { BLOCKS = 9 };

static char folder[256], game[320];
static markdown_page guide;

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  snprintf(game, sizeof game, "%s/rain", folder);
  test_process p = test_run(PATIENCE, "mkdir -p '%s/pools'", game);
  test_process_free(&p);
  guide = markdown_open("docs/guide.md");
}

static void teardown(void)
{
  markdown_close(&guide);
  test_folder_remove(folder);
}

/* {== Steps ============================================================== */

/* Every block is a file, named in its first line. False when there is no further one. */
static bool save_block(void)
{
  char path[PATH_MOST];
  markdown_block block;
  if (!markdown_next(&guide, "lua", &block))
    return false;
  const char *name = block.code + 3;
  ck_assert_msg(strncmp(name, "rain/", 5) == 0, "line %d is not the name of a file", block.line);
  snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(name, "\n"), name);
  markdown_save(&block, path);
  return true;
}

static void save_blocks(int count)
{
  for (int i = 0; i < count; i++)
    ck_assert(save_block());
}

START_TEST(the_game_runs_after_every_block)
{
  int blocks = 0;
  for (; save_block(); blocks++) {
    test_process p = game_run(game, "--frames 600 --seed 1");
    /* Only the first has a type without a class. */
    ck_assert_msg((p.err[0] != '\0') == (blocks == 0), "block %d: %s", blocks, p.err);
    test_process_free(&p);
  }
  ck_assert_int_eq(blocks, BLOCKS);
}
END_TEST

START_TEST(the_game_checks_and_ends_with_three_classes)
{
  save_blocks(BLOCKS);
  test_process p = test_run(PATIENCE, SP_BUILD_DIR "/spawnpool --check '%s'", game);
  ck_assert_msg(p.status == 0 && strstr(p.out, "checked 5 files: no problems"), "%s%s", p.out, p.err);
  test_process_free(&p);
  p = game_run(game, "--frames 1200 --seed 3 --stats -");
  char *pools = gamerun_pools(p.out, 1200);
  ck_assert_int_gt(gamerun_number(pools, "Drop", "recycles"), 30);
  ck_assert_int_gt(gamerun_number(pools, "Hail", "recycles"), 3);
  ck_assert_int_eq(gamerun_number(pools, "Drop", "total"), 16); /* what prealloc says is enough */
  ck_assert_int_eq(gamerun_number(pools, "Splash", "allocs"),
                   8 * (gamerun_number(pools, "Drop", "recycles") + gamerun_number(pools, "Hail", "recycles")));
  free(pools);
  test_process_free(&p);
}
END_TEST

/* }== */

/* {== Pictures =========================================================== */

static const struct {
  const char *file;
  int blocks, frames, seed;
} pictures[] = {
    {"docs/guide-1.png", 1, 200, 1},
    {"docs/guide-2.png", 4, 600, 4},
    {"docs/guide-3.png", BLOCKS, 584, 3},
};

static void take_picture(int i, const char *path)
{
  char flags[PATH_MOST + 128];
  save_blocks(pictures[i].blocks);
  snprintf(flags, sizeof flags, "--frames %d --seed %d --screenshot '%s'", pictures[i].frames, pictures[i].seed, path);
  test_process p = game_run(game, flags);
  test_process_free(&p);
}

START_TEST(the_game_looks_as_on_its_pictures)
{
  char path[PATH_MOST];
  ck_assert_ptr_nonnull(strstr(guide.text, pictures[_i].file + strlen("docs/")));
  snprintf(path, sizeof path, "%s/picture.png", folder);
  take_picture(_i, picture_target(pictures[_i].file, path));
  picture_expect(pictures[_i].file, path);
}
END_TEST

/* The last picture's command stands on the page. */
START_TEST(the_command_of_the_last_picture_is_on_the_page)
{
  char command[PATH_MOST];
  snprintf(command, sizeof command, "\nspawnpool --headless --frames %d --seed %d --screenshot rain.png rain\n",
           pictures[COUNT(pictures) - 1].frames, pictures[COUNT(pictures) - 1].seed);
  ck_assert_ptr_nonnull(strstr(guide.text, command));
}
END_TEST

/* }== */

/* {== Errors ============================================================= */

typedef struct lines {
  char text[8192]; /* what was reported */
} lines;

static void hear(void *ud, sp_report kind, const char *text)
{
  lines *heard = ud;
  size_t length = strlen(heard->text);
  snprintf(heard->text + length, sizeof heard->text - length, "%s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "",
           text);
}

/* The line of a block that begins with this, without its first character and its end; to be freed. */
static char *line_of(const markdown_block *block, const char *begin, size_t skip)
{
  const char *end = block->code + block->length;
  for (const char *at = block->code; at < end; at += strcspn(at, "\n") + 1)
    if (strncmp(at, begin, strlen(begin)) == 0 && (skip > 1 || strncmp(at, "---", 3) != 0)) {
      char *line = strdup(at + skip);
      line[strcspn(line, "\n")] = '\0';
      return line;
    }
  ck_abort_msg("docs/guide.md:%d: no line with %s", block->line, begin);
}

/* Makes the edit of a `diff` block. */
static void edit(const markdown_block *block)
{
  char path[PATH_MOST];
  size_t size;
  char *name = line_of(block, "--- ", 4), *from = line_of(block, "-", 1), *to = line_of(block, "+", 1);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = gamerun_read(path, &size), *at = strstr(text, from), *edited = NULL;
  ck_assert_msg(at && !strstr(at + 1, from), "%s has no one line '%s'", name, from);
  FILE *out = open_memstream(&edited, &size);
  fprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  fclose(out);
  gamerun_write(path, edited, size);
  free(edited);
  free(text);
  free(name);
  free(from);
  free(to);
}

/* Plays on, as the player does: errors are reported, and new code that fails is taken back between two frames. */
static void play(sp_script *script, int frames)
{
  for (int i = 0; i < frames; i++) {
    if (sp_script_call(script, "update", "n", 1.0 / 60))
      sp_script_update(script, 1.0 / 60);
    sp_script_poll(script, SP_POLL_REST);
  }
}

/* What the page shows is what was heard, with names as seen from where the player was started. */
static void expect_heard(const lines *heard, const markdown_block *block)
{
  char *said = strdup(heard->text), prefix[PATH_MOST];
  size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s/", folder);
  for (char *at; (at = strstr(said, prefix)) != NULL;)
    memmove(at, at + length, strlen(at + length) + 1);
  char *shown = strndup(block->code, block->length);
  ck_assert_msg(strstr(said, shown) != NULL, "line %d shows\n%sbut it is\n%s", block->line, shown, said);
  free(shown);
  free(said);
}

/* A click where the first drop is. */
static void click_drop(sp_script *script)
{
  sp_pool *drops = sp_find_pool(sp_script_pools(script), "Drop");
  sp_walk walk = sp_pool_walk(drops);
  sp_ref drop = sp_walk_next(&walk);
  sp_place place;
  ck_assert(sp_world_place(sp_script_pools(script), drop, &place));
  sp_script_call(script, "mouse_pressed", "nnn", (double)place.x, (double)place.y, 1.0);
}

START_TEST(the_errors_look_as_they_are_shown)
{
  char error[256] = "";
  markdown_block diff, shown;
  lines heard = {""};
  int errors = 0;
  save_blocks(BLOCKS);
  sp_script_options options = {.path = game, .seed = 1, .reload = true, .report = hear, .report_ud = &heard};
  sp_script *script = sp_script_open(&options, error, sizeof error);
  ck_assert_msg(script && sp_script_start(script, 0, NULL), "%s", error);
  play(script, 180);
  for (; markdown_next(&guide, "diff", &diff); errors++) {
    ck_assert(markdown_next(&guide, "text", &shown));
    heard.text[0] = '\0';
    edit(&diff);
    sp_script_poll(script, SP_POLL_NOW);
    play(script, 200); /* more than the probation */
    if (strstr(heard.text, "reloaded main.lua"))
      click_drop(script);
    expect_heard(&heard, &shown);
    markdown_page here = guide;
    guide.at = guide.text; /* the files as they were */
    save_blocks(BLOCKS);
    guide = here;
    ck_assert_int_eq(sp_script_poll(script, SP_POLL_NOW), SP_POLL_RELOADED);
    play(script, 180);
  }
  ck_assert_int_eq(errors, 3);
  sp_script_close(script);
}
END_TEST

/* }== */

Suite *sp_suite_guide(void)
{
  Suite *suite = suite_create("guide");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, PATIENCE);
  tcase_add_test(core, the_game_runs_after_every_block);
  tcase_add_test(core, the_game_checks_and_ends_with_three_classes);
  tcase_add_loop_test(core, the_game_looks_as_on_its_pictures, 0, COUNT(pictures));
  tcase_add_test(core, the_command_of_the_last_picture_is_on_the_page);
  tcase_add_test(core, the_errors_look_as_they_are_shown);
  suite_add_tcase(suite, core);
  return suite;
}
