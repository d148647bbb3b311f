// What lists say of a request: its title, who asks, how long it has waited, and the beginning of its text.

import { expiresSoonAt } from '../../../core/inbox/inbox.ts';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import { handOversUnder, type Policy } from '../../../core/policy/policy.ts';
import { type Progress, progressOf } from '../../../core/policy/progress.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { requestTitle, stageName } from '../../request/card-state.ts';
import { startedBy } from '../../request/status-text.ts';
import { nameIn } from '../../ui/person.ts';
import { channelMention } from '../../ui/place.ts';
import { cut, cutLine, escapedLine } from '../../ui/text/escape.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { duration } from '../../ui/text/moment.ts';
import type { HomeDetails } from './model.ts';

/** Task, crew, and what it is about. Escaped mrkdwn. */
export function titleOf({ run, taskName, about, round }: OpenRequest, say: Say): string {
  return requestTitle({ crew: run.crew, taskName, about, round }, say);
}

const SPOKEN = { about: 30, task: 20 };

type NamedRequest = Pick<OpenRequest, 'taskName' | 'about'> & { run: { crew: string } };

/** A few words for each of the requests of a page, which tell them apart where only a label is read out. Plain text. */
export function shortNames(requests: readonly NamedRequest[]): string[] {
  const names = requests.map(({ run, taskName, about }) => {
    const words = [cutLine(about, SPOKEN.about), cutLine(taskName ?? '', SPOKEN.task)].filter(Boolean).join(', ');
    return words || cutLine(run.crew, SPOKEN.about);
  });
  return toldApart(names);
}

/** Those that are alike get a number. */
export function toldApart(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const alike = (upTo: number) => names.slice(0, upTo).filter((other) => other === name).length;
    return alike(names.length) === 1 ? name : `${name} (${alike(i + 1)})`;
  });
}

/** Who asks, where, how long it has waited, and what has happened since. Escaped mrkdwn. */
export function requestLine(request: OpenRequest, details: HomeDetails): string {
  const { run } = request;
  const { say, name, now } = details;
  return [
    startedBy(run, { name, say }),
    channelMention(run.channel),
    waitingText(request, now, say),
    ...marks(request, details),
  ].join(' · ');
}

/** How long a request has waited and, within a day, how long it still will. Changes seldom: each change is published. */
export function waitingText(request: OpenRequest, now: Millis, say: Say): string {
  const waitedMs = inSteps(now - request.askedAt);
  const waited = waitedMs === 0 ? say('home.just-asked') : say('home.waits', { duration: duration(waitedMs, say) });
  const expireAt = expiresSoonAt(request, now);
  if (expireAt === null) return waited;
  const leftMs = inSteps(expireAt - now);
  const expires = leftMs === 0 ? say('home.expires-at-once') : say('home.expires', { duration: duration(leftMs, say) });
  return `${waited} · *${expires}*`;
}

const STEPS = [DAY_MS, HOUR_MS, 5 * MINUTE_MS];

/** In whole days, hours or five minutes. */
function inSteps(ms: Millis): Millis {
  const step = STEPS.find((each) => ms >= each);
  return step === undefined ? 0 : Math.floor(ms / step) * step;
}

function marks(request: OpenRequest, { personId, policiesOf, name, now, say }: HomeDetails): string[] {
  const { run, repeatsRound, voters } = request;
  const policies = policiesOf(request);
  const isEscalated = policies.some((policy) => policy.isEscalated);
  const votes = request.countedAs ?? voters.map(() => ({}));
  const [progress] = policies
    .map((policy) => progressOf(policy, votes))
    .toSorted((one, other) => missing(other) - missing(one));
  const handOvers = handOversUnder(policies, request.handedOver);
  const handed = handOvers.findLast(({ to, until }) => to.id === personId && (until === null || now < until));
  return [
    ...stageMark(policies[0], say),
    ...(progress && progress.needed > 1
      ? [say('home.approvals', { count: progress.given, quorum: progress.needed })]
      : []),
    ...(isEscalated ? [say('home.escalated')] : []),
    ...(handed
      ? [say(handed.until === null ? 'direct.handed-over' : 'direct.stands-in', { name: nameIn(name, handed.by) })]
      : []),
    ...(repeatsRound === null ? [] : [say('home.repeats', { round: repeatsRound })]),
    ...(run.crewMissing ? [`🔌 ${say('missing-crew.short')}`] : []),
  ];
}

function missing({ needed, given }: Progress): number {
  return needed - given;
}

function stageMark(policy: Policy | undefined, say: Say): string[] {
  const { stages = [], stage = 0 } = policy ?? {};
  const open = stages.length > 1 ? stages[stage] : undefined;
  if (!open) return [];
  return [say('home.stage', { number: stage + 1, count: stages.length, stage: stageName(open.name) })];
}

const LINES = 2;
const LINE_LIMIT = 160;
/** Marks of Markdown are left out of it. */
const READ_LENGTH = 900;

/**
 * The beginning of an output in two lines, quoted, so that nothing in it can be taken for our words, and how much there is of it.
 * Escaped mrkdwn.
 */
export function gist(text: string | null, say: Say): string {
  if (text === null) return `_${say('card.no-text')}_`;
  const lines = plainWords(cut(text, READ_LENGTH))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, LINES).map((line) => cutLine(line, LINE_LIMIT));
  if (shown.length === 0) return `_${say('card.empty-text')}_`;
  const isShort = lines.length <= LINES && lines.every((line) => line.length <= LINE_LIMIT - 3);
  const isWhole = text.length <= READ_LENGTH && isShort && lastWord(text) === lastWord(lines.join('\n'));
  return [
    ...shown.map((line) => `> ${escapedLine(line, LINE_LIMIT)}`),
    ...(isWhole ? [] : [say('home.beginning', { count: text.length })]),
  ].join('\n');
}

/** A heading or an address at the end of a text is left out of its words. */
function lastWord(text: string): string | undefined {
  return text.match(/[\p{L}\p{N}]+/gu)?.at(-1);
}
