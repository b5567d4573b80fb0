#include "support/markdown.h"

#include <check.h>
#include <ctype.h>
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

/* The code that ends the last cell of a line; false when it does not end in such a cell. */
static bool row_code(const char *line, size_t length, markdown_block *block)
{
  if (length < 8 || line[0] != '|' || strncmp(line + length - 3, "` |", 3) != 0)
    return false;
  const char *end = line + length - 3, *begin = end;
  while (begin[-1] != '`')
    begin--;
  *block = (markdown_block){.code = begin, .length = (size_t)(end - begin), .lines = 1};
  return true;
}

bool markdown_next_row_code(markdown_page *page, markdown_block *block)
{
  while (*page->at) {
    bool found = row_code(page->at, strcspn(page->at, "\n"), block);
    block->line = page->line++;
    page->at = next_line(page->at);
    if (found)
      return true;
  }
  return false;
}

void markdown_save(const markdown_block *block, const char *path)
{
  FILE *out = fopen(path, "wb");
  ck_assert_msg(out != NULL, "%s: cannot be written", path);
  ck_assert_uint_eq(fwrite(block->code, 1, block->length, out), block->length);
  ck_assert_int_eq(fclose(out), 0);
}

/* {== Links ============================================================== */

static bool is_line_begin(const markdown_page *page) { return page->at == page->text || page->at[-1] == '\n'; }

/* Past the code that begins with these backticks: to as many again, in the same paragraph; else past them alone. */
static const char *skip_code(const char *at)
{
  size_t ticks = strspn(at, "`");
  for (const char *end = at + ticks; *end && strncmp(end, "\n\n", 2) != 0; end++)
    if (*end == '`') {
      size_t n = strspn(end, "`");
      if (n == ticks)
        return end + n;
      end += n - 1;
    }
  return at + ticks;
}

static void go_to(markdown_page *page, const char *to)
{
  for (; page->at < to; page->at++)
    page->line += *page->at == '\n';
}

/* The length of what stands before the target of a link that begins here, and in `end` what ends it. 0: no link. */
static size_t link_begin(const char *at, const char **end)
{
  static const struct {
    const char *begin, *end;
  } kinds[] = {{"](", ") \n"}, {"href=\"", "\""}, {"src=\"", "\""}, {"srcset=\"", "\""}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(at, kinds[i].begin, strlen(kinds[i].begin)) == 0) {
      *end = kinds[i].end;
      return strlen(kinds[i].begin);
    }
  return 0;
}

bool markdown_next_link(markdown_page *page, markdown_link *link)
{
  markdown_block block;
  const char *end;
  while (*page->at) {
    size_t begin = link_begin(page->at, &end);
    if (begin) {
      go_to(page, page->at + begin);
      size_t length = strcspn(page->at, end);
      ck_assert_msg(length < sizeof link->target, "%s:%d: a link without end", page->path, page->line);
      snprintf(link->target, sizeof link->target, "%.*s", (int)length, page->at);
      link->line = page->line;
      return true;
    }
    if (is_line_begin(page) && is_fence(page->at))
      markdown_next(page, NULL, &block);
    else
      go_to(page, *page->at == '`' ? skip_code(page->at) : page->at + 1);
  }
  return false;
}

/* }== */

/* {== Anchors ============================================================ */

/* The anchor of a heading's text. A letter beyond ASCII is kept as it is, its capital made small where it is a Latin
   one. */
static void make_anchor(const char *text, size_t length, char *anchor, size_t size)
{
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < size; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == ']' && i + 1 < length && text[i + 1] == '(')
      while (i < length && text[i] != ')')
        i++;
    else if (isalnum(c) || c == '-' || c == '_')
      anchor[n++] = (char)tolower(c);
    else if (c == ' ')
      anchor[n++] = '-';
    else if (c >= 0x80)
      anchor[n++] = (char)(i > 0 && (unsigned char)text[i - 1] == 0xc3 && c < 0x9f ? c + 0x20 : c);
  }
  anchor[n] = '\0';
}

/* Whether the heading at `line`, the nth of its text, has this anchor. */
static bool is_anchor_of(const char *line, const char *anchor, int *seen)
{
  char own[256], numbered[272];
  const char *text = line + strspn(line, "#");
  text += strspn(text, " ");
  make_anchor(text, strcspn(text, "\n"), own, sizeof own);
  size_t length = strlen(own);
  if (strncmp(own, anchor, length) != 0)
    return false;
  snprintf(numbered, sizeof numbered, *seen ? "%s-%d" : "%s", own, *seen);
  if (strcmp(numbered, anchor) == 0)
    return true;
  *seen += anchor[length] == '-' && strspn(anchor + length + 1, "0123456789") == strlen(anchor + length + 1);
  return false;
}

bool markdown_has_anchor(const markdown_page *page, const char *anchor)
{
  int seen = 0;
  bool code = false;
  for (const char *at = page->text; *at; at = next_line(at)) {
    code ^= is_fence(at);
    if (!code && *at == '#' && is_anchor_of(at, anchor, &seen))
      return true;
  }
  return false;
}

/* }== */
