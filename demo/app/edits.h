/*
** The files of a game that was edited while it was recorded. The recording has their texts at the start, and each edit
** in the frame in which hot reload found it; a replay makes it again there. Pictures, sounds and fonts are not kept.
*/
#ifndef SP_DEMO_EDITS_H
#define SP_DEMO_EDITS_H

#include "demo/app/recorder.h"

#define EDITS_TEXT_MOST ((size_t)1 << 20) /* bytes of a file */

/* Records the files at the start, from which edits can be replayed, and with which a run of edited ones is compared:
   those `given`, and others of the folder. From then on it records edits. */
void edits_record(recorder *r, const recording_files *given, const options *o);

/* Returns whether the folder has the files as that run has left them. */
bool edits_are_there(const recording *r, const options *o);

/* Returns whether a recording beside the files of now needs the entry: not for the first text of a file that is as it
   was. */
bool edits_need(const game *it, const recording_entry *e);

#endif
