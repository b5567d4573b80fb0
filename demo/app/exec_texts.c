#include "demo/app/exec_texts.h"

bool exec_texts_run(const options *o, const game *it, report *r)
{
  for (int i = 0; i < o->exec_count && !it->stopped; i++) {
    sp_eval outcome = sp_script_eval(it->script, o->exec[i]);
    if (outcome == SP_EVAL_DONE)
      continue;
    if (outcome == SP_EVAL_MORE)
      report_say(r, SP_REPORT_ERROR, "--exec: the text is not complete");
    return false;
  }
  return true;
}
