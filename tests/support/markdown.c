#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

markdown_page markdown_open(const char *path)
{
  markdown_page page = {.path = path, .line = 1};
  size_t size = 0;
  FILE *in = fopen(path, "rb"), *out = open_memstream(&page.text, &size);
  ck_assert_msg(in != NULL && out != NULL, "%s: cannot be opened", path);
  for (int c; (c = getc(in)) != EOF;)
    putc(c, out);
  fclose(in);
  fclose(out);
  page.at = page.text;
  return page;
}

void markdown_close(markdown_page *page)
{
  free(page->text);
  *page = (markdown_page){0};
}

static const char *next_line(const char *at)
{
  at += strcspn(at, "\n");
  return *at ? at + 1 : at;
}

static bool is_fence(const char *line) { return strncmp(line, "```", 3) == 0; }

/* The block whose fence the page stands at; the page is moved past it. */
static markdown_block take_block(markdown_page *page)
{
  const char *word = page->at + 3, *end;
  markdown_block block = {.code = next_line(page->at), .line = page->line + 1};
  snprintf(block.language, sizeof block.language, "%.*s", (int)strcspn(word, " \n"), word);
  snprintf(block.info, sizeof block.info, "%.*s", (int)strcspn(word, "\n"), word);
  for (end = block.code; *end && !is_fence(end); end = next_line(end))
    block.lines++;
  ck_assert_msg(*end != '\0', "%s:%d: a block of code without end", page->path, block.line - 1);
  block.length = (size_t)(end - block.code);
  page->at = next_line(end);
  page->line = block.line + block.lines + 1;
  return block;
}

bool markdown_next(markdown_page *page, const char *language, markdown_block *block)
{
  while (*page->at) {
    if (!is_fence(page->at)) {
      page->at = next_line(page->at);
      page->line++;
      continue;
    }
    *block = take_block(page);
    if (!language || strcmp(block->language, language) == 0)
      return true;
  }
  return false;
}

markdown_block markdown_find(const markdown_page *page, const char *language, const char *begin)
{
  markdown_page from_top = {.path = page->path, .text = page->text, .at = page->text, .line = 1};
  markdown_block block;
  while (markdown_next(&from_top, language, &block))
    if (strncmp(block.code, begin, strlen(begin)) == 0)
      return block;
  ck_abort_msg("%s has no block of %s that begins with '%s'", page->path, language, begin);
}

void markdown_save(const markdown_block *block, const char *path)
{
  FILE *out = fopen(path, "wb");
  ck_assert_msg(out != NULL, "%s: cannot be written", path);
  ck_assert_uint_eq(fwrite(block->code, 1, block->length, out), block->length);
  ck_assert_int_eq(fclose(out), 0);
}
