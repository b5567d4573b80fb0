/*
** The recording that the host gets line by line, and what the script reads and is edited to meanwhile.
*/
#ifndef SP_SESSION_RECORDER_H
#define SP_SESSION_RECORDER_H

#include "session/session.h"

/* Follows what is read and edited from now on. */
void sp_recorder_listen(sp_session *s);

/* Begins with the head, before the start; and notes which files there are. */
void sp_recorder_begin(sp_session *s);

/* Writes an entry; lines that are made already; the digests of the frames since the last ones; that the run goes on
   from the end of `frame`. */
void sp_recorder_entry(sp_session *s, const sp_entry *entry);
void sp_recorder_lines(sp_session *s, const sp_text *lines);
void sp_recorder_digests(sp_session *s);
bool sp_recorder_is_on(const sp_session *s);
void sp_recorder_back(sp_session *s, uint64_t frame);

/* Notes an error of the game. */
void sp_recorder_error(sp_session *s, const char *text);

#endif
