import type { CompletedTask } from '../../core/execution/execution.ts';
import type { TaskReview } from '../../core/execution/reviewed-tasks.ts';
import type { Say } from '../language/say.ts';
import { button, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { plainWords } from '../ui/text/plain-words.ts';

/** About one line. */
const EXCERPT_LIMIT = 150;

/** What is said of a task by what people say about it. A reply is shown before that only if the request comes late. */
const STATES = {
  none: { symbol: '☑️', title: 'task.done-title', state: 'task.done' },
  open: { symbol: '✋', title: 'task.open-title', state: 'task.open' },
  'sent-back': { symbol: '↩️', title: 'task.sent-back-title', state: 'task.sent-back' },
} as const satisfies Record<TaskReview, object>;

interface TaskDetails {
  ref: string;
  review: TaskReview;
  /** Whether a card has the task's output, which isn't repeated then. */
  shownBy: 'card' | 'reply';
  say: Say;
}

/** A completed task on one line, with the beginning of its output on another. */
export function taskReply(task: CompletedTask, { ref, review, shownBy, say }: TaskDetails): Rendered {
  const { symbol, title, state } = STATES[review];
  const name = task.name ? escapedLine(task.name, 150) : say('task.unnamed', { id: task.id });
  const agent = task.agent ? ` · ${escapedLine(task.agent, 80)}` : '';
  const excerpt = shownBy === 'card' ? '' : escapedLine(plainWords(cut(task.summary, 1_000)), EXCERPT_LIMIT);
  const hidden = shownBy === 'reply' && task.output && task.output.length > EXCERPT_LIMIT ? task.output : null;
  const lines = [`${symbol} ${say(state, { task: name })}${agent}`, ...(excerpt === '' ? [] : [excerpt])];
  return rendered(`${symbol} ${say(title, { task: name })} ${excerpt}`.trim(), [
    {
      ...section(lines.join('\n')),
      ...(hidden && {
        accessory: readButton(ref, hidden.hash, { title: task.name ?? say('task.unnamed', task), say }),
      }),
    },
  ]);
}

function readButton(ref: string, hash: string, { title, say }: { title: string; say: Say }) {
  const value = textValue({ ref, hash, title, rest: 'left-out' });
  return button('read_all', say('reply.read-full-text'), { value });
}
