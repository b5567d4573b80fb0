/*
** A session: a game that can be repeated. Everything that a run depends on goes through it: events, answers of the
** machine, edits, lines of a console. So the run can be written down and played again elsewhere, any of its frames can
** be gone back to, and whatever wrote a field can be found. No window, no sound, no option of a command line.
**
** Installed beside spawnpool_script.h. Strings that are returned belong to the session, and are valid until its next
** call. One thread at a time; several sessions in a process know nothing of each other. C11, and C++ may include it.
*/
#ifndef SPAWNPOOL_SESSION_H
#define SPAWNPOOL_SESSION_H

#include "spawnpool_script.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque; open until sp_session_close. */
typedef struct sp_session sp_session;

/* {== Events ============================================================== */

typedef struct sp_session_event_field {
  const char *name;
  double number;
  const char *text; /* NULL: the number counts */
} sp_session_event_field;

/* An event comes to the game from outside. Kinds that the session understands are callbacks of the game, with their
   arguments as fields, in this order: key_pressed, key_released {key}; mouse_pressed, mouse_released {x, y, button};
   mouse_moved {x, y, dx, dy}; wheel {dx, dy}; text_input {text}; pad_pressed, pad_released {button, n}; pad_axis {axis,
   n, value} and finger_pressed, finger_moved, finger_released {n, x, y}, which have no callbacks; resized {w, h}; focus
   {on}; quit {}. Keys, buttons and axes are named as in
   docs/lua.md; positions are units of the view; the value of an axis is from -1 to 1 as the device has it. A key that
   is held already, and one that is released and was not held, are no events. Further fields do not reach the callback.
   Numbers that are whole arrive as integers.

   Refused are load, update, draw, draw_below, draw_above and hash as kinds, more than 16 fields or 64 KiB of text, NaN
   and infinity, text that is no UTF-8, and more than 1,000 events a frame. */
typedef struct sp_session_event {
  const char *kind; /* "key_pressed"; a host may have kinds of its own */
  const sp_session_event_field *fields;
  size_t field_count;
} sp_session_event;

/* }== */

/* {== Options ============================================================= */

/* A part of an edit, as far as it is an entry with another value. */
typedef struct sp_session_change {
  const char *file;                         /* "pools/Bullet.lua" */
  int line;                                 /* in the new text */
  const char *type;                         /* of the class in that file; NULL: none */
  const char *name, *old_value, *new_value; /* "speed", "780", "200" */
} sp_session_change;

typedef struct sp_session_edit {
  sp_poll_result result;
  const char *line; /* as it was reported */
  const sp_session_change *changes;
  size_t change_count;
} sp_session_edit;

/* Which texts a replay runs: those of the recording, and no other file exists; or those that `script` names, now. */
typedef enum sp_session_files { SP_SESSION_FILES_RECORDED, SP_SESSION_FILES_NOW } sp_session_files;

/* Make one by sp_session_defaults, then change members. All functions get `ud`; each may be NULL. From within them only
   sp_session_script, _memory, _call, _send, _answer, _is_live, _say, _problem and _at may be called. */
typedef struct sp_session_options {
  size_t size; /* of this struct, as the program was compiled */
  /* Copied. repeatable, checkpoints, real_clocks and start_time are the session's own: a host that sets one is refused.
     In a replay seed and step are those of the recording, and `path` is only read with SP_SESSION_FILES_NOW. */
  const sp_script_options *script;
  void *ud;
  /* A Lua state exists, and no code of the game has run: add functions of your own, and ask for memory. */
  void (*opened)(void *ud, sp_session *session);
  /* Gets each event, recorded ones too, when its frame runs; what the input devices are known by has changed already.
     NULL: sp_session_call. */
  void (*apply)(void *ud, sp_session *session, const sp_session_event *event);
  /* Draws a frame. It is called in every frame, also in those that are played again (`shown` is false then), because
     the game's own draw may change the game. An error that is reported meanwhile stops the game. */
  void (*draw)(void *ud, sp_session *session, bool shown);
  void (*edited)(void *ud, sp_session *session, const sp_session_edit *edit);
  /* The state is that of another frame: what you hold of it must follow. Sheets have to be set again. */
  void (*restored)(void *ud, sp_session *session);
  sp_write_fn record;     /* gets the recording line by line, as it happens: a crash loses nothing of it */
  sp_session_files files; /* of a replay */
  /* The folder of spawnpool.storage; NULL: data is kept in memory. Copied. A replay neither reads nor writes it, and
     the past does not write it. */
  const char *storage;
  double history;            /* seconds of game time that can be gone back; 0: 120; negative: none */
  size_t history_bytes;      /* memory for that; 0: 256 MiB. A quarter of it is for input */
  uint32_t checkpoint_every; /* frames; 0: about a second, and seldom enough to cost little */
  bool twice;                /* each frame is played twice, and sp_session_difference says what was not the same */
} sp_session_options;

/* Writes the defaults, zeros, and `size`, at most `size` bytes: sizeof(sp_session_options) in the calling program. */
SP_API void sp_session_options_init(sp_session_options *options, size_t size);
/* Returns the defaults; `script` must stay until the session is opened. */
static inline sp_session_options sp_session_defaults(const sp_script_options *script)
{
  sp_session_options options;
  sp_session_options_init(&options, sizeof options);
  options.script = script;
  return options;
}

/* }== */

/* {== A game ============================================================== */

/* Opens a game that can be repeated; runs no code of it. NULL, with one line in `error`. */
SP_API sp_session *sp_session_open(const sp_session_options *options, char *error, size_t error_size);
/* Ends the recording that `record` gets, and frees everything. NULL is allowed. */
SP_API void sp_session_close(sp_session *session);

/* The script, to read from. sp_script_eval, _select, _call and _ask on it are recorded as part of the next frame, and
   so are fields that tools set. Its start, updates and polls are the session's; other changes from outside are not in a
   recording, which `twice` finds. */
SP_API sp_script *sp_session_script(const sp_session *session);

/* Returns a zeroed block of memory that goes back and forth with the game; the first call decides its size. For what
   `apply` changes. Ask for it in `opened`, and do not keep the address beyond `restored`. NULL: no memory. */
SP_API void *sp_session_memory(sp_session *session, size_t size);

/* Runs main.lua and load(args); events that were sent before are known to main.lua. Once. False after an error, which
   was reported: an edit can mend it. A replay starts by itself, in its first step, with recorded arguments: true, and
   nothing happens. */
SP_API bool sp_session_start(sp_session *session, int argc, char **argv);

/* Adds an event to the next frame, and copies it. False when it is refused. */
SP_API bool sp_session_send(sp_session *session, const sp_session_event *event);
/* Calls the game's callback `kind` with the values of the event in order: for `apply`. False when there is none, or it
   failed, which stops the game. */
SP_API bool sp_session_call(sp_session *session, const sp_session_event *event);

/* Runs a frame: edits, the events that were sent, update(dt), one step of the pools, draw. Whatever happens between two
   frames is part of the next one. False when the game is not started, or has stopped with an error: then it only looks
   for an edit that mends it, and no frame is counted. At the end of a replay, and in the past, it does nothing. */
SP_API bool sp_session_step(sp_session *session);
/* Looks for edits without a frame: in a game that is paused or has stopped. */
SP_API sp_poll_result sp_session_poll(sp_session *session, sp_poll how);
/* Draws again without a frame. False when the game has stopped, or nothing draws. */
SP_API bool sp_session_redraw(sp_session *session);

/* An answer of the machine that the game gets to know: a length, a size, a time. Returns `now`, which is recorded; in
   frames that are played again, what was recorded. `question` names it: equal ones are the same question. */
SP_API double sp_session_answer(sp_session *session, const char *question, double now);
/* Returns whether what happens now happens for the first time. False in a replay, and while frames are played again:
   nothing is to be heard then, and no window to be closed. */
SP_API bool sp_session_is_live(const sp_session *session);
/* Keeps a line for the log of a bug file. It is no part of the run. */
SP_API void sp_session_say(sp_session *session, const char *text);
/* Returns why the last call was refused; "": it was not. */
SP_API const char *sp_session_problem(const sp_session *session);

/* Frames are counted from 1; 0 is the game after its start. */
typedef struct sp_session_frames {
  uint64_t first, now, last; /* that can be gone to; that is shown; that is the present */
} sp_session_frames;
SP_API sp_session_frames sp_session_at(const sp_session *session);

/* }== */

/* {== Recordings ==========================================================
** Lines of JSON: what reached the game in each frame, the texts that ran, and hashes of the game. A recording that was
** cut off, by a crash perhaps, can be played as far as it goes. */

/* Writes the run up to the present. False when it is no longer known from its start, or `write` failed. */
SP_API bool sp_session_write_recording(sp_session *session, sp_write_fn write, void *ud);

/* Opens a session that plays a recording again, frame by frame. NULL, with one line in `error`, which names the line of
   the recording that is wrong. The bytes need not stay. */
SP_API sp_session *sp_session_replay(const sp_session_options *options, const void *recording, size_t size, char *error,
                                     size_t error_size);
/* Returns whether all frames of the replay have run; false of a session that is none. */
SP_API bool sp_session_is_over(const sp_session *session);
/* Returns how the replay differs from what was recorded: second, frame, pool, objects and fields; NULL: as recorded so
   far. It says more as soon as more is known. */
SP_API const char *sp_session_difference(const sp_session *session);
/* Compares two sessions as they are now. False: `text` has the first object and field that differ, with both values. */
SP_API bool sp_session_compare(sp_session *a, sp_session *b, char *text, size_t size);

/* }== */

/* {== The past ============================================================
** Frames are played again from copies of the memory that were made on the way. They need a sandbox (no `trust`), and
** addresses of 64 bits. Calls that may take long do work of about so many seconds, and are made again until they are
** done. */

typedef enum sp_work { SP_WORK_DONE, SP_WORK_GOING_ON, SP_WORK_FAILED } sp_work;

/* Goes to the end of a frame. From then on the session is in the past, until it goes on or back. There events are
   refused, steps do nothing, and what sp_script_eval changes is undone by the next call. */
SP_API sp_work sp_session_seek(sp_session *session, uint64_t frame, double seconds);
/* Goes to the end of `from`, loads the files as they are on the disk now, and plays the recorded input to `to`: what an
   edit would have done. Seeks from `from` to `to` stay with the edited files. */
SP_API sp_work sp_session_try(sp_session *session, uint64_t from, uint64_t to, double seconds);
/* The frame that is shown becomes the present, as it was recorded; what came after it is forgotten, input too. A replay
   that goes on is a live game from there. */
SP_API void sp_session_go_on(sp_session *session);
/* Returns to the present, exactly. */
SP_API void sp_session_back(sp_session *session);
/* Calls `fn` for what happened from frame `from` on: `kind` is "event", "eval", "set", "call", "edit" or "error", and
   `text` says which. */
SP_API void sp_session_each_mark(sp_session *session, uint64_t from,
                                 void (*fn)(void *ud, uint64_t frame, const char *kind, const char *text), void *ud);

/* }== */

/* {== Why ================================================================= */

/* A write, with others of the same writer in frames that follow each other. Texts are "" where there is none. */
typedef struct sp_session_cause {
  uint64_t frame, count; /* of the last one; of all */
  const char *old_value, *new_value, *writer, *stack;
} sp_session_cause;

/* Finds each write of a field up to the frame that is shown, "Bullet#12.vx", or the lives of an object, "Bullet#12", by
   playing the frames again. The call that is done calls `fn` for each cause, newest first; a call with another name
   begins anew. Between the calls the game is as it was. */
SP_API sp_work sp_session_why(sp_session *session, const char *what, double seconds,
                              void (*fn)(void *ud, const sp_session_cause *cause), void *ud);

/* }== */

/* {== Bug files =========================================================== */

/* Writes a zip with the run, the texts of the game that ran, and the last lines that were said. Nothing else of the
   machine or its user is in it. */
SP_API bool sp_session_write_bug(sp_session *session, sp_write_fn write, void *ud);
/* Opens a session that plays the run of such a file, with its texts; options.files is of no concern. */
SP_API sp_session *sp_session_open_bug(const sp_session_options *options, const void *zip, size_t size, char *error,
                                       size_t error_size);

/* }== */

#ifdef __cplusplus
}
#endif
#endif
