import type { CompletedTask } from '../../core/execution/execution.ts';
import type { TaskReview } from '../../core/execution/reviewed-tasks.ts';
import { button, buttons, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { plainWords } from '../ui/text/plain-words.ts';

const SUMMARY_LIMIT = 600;

/** What is said of a task by what people say about it. A reply is shown before that only if the request comes late. */
const STATES: Record<TaskReview, { symbol: string; title: string; state: string }> = {
  none: { symbol: '☑️', title: 'Task done', state: 'is done' },
  open: { symbol: '✋', title: 'Approval needed', state: 'awaits approval' },
  'sent-back': { symbol: '↩️', title: 'Changes requested', state: 'is being revised' },
};

/** A completed task: its name, its agent and a few lines of its output. */
export function taskReply(ref: string, task: CompletedTask, review: TaskReview): Rendered {
  const { symbol, title, state } = STATES[review];
  const name = task.name ? escapedLine(task.name, 150) : `Task ${task.id}`;
  const agent = task.agent ? ` · ${escapedLine(task.agent, 80)}` : '';
  const summary = plainWords(cut(task.summary, SUMMARY_LIMIT));
  const said = summary === '' ? '' : ` ${escapedLine(summary, SUMMARY_LIMIT)}`;
  return rendered(`${symbol} ${title}: ${name}.${said}`, [
    section(`${symbol} *${name}* ${state}${agent}`),
    ...(summary === '' ? [] : [quote(summary, SUMMARY_LIMIT)]),
    ...(task.output
      ? buttons(button('read_all', 'Read all', { value: textValue(key(ref, task.output.hash, task)) }))
      : []),
  ]);
}

function key(ref: string, hash: string, task: CompletedTask) {
  return { ref, hash, title: task.name ?? `Task ${task.id}`, rest: 'left-out' as const };
}
