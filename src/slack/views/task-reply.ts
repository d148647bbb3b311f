import type { CompletedTask } from '../../core/execution.ts';
import { cut } from '../text/cut.ts';
import { plainWords } from '../text/plain-words.ts';
import { button, buttons, quote, type Rendered, rendered, section } from './blocks.ts';
import { textValue } from './button-value.ts';
import { inline } from './person.ts';
import { READ_ALL } from './read-all-modal.ts';

const SUMMARY_LIMIT = 600;

/** A completed task: what it was, who did it, what came of it in a few lines. */
export function taskReply(ref: string, task: CompletedTask): Rendered {
  const name = task.name ? inline(task.name, 150) : `Task ${task.id}`;
  const agent = task.agent ? ` · ${inline(task.agent, 80)}` : '';
  const summary = plainWords(cut(task.summary, SUMMARY_LIMIT));
  const said = summary === '' ? '' : ` ${inline(summary, SUMMARY_LIMIT)}`;
  return rendered(`☑️ Task done: ${name}.${said}`, [
    section(`☑️ *${name}* is done${agent}`),
    ...(summary === '' ? [] : [quote(summary, SUMMARY_LIMIT)]),
    ...(task.output
      ? buttons(button(READ_ALL, 'Read all', { value: textValue(key(ref, task.output.hash, task)) }))
      : []),
  ]);
}

function key(ref: string, hash: string, task: CompletedTask) {
  return { ref, hash, title: task.name ?? `Task ${task.id}`, rest: 'left-out' as const };
}
