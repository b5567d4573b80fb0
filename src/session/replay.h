/*
** Comparing: the hashes of a run, and what of a replay is not as it was recorded.
*/
#ifndef SP_SESSION_REPLAY_H
#define SP_SESSION_REPLAY_H

#include "session/session.h"

/* At the end of a frame of the present: notes the digest and, when they are due, parts and the hash; in a replay
   compares them first with the recorded ones, which they replace. */
void sp_replay_end_frame(sp_session *s);

/* Calls the game's own hash() as often as the first time, in a frame that is played again in the past. */
void sp_replay_end_past(sp_session *s);

/* Returns the hash of the game as it is. */
uint64_t sp_replay_hash(sp_session *s);

/* Writes the hash of now, with the parts of the pools before it. */
void sp_replay_write_state(sp_session *s, sp_text *out, bool with_parts);

/* Ends the recording that the host gets. */
void sp_replay_end_recording(sp_session *s);

/* Returns the parts of all pools as JSON, an object with a member for each; the caller frees it with cJSON_Delete. */
struct cJSON *sp_replay_parts(sp_session *s, uint64_t *hash);
/* Writes where two such objects differ: pool, objects, fields. */
void sp_replay_compare_parts(const struct cJSON *before, const struct cJSON *now, char *out, size_t size);

#endif
