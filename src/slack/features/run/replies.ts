// Replies in the thread of a run: a completed task, the result, and the failure.
import type { KnownBlock } from '@slack/types';
import type { TaskReview } from '../../../core/execution/task-replies.ts';
import type { CompletedTask } from '../../../core/state/execution.ts';
import type { Rendering } from '../../../core/state/post.ts';
import type { Output, Person } from '../../../core/state/request.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { aboutText } from '../../request/status-text.ts';
import { button, buttons, context, quote, type Rendered, rendered, section, sectionWith } from '../../ui/blocks.ts';
import { reviewValue, TITLE_LIMIT } from '../../ui/button-value.ts';
import { compareButton } from '../../ui/comparison/button.ts';
import { mention, type NameOf } from '../../ui/person.ts';
import { type Place, placeParts } from '../../ui/place.ts';
import { excerptOf, foreignText, moreText, type Room } from '../../ui/plain-blocks.ts';
import { type Structure, structureIn } from '../../ui/structure.ts';
import { cut, escapedLine } from '../../ui/text/escape.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { duration } from '../../ui/text/moment.ts';

const ERROR_LIMIT = 1_000;

interface Ending {
  crew: string;
  /** Distinguishes the run from others of its crew. Only notifications say it, because the thread does already. */
  about: string;
  createdAt: Millis;
  endedAt: Millis;
  say: Say;
}

interface EndedRun extends Ending {
  ref: string;
  mentioned: readonly Person[];
  name: NameOf;
  rendering: Rendering;
}

interface RunResult {
  result: Output | null;
  /** Null if the text is no longer stored. */
  output: string | null;
  /** Number of characters to show. Null for as much as there is room for. */
  preview: number | null;
}

export function resultReply(ended: EndedRun & RunResult): Rendered {
  const { say, output, rendering } = ended;
  const structure = structureIn(output, rendering);
  const excerpt =
    output && rendering !== 'bare' ? `\n${escapedLine(excerptOf(output, { structure, most: 600, say }), 600)}` : '';
  return rendered(`✅ ${notified(ended, 'ending.completed-title')}${excerpt}`, [
    section(`✅ ${greeting(ended)}${say('ending.done')}`),
    ...resultBlocks(ended, structure),
  ]);
}

/** A result takes about seven lines. */
const ROOM: Room = { kind: 'px', whole: { desk: 176, phone: 242 }, parts: { desk: 132, phone: 198 } };

function resultBlocks(
  { ref, crew, result, output, preview, rendering, say }: EndedRun & RunResult,
  structure: Structure | null,
): KnownBlock[] {
  const again = button('run_again', say('reply.run-again'), { value: ref });
  if (result === null) return [context(say('ending.no-result')), ...buttons(again)];
  if (output === null) return [context(say('ending.result-gone')), ...buttons(again)];
  const room: Room = preview === null ? ROOM : { kind: 'characters', most: preview };
  const excerpt = foreignText(output, { structure, room, rendering, say });
  if (!excerpt) return [context(say('ending.result-empty')), ...buttons(again)];
  const read = reviewButton(ref, result.hash, { title: say('ending.result-title', { crew }), say });
  const isHidden = excerpt.left !== null || rendering === 'bare';
  const more = excerpt.left ? [context(moreText(excerpt.left, say))] : [];
  return [...excerpt.blocks, ...more, ...buttons(isHidden ? read : null, again)];
}

export function failureReply(ended: EndedRun & { error: string }): Rendered {
  const { ref, rendering, say } = ended;
  const error = rendering === 'bare' ? '' : ended.error.trim();
  return rendered(`❌ ${notified(ended, 'ending.failed-title')}\n${escapedLine(error, 600)}`.trim(), [
    section(`❌ ${greeting(ended)}${failureText(ended)}`),
    ...(error === '' ? [] : [quote(error, ERROR_LIMIT)]),
    context(say('ending.what-now')),
    ...buttons(button('run_again', say('reply.run-again'), { value: ref, style: 'primary' })),
  ]);
}

/** Returns the message about the end of a run to a person who isn't in the channel. */
export function endingNotice(outcome: 'completed' | 'failed', ended: Ending, place: Place): Rendered {
  const symbol = outcome === 'completed' ? '✅' : '❌';
  const where = [aboutText(ended.about), ...placeParts(place, ended.say('status.open-thread'))];
  const lines = [ended.say(`ending.${outcome}`, aboutEnd(ended)), where.filter(Boolean).join(' · ')].filter(Boolean);
  const text = `${symbol} ${notified(ended, `ending.${outcome}-title`)}`;
  return rendered(text, [section(`${symbol} ${lines.join('\n')}`)]);
}

/** Begins a notification: how the run ended, and what it was about. */
function notified(ended: Ending, title: 'ending.completed-title' | 'ending.failed-title'): string {
  return [ended.say(title, aboutEnd(ended)), aboutText(ended.about)].filter(Boolean).join('\n');
}

function failureText({ say, error, rendering }: EndedRun & { error: string }): string {
  const isEmpty = error.trim() === '';
  if (!isEmpty && rendering !== 'bare') return say('ending.failed-saying');
  return `${say('ending.not-done')} ${say(isEmpty ? 'ending.no-reason' : 'ending.reason-unshown')}`;
}

function greeting({ mentioned, name }: EndedRun): string {
  return mentioned.length === 0 ? '' : `${mentioned.map((person) => mention(name, person)).join(' ')}: `;
}

function aboutEnd({ crew, createdAt, endedAt, say }: Ending) {
  return { crew: escapedLine(crew, 80), duration: duration(endedAt - createdAt, say) };
}

/** About one line. */
const EXCERPT_LIMIT = 150;

const STATES = {
  none: { symbol: '☑️', title: 'task.done-title', state: 'task.done' },
  open: { symbol: '✋', title: 'run.approval-open-for', state: 'task.open' },
  'sent-back': { symbol: '↩️', title: 'task.sent-back-title', state: 'task.sent-back' },
} as const satisfies Record<TaskReview, object>;

interface TaskDetails {
  ref: string;
  review: TaskReview;
  /** `card`: a card has the output, so the reply doesn't repeat it. */
  shownBy: 'card' | 'reply';
  /** The approved text, if the task has ended with another one. */
  approved?: Output | undefined;
  say: Say;
}

/** Returns a completed task on one line, with the beginning of its output on another. */
export function taskReply(task: CompletedTask, { ref, review, shownBy, approved, say }: TaskDetails): Rendered {
  const { symbol, title, state } = STATES[review];
  const name = task.name ? escapedLine(task.name, 150) : say('task.unnamed', { id: task.id });
  const agent = task.agent ? ` · ${escapedLine(task.agent, 80)}` : '';
  const excerpt = shownBy === 'card' ? '' : escapedLine(plainWords(cut(task.summary, 1_000)), EXCERPT_LIMIT);
  const hidden = shownBy === 'reply' && task.output && task.output.length > EXCERPT_LIMIT ? task.output : null;
  const lines = [`${symbol} ${say(state, { task: name })}${agent}`, ...(excerpt === '' ? [] : [excerpt])];
  const text = lines.join('\n');
  const reviewed = hidden && reviewButton(ref, hidden.hash, { title: task.name ?? say('task.unnamed', task), say });
  const difference = approved && task.output && { before: approved.hash, after: task.output.hash };
  return rendered(`${symbol} ${say(title, { task: name })} ${excerpt}`.trim(), [
    reviewed ? sectionWith(text, reviewed) : section(text),
    ...(difference
      ? [sectionWith(`⚠️ ${say('task.not-as-approved')}`, compareButton(say, { ref, ...difference, title: name }))]
      : []),
  ]);
}

function reviewButton(ref: string, hash: string, { title, say }: { title: string; say: Say }) {
  const value = reviewValue.write({ ref, hash, title: cut(title, TITLE_LIMIT), page: 0 });
  return button('review', say('review.button'), { value });
}
