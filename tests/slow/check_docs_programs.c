/* The programs in C and C++ that the pages show, and their commands for building. */
#include "docs/docs.h"

Suite *sp_suite_docs_programs(void) { return docs_suite("docs_programs", "tests/docs/run/programs.lua"); }
