/*
** The state of a session, for its parts. What belongs to the game lies in `memory`, which goes back and forth with it;
** what is here stays.
*/
#ifndef SP_SESSION_H
#define SP_SESSION_H

#include "script/host/checkpoint.h"
#include "script/host/why.h"
#include "session/area.h"
#include "session/history.h"
#include "session/input_lua.h"
#include "session/log.h"
#include "session/recording.h"
#include "session/spawnpool_session.h"
#include "session/texts.h"

enum {
  SP_SESSION_EVENTS_MOST = 1000, /* of a frame */
  SP_SESSION_SAID_MOST = 100,    /* lines that a bug file has */
  SP_SESSION_WORDS = 1024
};

/* The recording that the host gets line by line. */
typedef struct sp_recorder {
  bool has_begun, has_failed;
  uint64_t digests; /* frame up to which they were written */
  sp_text line;
} sp_recorder;

/* The first difference that a replay has found. */
typedef struct sp_comparing {
  uint64_t first; /* frame that differs; 0: none */
  bool is_known;  /* where is known, too */
  char text[SP_SESSION_WORDS];
} sp_comparing;

/* While the session is in the past. */
typedef struct sp_past {
  bool is_on;
  sp_checkpoint *present;
  bool is_exact;       /* the state is that at the end of memory->frame */
  bool is_shown;       /* and it was drawn so */
  sp_checkpoint *undo; /* the state before the host has run something; NULL: nothing is to be undone */
  bool is_trial;       /* edited files run, from `trial_from` on */
  bool is_loaded;      /* they are */
  uint64_t trial_from;
  sp_checkpoint *trial; /* when they were loaded */
  sp_texts trial_texts;
  char **kept; /* their texts and names */
  size_t kept_count, kept_room;
} sp_past;

/* The search for what wrote a field. */
typedef struct sp_search {
  sp_watch *watch; /* NULL: there is none */
  sp_watched what;
  char name[420];
  uint64_t from, to, at; /* frames */
  bool has_begun;
  sp_checkpoint *state; /* of the search, between two calls */
} sp_search;

struct sp_session {
  sp_session_options options;
  sp_script_options script_options;
  char *path, *storage;
  sp_script *script;
  sp_area *memory;
  sp_input_seat seats[SP_INPUT_PADS + 1];
  sp_head head;
  sp_log log;
  sp_texts texts; /* that frames are played again with */
  sp_history history;
  sp_past past;
  sp_search search;
  sp_recorder recorder;
  sp_comparing comparing;
  sp_entry *events; /* that were sent */
  size_t event_count, event_room;
  double step;                   /* seconds */
  uint32_t second;               /* frames of one */
  uint64_t present;              /* the last frame that has run */
  uint64_t recorded_to;          /* of a replay: its last frame */
  uint64_t errors;               /* that were reported */
  uint64_t read_sums;            /* counts files that were read */
  bool is_replay;                /* frames come from the log */
  bool runs_recorded;            /* the texts of the log run, and no others exist */
  bool is_again;                 /* a frame is played again */
  bool has_many_parts;           /* of its state, when it was last told in parts */
  bool has_polled;               /* since the last frame */
  bool is_busy;                  /* a frame runs, or a function of the host */
  bool is_polling;               /* it looks for edits */
  bool is_running;               /* a frame does */
  sp_checkpoint *before, *after; /* of `twice` */
  uint64_t before_hash;
  char *said[SP_SESSION_SAID_MOST];
  size_t said_count;
  char problem[SP_SESSION_WORDS];
};

/* {== For all parts ======================================================= */

/* Sets the problem; returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool sp_session_refuse(sp_session *s, const char *format, ...);

/* Reports a warning of the session. */
void sp_session_warn(sp_session *s, const char *text);

/* Returns the frame that runs; between two frames the next one. */
uint64_t sp_session_frame(const sp_session *s);

/* Adds an entry of the current frame to the log, and to the recording of the host. */
void sp_session_note(sp_session *s, sp_entry entry);

/* Returns whether the game can be copied; else the problem says why not. */
bool sp_session_can_copy(sp_session *s);

/* Puts back a copy, and tells the host. */
void sp_session_return(sp_session *s, const sp_checkpoint *copy);

/* Gives the script the files of the log at a frame, for frames that are played again; those of now. */
bool sp_session_use_texts(sp_session *s, uint64_t frame);
void sp_session_use_files(sp_session *s);

/* Reports a line of the script or the session. */
void sp_session_tell(sp_session *s, sp_report kind, const char *text);

/* The host is about to change the game of a session that is not live: what it does will be undone. Then undoes it. */
void sp_session_before_change(sp_session *s);
void sp_session_undo(sp_session *s);

/* Write the name of a live object, "Bullet#12", or ""; find the live object of a name, 0: there is none. */
void sp_session_name_object(const sp_session *s, sp_ref object, char *name, size_t size);
sp_ref sp_session_find_object(const sp_session *s, const char *name);

/* Calls options.draw. An error that is reported meanwhile stops the game. */
void sp_session_draw(sp_session *s, bool shown);

/* }== */

#endif
