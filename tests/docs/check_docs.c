/* What the pages show, but for programs to be compiled: those are in tests/slow/check_docs_programs.c. */
#include "docs/docs.h"

Suite *sp_suite_docs(void) { return docs_suite("docs", false); }
