import type { RootModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/time.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { MESSAGE_BLOCKS, MESSAGE_BLOCKS_TEXT_LIMIT } from '../ui/limits.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { roughly } from '../ui/text/moment.ts';
import { runLabel } from './run-status-text.ts';

interface StatusEntry {
  model: RootModel;
  /** The addresses of the thread and of the open approval; null until they are posted. */
  link: string | null;
  cardLink: string | null;
}

/** The heading, a warning and the count of the others need a block each. */
const MOST_SHOWN = MESSAGE_BLOCKS - 5;
const MOST_TEXT = MESSAGE_BLOCKS_TEXT_LIMIT - 4_200;

/**
 * What is running and waiting in a channel, in the order of `entries` but with open decisions first, and as much of it as
 * a message holds.
 */
export function statusList(
  entries: StatusEntry[],
  { now, name, warning = null }: { now: Millis; name: NameOf; warning?: string | null },
): Rendered {
  if (entries.length === 0) {
    const nothing = 'Nothing is running or waiting here. Start something with `/kickoff`.';
    return rendered(nothing, [section(nothing)]);
  }
  const undecided = entries.filter(({ model }) => needsDecision(model));
  const ordered = [...undecided, ...entries.filter(({ model }) => !needsDecision(model))];
  const lines = fitting(ordered.slice(0, MOST_SHOWN).map((entry) => line(entry, now, name)));
  const more = entries.length - lines.length;
  const open = undecided.length === 0 ? '' : ` · ${undecided.length} waiting for a decision`;
  const head = `${entries.length === 1 ? 'One run is going on here' : `${entries.length} runs are going on here`}${open}`;
  const shown = ordered.slice(0, lines.length);
  return rendered(`${head}: ${shown.map(({ model }) => brief(model)).join('; ')}`, [
    section(`*${head}*`),
    ...(warning === null ? [] : [section(`⚠️ ${warning}`)]),
    ...lines.map(section),
    ...(more > 0 ? [context(`…and ${more} more that ${more === 1 ? 'doesn’t' : 'don’t'} fit in here`)] : []),
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

function brief(model: RootModel): string {
  const { symbol, word } = runLabel(model);
  return `${symbol} ${escapedLine(model.crew, 60)}: ${word}`;
}

function line({ model, link, cardLink }: StatusEntry, now: Millis, name: NameOf): string {
  const { symbol, word } = runLabel(model);
  const card = model.openCard ? linkTo('Open the approval', cardLink) : '';
  const by = model.starter ? ` by ${nameIn(name, model.starter)}` : '';
  const started = `started ${roughly(now - model.createdAt)} ago${by}`;
  const links = [linkTo('Open the thread', link), card].filter(Boolean).join(' · ');
  return `${symbol} *${escapedLine(model.crew, 60)}*: ${word} · ${started}\n${links}`.trim();
}

function linkTo(label: string, address: string | null): string {
  return address ? `<${escapeMrkdwn(address)}|${label}>` : '';
}
