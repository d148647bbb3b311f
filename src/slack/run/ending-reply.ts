import type { KnownBlock } from '@slack/types';
import type { Output, Person } from '../../core/approval/approval.ts';
import type { Rendering } from '../../core/messages/rendering.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { button, buttons, context, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { foreignMarkdown } from '../ui/foreign-markdown.ts';
import { mention, type NameOf } from '../ui/person.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { duration } from '../ui/text/moment.ts';
import { plainWords } from '../ui/text/plain-words.ts';

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
  say: Say;
}

interface Result {
  result: Output | null;
  /** Null if the text is no longer stored. */
  output: string | null;
  /** How many characters of the result are shown. */
  preview: number;
}

/** The end of a completed run, with its result. */
export function resultReply(ended: Ended & Result): Rendered {
  const { say, output, rendering } = ended;
  const excerpt = output && rendering !== 'bare' ? `\n${escapedLine(plainWords(cut(output, 600)), 600)}` : '';
  return rendered(`✅ ${say('ending.completed-title', aboutEnd(ended))}${excerpt}`, [
    section(`✅ ${greeting(ended)}${say('ending.completed', aboutEnd(ended))}`),
    ...resultBlocks(ended),
  ]);
}

function resultBlocks({ ref, crew, result, output, preview, rendering, say }: Ended & Result): KnownBlock[] {
  const again = button('run_again', say('reply.run-again'), { value: ref });
  if (result === null) return [context(say('ending.no-result')), ...buttons(again)];
  if (output === null) return [context(say('ending.result-gone')), ...buttons(again)];
  const shown = foreignMarkdown(output, { most: preview, rendering, say });
  if (!shown) return [context(say('ending.result-empty')), ...buttons(again)];
  const value = textValue({ ref, hash: result.hash, title: say('ending.result-title', { crew }), rest: 'left-out' });
  const isHidden = shown.isCut || rendering === 'bare';
  return [
    ...shown.blocks,
    ...buttons(isHidden ? button('read_all', say('reply.read-full-text'), { value }) : null, again),
  ];
}

/** The end of a failed run, with its error and what to do. */
export function failureReply(ended: Ended & { error: string }): Rendered {
  const { ref, rendering, say } = ended;
  const error = rendering === 'bare' ? '' : ended.error.trim();
  return rendered(`❌ ${say('ending.failed-title', aboutEnd(ended))} ${escapedLine(error, 600)}`.trim(), [
    section(`❌ ${greeting(ended)}${howItFailed(ended)}`),
    ...(error === '' ? [] : [quote(error, ERROR_LIMIT)]),
    context(say('ending.what-now')),
    ...buttons(button('run_again', say('reply.run-again'), { value: ref, style: 'primary' })),
  ]);
}

function howItFailed({ say, ...ended }: Ended & { error: string }): string {
  const about = aboutEnd({ ...ended, say });
  if (ended.error.trim() === '') return `${say('ending.failed', about)} ${say('ending.no-reason')}`;
  if (ended.rendering === 'bare') return `${say('ending.failed', about)} ${say('ending.reason-unshown')}`;
  return say('ending.failed-saying', about);
}

function greeting({ starter, name }: Ended): string {
  return starter ? `${mention(name, starter)}: ` : '';
}

function aboutEnd({ crew, createdAt, endedAt, say }: Ended) {
  return { crew: escapedLine(crew, 80), duration: duration(endedAt - createdAt, say) };
}
