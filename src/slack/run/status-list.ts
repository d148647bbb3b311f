import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { MESSAGE_BLOCKS, MESSAGE_BLOCKS_TEXT_LIMIT } from '../ui/limits.ts';
import type { NameOf } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { runLabel } from './run-status-text.ts';
import { type StatusEntry, statusLine } from './status-line.ts';

/** The heading, a warning and the count of the others need a block each. */
const MOST_SHOWN = MESSAGE_BLOCKS - 5;
const MOST_TEXT = MESSAGE_BLOCKS_TEXT_LIMIT - 4_200;

/**
 * What is running and waiting in a channel, in the order of `entries` but with open decisions first and untracked runs last,
 * and as much of it as a message holds.
 */
export function statusList(
  entries: StatusEntry[],
  { now, name, say, warning = null }: { now: Millis; name: NameOf; say: Say; warning?: string | null },
): Rendered {
  if (entries.length === 0) return rendered(say('status.nothing'), [section(say('status.nothing'))]);
  const undecided = entries.filter(({ model }) => needsDecision(model));
  const untracked = entries.filter(({ model }) => model.unfollowed);
  const others = entries.filter((entry) => !undecided.includes(entry) && !untracked.includes(entry));
  const ordered = [...undecided, ...others, ...untracked];
  const lines = fitting(ordered.slice(0, MOST_SHOWN).map((entry) => statusLine(entry, { now, name, say })));
  const more = entries.length - lines.length;
  const tracked = entries.length - untracked.length;
  const head = [
    ...(tracked === 0 ? [] : [say('status.in-progress', { count: tracked })]),
    ...(undecided.length === 0 ? [] : [say('status.awaiting', { count: undecided.length })]),
    ...(untracked.length === 0 ? [] : [say('status.not-tracked', { count: untracked.length })]),
  ].join(' · ');
  const shown = ordered.slice(0, lines.length);
  return rendered(`${head}: ${shown.map(({ model }) => brief(model, say)).join('; ')}`, [
    section(`*${head}*`),
    ...(warning === null ? [] : [section(`⚠️ ${warning}`)]),
    ...lines.map(section),
    ...(more > 0 ? [context(say('status.more', { count: more }))] : []),
  ]);
}

/** Whether it waits for a decision. */
function needsDecision({ openCard }: RootModel): boolean {
  return openCard !== null && !openCard.isDelayed;
}

function fitting(lines: string[]): string[] {
  let length = 0;
  return lines.filter((each) => {
    length += each.length;
    return length <= MOST_TEXT;
  });
}

function brief(model: RootModel, say: Say): string {
  const { symbol, word } = runLabel(model, say);
  return `${symbol} ${escapedLine(model.crew, 60)}: ${word}`;
}
