/*
** Files and folders for the specs, as functions of their module "spec", without a shell: some systems have none.
*/
#ifndef SP_TESTS_SPEC_FILES_H
#define SP_TESTS_SPEC_FILES_H

typedef struct lua_State lua_State;

/* Adds the functions to the table on top of the stack:
     spec.folder()            a new empty folder: its path
     spec.make_folder(path)   the folder and those above it; it may be there already
     spec.remove(path)        what is there, a folder with all that is in it; it may be missing
     spec.link(target, path)  a symbolic link; false where the tests cannot make one
   All raise an error when they fail otherwise. */
void test_spec_files(lua_State *L);

#endif
