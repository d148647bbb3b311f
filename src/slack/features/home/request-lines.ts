// The lines of a request in a list: its title, the beginning of its text, how long it has waited, and who asks. On a phone, a request that
// waits for the person takes three lines.
import { expiresSoonAt } from '../../../core/inbox/inbox.ts';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import { handOversUnder, type Policy } from '../../../core/policy/policy.ts';
import { type Progress, progressOf } from '../../../core/policy/progress.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { requestTitle, stageName } from '../../request/card-state.ts';
import { startedBy } from '../../request/status-text.ts';
import { nameIn } from '../../ui/person.ts';
import { channelMention, placeParts } from '../../ui/place.ts';
import { excerptOf } from '../../ui/plain-blocks.ts';
import { structureOf } from '../../ui/structure.ts';
import { columnsOf } from '../../ui/text/columns.ts';
import { cutLine, escapeMrkdwn, unescaped } from '../../ui/text/escape.ts';
import { duration } from '../../ui/text/moment.ts';
import type { HomeDetails } from './model.ts';

/** Letters that a phone of 390 px shows in a line of text, and in a line of small text. */
export const LINE = 42;
const SMALL_LINE = 48;

/** Returns task, crew, and what it is about, on one line of a phone with so many columns. Escaped mrkdwn. */
export function titleOf(
  { run, taskName, about, round }: NamedRequest & { round: number },
  say: Say,
  columns = LINE,
): string {
  const room = round > 1 ? columns - BETWEEN.length - say('card.round', { round }).length : columns;
  const [task = '', crew = '', topic = ''] = fitting([taskName ?? '', run.crew, about], room);
  return requestTitle({ crew, taskName: task, about: topic, round }, say);
}

const BETWEEN = ' · ';
const SHORTEST = 4;

/** Cuts the texts to one line that has them all. The longest are cut first. */
export function fitting(texts: readonly string[], columns: number): string[] {
  const widths = texts.map(columnsOf).filter((width) => width > 0);
  const room = columns - BETWEEN.length * (widths.length - 1);
  const fits = (most: number) => widths.reduce((sum, width) => sum + Math.min(width, most), 0) <= room;
  let most = columns;
  while (most > SHORTEST && !fits(most)) most -= 1;
  return texts.map((text) => cutToWidth(text, most)).map((text) => (text === ELLIPSIS ? '' : text));
}

/** `cutLine` leaves only this of a long word without room. */
const ELLIPSIS = '…';

function cutToWidth(text: string, columns: number): string {
  const near = text.slice(0, columns);
  const most = Math.floor((columns * near.length) / Math.max(1, columnsOf(near)));
  // A line that is cut has room for two marks without width, which right-to-left text needs.
  return cutLine(text, text.length > most + 2 ? most + 2 : most);
}

const SPOKEN = { about: 30, task: 20 };

type NamedRequest = Pick<OpenRequest, 'taskName' | 'about'> & { run: { crew: string } };

/** Returns a few words for each request of a page, so that screen readers can distinguish their buttons. Plain text. */
export function shortNames(requests: readonly NamedRequest[]): string[] {
  const names = requests.map(({ run, taskName, about }) => {
    const words = [cutLine(about, SPOKEN.about), cutLine(taskName ?? '', SPOKEN.task)].filter(Boolean).join(', ');
    return words || cutLine(run.crew, SPOKEN.about);
  });
  return distinguishNames(names);
}

/** Adds a number to equal names. */
export function distinguishNames(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const alike = (upTo: number) => names.slice(0, upTo).filter((other) => other === name).length;
    return alike(names.length) === 1 ? name : `${name} (${alike(i + 1)})`;
  });
}

/**
 * Says how long a request has waited and still waits, what has happened since, who asks and where, and links to its thread. Escaped
 * mrkdwn. `one-line`: as much as fits on one line of a phone, without the channel.
 */
export function requestLine(request: OpenRequest, details: HomeDetails, length: 'one-line' | 'whole'): string {
  const { run, cardTs } = request;
  const { say, name, now, linkTo } = details;
  const [channel, ...thread] = placeLinked(run.channel, linkTo(run.channel, cardTs, run.rootTs), say);
  const by = run.starter ? say('home.by', { name: nameIn(name, run.starter) }) : startedBy(run, { name, say });
  const parts = [...timesOf(request, now, say), ...marks(request, details), by];
  if (length === 'whole') return [...parts, channel, ...thread].join(BETWEEN);
  let room = SMALL_LINE + BETWEEN.length - thread.length * (BETWEEN.length + say('home.open-thread').length);
  const visibleParts = parts.filter((text) => {
    const needed = BETWEEN.length + columnsOf(unescaped(text));
    if (needed > room) return false;
    room -= needed;
    return true;
  });
  return [...visibleParts, ...thread].join(BETWEEN);
}

/** Returns a channel and the link to a thread in it. */
export function placeLinked(channel: string, link: string | null, say: Say): string[] {
  return link === null ? [channelMention(channel)] : placeParts({ channel, link }, say('home.open-thread'));
}

/** Says how long a request still waits, if it closes within a day, and how long it has waited. In steps: each change is published. */
export function timesOf(request: OpenRequest, now: Millis, say: Say): string[] {
  const waitedMs = Math.max(MINUTE_MS, inSteps(now - request.askedAt));
  const waited = say('home.waits', { duration: duration(waitedMs, say) });
  const expireAt = expiresSoonAt(request, now);
  if (expireAt === null) return [waited];
  const leftMs = inSteps(expireAt - now);
  const expires = leftMs === 0 ? say('home.expires-at-once') : say('home.expires', { duration: duration(leftMs, say) });
  return [`⏳ *${expires}*`, waited];
}

const STEPS = [DAY_MS, HOUR_MS, 5 * MINUTE_MS, MINUTE_MS];

/** Rounds a duration down to whole days, hours, five minutes or minutes. */
function inSteps(ms: Millis): Millis {
  const step = STEPS.find((each) => ms >= each);
  return step === undefined ? 0 : Math.floor(ms / step) * step;
}

function marks(request: OpenRequest, { personId, policiesOf, name, now, say }: HomeDetails): string[] {
  const { run, repeatsRound, voters } = request;
  const policies = policiesOf(request);
  const isEscalated = policies.some((policy) => policy.isEscalated);
  const votes = request.countedAs ?? voters.map(() => ({}));
  const missing = ({ needed, given }: Progress) => needed - given;
  const all = policies.map((policy) => progressOf(policy, votes));
  const [progress] = all.toSorted((one, other) => missing(other) - missing(one));
  const handOvers = handOversUnder(policies, request.handedOver);
  const handed = handOvers.findLast(({ to, until }) => to.id === personId && (until === null || now < until));
  return [
    ...(run.crewMissing ? [`🔌 ${say('missing-crew.short')}`] : []),
    ...(repeatsRound === null ? [] : [say('home.repeats', { round: repeatsRound })]),
    ...(progress && progress.needed > 1
      ? [say('home.approvals', { count: progress.given, quorum: progress.needed })]
      : []),
    ...stageMark(policies[0], say),
    ...(handed
      ? [say(handed.until === null ? 'home.added-by' : 'home.stands-in', { name: nameIn(name, handed.by) })]
      : []),
    ...(isEscalated ? [say('home.escalated')] : []),
  ];
}

function stageMark(policy: Policy | undefined, say: Say): string[] {
  const { stages = [], stage = 0 } = policy ?? {};
  const open = stages.length > 1 ? stages[stage] : undefined;
  if (!open) return [];
  return [say('home.stage', { number: stage + 1, count: stages.length, stage: stageName(open.name) })];
}

/** Length before the marks of Markdown are removed. */
const READ_LENGTH = 900;

/**
 * Returns the title of a request and the beginning of its text, a line of a phone each. If the text begins with what the request is
 * about, the title doesn't say it again. `text`: undefined if it isn't to be shown, null if it is no longer stored. Escaped mrkdwn.
 */
export function titleAndGist(
  request: NamedRequest & { round: number },
  text: string | null | undefined,
  say: Say,
): string[] {
  const columns = LINE - NUMBER_COLUMNS;
  if (text === undefined) return [titleOf(request, say, columns)];
  const words = text === null ? null : wordsOf(text, say);
  const about = words?.startsWith(request.about) ? '' : request.about;
  return [titleOf({ ...request, about }, say, columns), gist(words, say)];
}

/** The number before a title, which the tick has for its label. */
const NUMBER_COLUMNS = 4;
const QUOTE_COLUMNS = 2;

/** The quoted words have no quotation marks, so that nobody takes anything in them for our words. */
function gist(words: string | null, say: Say): string {
  if (words === null) return `_${say('card.no-text')}_`;
  return words === ''
    ? `_${say('card.empty-text')}_`
    : say('text.quoted', { text: escapeMrkdwn(cutToWidth(words, LINE - QUOTE_COLUMNS)) });
}

/** Returns the beginning of a text as one line. A line without a mark at its end, such as a heading, gets a dash. */
function wordsOf(text: string, say: Say): string {
  return excerptOf(text, { structure: structureOf(text), most: READ_LENGTH, say })
    .trim()
    .replace(/(?<=[\p{L}\p{N})])\s*\n\s*/gu, ' – ')
    .replace(/\s+/g, ' ')
    .replace(/[„“”«»]/g, '’');
}
