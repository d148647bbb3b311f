import type { KnownBlock } from '@slack/types';
import type { Output, Person } from '../../core/approval/approval.ts';
import type { Rendering } from '../../core/messages/rendering.ts';
import type { Millis } from '../../core/time.ts';
import { button, buttons, context, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { foreignMarkdown } from '../ui/foreign-markdown.ts';
import { mention, type NameOf } from '../ui/person.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { duration } from '../ui/text/moment.ts';
import { plainWords } from '../ui/text/plain-words.ts';

const RESULT_LIMIT = 5_000;
const ERROR_LIMIT = 1_000;

interface Ended {
  ref: string;
  crew: string;
  /** Mentioned once; null for a run that was started elsewhere, or where nobody is to be notified. */
  starter: Person | null;
  createdAt: Millis;
  endedAt: Millis;
  name: NameOf;
  rendering: Rendering;
}

/** `output` is null if the text is no longer stored. */
interface Result {
  result: Output | null;
  output: string | null;
}

/** The end of a completed run, with its result. */
export function resultReply(ended: Ended & Result): Rendered {
  const head = `✅ ${greeting(ended)}*${escapedLine(ended.crew, 80)}* is done, after ${took(ended)}.`;
  const excerpt =
    ended.output && ended.rendering !== 'bare' ? `\n${escapedLine(plainWords(cut(ended.output, 600)), 600)}` : '';
  return rendered(`✅ ${escapedLine(ended.crew, 80)} is done, after ${took(ended)}.${excerpt}`, [
    section(head),
    ...resultBlocks(ended),
  ]);
}

function resultBlocks({ ref, crew, result, output, rendering }: Ended & Result): KnownBlock[] {
  const again = button('run_again', 'Run again', { value: ref });
  if (result === null) return [context('_The crew gave no result._'), ...buttons(again)];
  if (output === null) return [context('_The result is no longer stored._'), ...buttons(again)];
  const shown = foreignMarkdown(output, { most: RESULT_LIMIT, rendering });
  if (!shown) return [context('_The result is empty._'), ...buttons(again)];
  const readAll = button('read_all', 'Read all', {
    value: textValue({ ref, hash: result.hash, title: `Result of ${crew}`, rest: 'left-out' }),
  });
  return [
    ...shown.blocks,
    ...(shown.isCut ? [context(`The result goes on: ${result.length.toLocaleString('en')} characters in all.`)] : []),
    ...buttons(readAll, again),
  ];
}

/** The end of a failed run, with its error and what to do. */
export function failureReply(ended: Ended & { error: string }): Rendered {
  const { ref, crew, rendering } = ended;
  const error = rendering === 'bare' ? '' : ended.error.trim();
  return rendered(`❌ ${escapedLine(crew, 80)} failed after ${took(ended)}. ${escapedLine(error, 600)}`.trim(), [
    section(`❌ ${greeting(ended)}*${escapedLine(crew, 80)}* failed after ${took(ended)}.${reasonLead(ended)}`),
    ...(error === '' ? [] : [quote(error, ERROR_LIMIT)]),
    context('You can run it again, perhaps with other inputs. If it fails again, ask whoever runs the crew.'),
    ...buttons(button('run_again', 'Run again', { value: ref, style: 'primary' })),
  ]);
}

function reasonLead({ error, rendering }: Ended & { error: string }): string {
  if (error.trim() === '') return ' It didn’t say why.';
  return rendering === 'bare' ? ' Slack doesn’t accept what it said in a message.' : ' It said:';
}

function greeting({ starter, name }: Ended): string {
  return starter ? `${mention(name, starter)}, ` : '';
}

function took({ createdAt, endedAt }: Ended): string {
  return duration(endedAt - createdAt);
}
