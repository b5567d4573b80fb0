/*
** Pictures on the pages of docs/, and the same ones as the player makes them today.
**
**   take_it(picture_target("docs/guide-1.png", path));
**   picture_expect("docs/guide-1.png", path);
*/
#ifndef SP_TESTS_PICTURE_H
#define SP_TESTS_PICTURE_H

#include <stdbool.h>

/* Where a picture is to be saved: at `path`, or over the one that is shown, when those are made anew (make golden). */
const char *picture_target(const char *shown, const char *path);

/* True when the pictures that are shown are made anew. */
bool picture_renews(void);

/* Saves a picture in half its width and height. */
void picture_halve(const char *path, const char *half_path);

/* The test fails when the picture at `path` is not that which is shown, has another size, or is empty. */
void picture_expect(const char *shown, const char *path);

#endif
