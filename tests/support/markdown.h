/*
** The blocks of code of a page, one after the other, for suites in C that type its commands. The pages themselves are
** tested by tests/docs.
**
**   markdown_page page = markdown_open("docs/guide.md");
**   for (markdown_block block; markdown_next(&page, "lua", &block);)
**     ...
**   markdown_close(&page);
*/
#ifndef SP_TESTS_MARKDOWN_H
#define SP_TESTS_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct markdown_page {
  const char *path;
  char *text;     /* all of it, with a final NUL */
  const char *at; /* where the search for the next block goes on */
  int line;       /* its number, from 1 */
} markdown_page;

typedef struct markdown_block {
  char language[16]; /* the word behind the fence: "lua", "c", "sh", or "" */
  char info[32];     /* all that is behind the fence: "lua love" */
  const char *code;  /* in the text of the page: it ends after `length` bytes, with the end of its last line */
  size_t length;
  int line; /* of the first line of code */
  int lines;
} markdown_block;

/* Reads a page, and closes it. The test fails when the file cannot be read. */
markdown_page markdown_open(const char *path);
void markdown_close(markdown_page *page);

/* The next block of a language, or of any with NULL. False when there is none. The test fails at a block without
   end. */
bool markdown_next(markdown_page *page, const char *language, markdown_block *block);

/* The block whose code begins with `begin`, wherever the search stands. The test fails when there is none. */
markdown_block markdown_find(const markdown_page *page, const char *language, const char *begin);

/* Writes the code into a file. The test fails when it cannot. */
void markdown_save(const markdown_block *block, const char *path);

#endif
