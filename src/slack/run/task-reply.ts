import type { CompletedTask } from '../../core/execution/execution.ts';
import { button, buttons, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { plainWords } from '../ui/text/plain-words.ts';

const SUMMARY_LIMIT = 600;

/** A completed task: its name, its agent and a few lines of its output. */
export function taskReply(ref: string, task: CompletedTask): Rendered {
  const name = task.name ? escapedLine(task.name, 150) : `Task ${task.id}`;
  const agent = task.agent ? ` · ${escapedLine(task.agent, 80)}` : '';
  const summary = plainWords(cut(task.summary, SUMMARY_LIMIT));
  const said = summary === '' ? '' : ` ${escapedLine(summary, SUMMARY_LIMIT)}`;
  return rendered(`☑️ Task done: ${name}.${said}`, [
    section(`☑️ *${name}* is done${agent}`),
    ...(summary === '' ? [] : [quote(summary, SUMMARY_LIMIT)]),
    ...(task.output
      ? buttons(button('read_all', 'Read all', { value: textValue(key(ref, task.output.hash, task)) }))
      : []),
  ]);
}

function key(ref: string, hash: string, task: CompletedTask) {
  return { ref, hash, title: task.name ?? `Task ${task.id}`, rest: 'left-out' as const };
}
