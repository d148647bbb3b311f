// What the ledger tells of a run, as sentences: the same in Slack and on the command line.

import type {
  Entry,
  LedgerEvent,
  LedgerFacts,
  ProofFacts,
  RightFacts,
  SeenFacts,
  VoteFacts,
} from '../../../core/ledger/entry.ts';
import { inputOf } from '../../../core/policy/condition.ts';
import { HANDED_OVER } from '../../../core/policy/evaluate.ts';
import { type ConditionTexts, type PolicyConditions, rulesAt } from '../../../core/policy/explained.ts';
import { parseApprover } from '../../../core/policy/policy.ts';
import type { Action, Refusal } from '../../../core/policy/refusal.ts';
import type { LapsedVote } from '../../../core/policy/verdict.ts';
import type { Millis } from '../../../core/values/time.ts';
import { CATALOGUES, type MessageKey } from '../../language/catalogues.ts';
import type { Say } from '../../language/say.ts';
import { listed } from '../../ui/person.ts';
import { durationInWords } from '../../ui/text/moment.ts';

export interface Wording {
  say: Say;
  /** A person or user group, by the id or the name that the ledger has. */
  name: (idOrName: string) => string;
  /** Text of others, on one line. */
  foreign: (text: string) => string;
  moment: (at: Millis) => string;
  /** An answer by the hash that the ledger has of it; null if it isn't stored any more. */
  answer?: (sha256: string) => string | null;
}

export interface Sentence {
  at: Millis;
  text: string;
}

/** One run's entries, or those of a crew, each as a sentence; oldest first. Texts are named by task and round. */
export function storyOf(
  entries: readonly Entry[],
  wording: Wording,
  conditions: PolicyConditions = new Map(),
): Sentence[] {
  const events = entries as readonly (Entry & LedgerEvent)[];
  const known = knownFrom(events);
  const counted = createCounted(conditions);
  return events.map((event, i) => {
    const telling = { ...wording, known, isFirst: i === known.first };
    return { at: event.at, text: [sentenceOf(event, telling), counted(event, telling)].filter(Boolean).join(' ') };
  });
}

/** Says which conditions counted for a request, and what they saw: with its first entry, and whenever that has changed since. */
function createCounted(conditions: PolicyConditions): (event: LedgerEvent, telling: Telling) => string {
  const said = new Map<string, string>();
  return ({ facts }, telling) => {
    if (!('seen' in facts) || !facts.seen) return '';
    const { approval, policy, seen } = facts;
    const text = countedText(seen, conditions.get(policy) ?? { when: [], tasks: [] }, telling);
    if (said.get(approval) === text) return '';
    said.set(approval, text);
    return text;
  };
}

function countedText({ possible, values }: SeenFacts, texts: ConditionTexts, telling: Telling): string {
  const { say, name, foreign } = telling;
  const shown = Object.entries(values).map(([key, value]) => {
    const text = key === 'starter' ? name(String(value)) : foreign(String(value));
    return `${foreign(inputOf(key) ?? key)}: ${text}`;
  });
  const saw = shown.length === 0 ? '' : ` (${listed(shown, say)})`;
  const rules = possible.map((place) => {
    const { pattern, condition } = rulesAt(texts, place);
    if (condition !== null) return say('history.condition', { condition: foreign(condition) });
    if (place === '') return say('history.usual-rules');
    return pattern === null
      ? say('history.rules-at', { place })
      : say('history.task-rules', { task: foreign(pattern) });
  });
  return say('history.rules', { count: rules.length, rules: listed(rules, say), saw });
}

/** Which run it is, as far as its entries tell. */
export function runOf(entries: readonly Entry[]): { crew: string; channel: string } | null {
  const asked = entries.findLast(({ kind }) => kind === 'asked');
  return asked && 'output' in asked.facts ? { crew: asked.facts.crew, channel: asked.facts.channel } : null;
}

interface Known {
  crew: string | null;
  /** Which entry asks first. */
  first: number;
  /** By their numbers. A task has a name as soon as any of its rounds has one. */
  requests: ReadonlyMap<string, { task: string | null; round: number; isFetched: boolean }>;
}

function knownFrom(events: readonly LedgerEvent[]): Known {
  const asked = events.flatMap(({ kind, facts }) => (kind === 'asked' ? [facts] : []));
  const tasks = events.flatMap(({ kind, facts }) => (kind === 'asked' || kind === 'named' ? [facts.task] : []));
  const names = new Map(tasks.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
  return {
    crew: asked[0]?.crew ?? null,
    first: events.findIndex(({ kind }) => kind === 'asked'),
    requests: new Map(
      asked.map(({ approval, task, round, destination }) => [
        approval,
        { task: names.get(task.id) ?? null, round, isFetched: destination === 'poll' },
      ]),
    ),
  };
}

interface Telling extends Wording {
  known: Known;
  /** Of those that ask. */
  isFirst: boolean;
}

function sentenceOf(event: LedgerEvent, telling: Telling): string {
  const { say, name, known } = telling;
  const { facts } = event;
  const asked = 'approval' in facts && facts.approval !== null ? requestOf(facts.approval, telling) : '';
  const stage = 'stage' in facts ? facts.stage : undefined;
  const request =
    stage === undefined ? asked : say('history.in-stage', { request: asked, stage: telling.foreign(stage) });
  const crew = known.crew === null ? say('history.the-crew') : telling.foreign(known.crew);
  switch (event.kind) {
    case 'asked':
      return askedText(event.facts, { request, crew, telling });
    case 'named':
      return say('history.named', { crew, request });
    case 'voted':
      return votedText(event.facts, { request, telling });
    case 'edited':
      return say('history.edited', { name: name(event.facts.by), request });
    case 'withdrawn':
      return event.facts.reason === 'own'
        ? say('history.withdrawn', { name: name(event.facts.by), request })
        : say('history.lapsed', { name: name(event.facts.by), request, reason: whyText(event.facts.reason, telling) });
    case 'decided':
      return decidedText(event.facts, { request, telling });
    case 'refused':
      return refusedText(event.facts, { request, telling });
    case 'undone':
      return say('history.undone', { name: name(event.facts.by), request });
    case 'handed-over':
      return addedText(event.facts, { request, telling });
    case 'taken-back':
      return say('history.taken-back', { name: name(event.facts.by), to: name(event.facts.to), request });
    case 'revealed':
      return say('history.revealed', { name: name(event.facts.by), count: event.facts.secrets, request });
    case 'reminded':
      return say('history.reminded', {
        number: event.facts.number,
        request,
        people: list(event.facts.mentioned, telling),
      });
    case 'escalated':
      return say('history.escalated', { request, people: list(event.facts.to, telling) });
    case 'expired':
      return say(event.facts.outcome === 'close' ? 'history.expired-closed' : 'history.expired', { request });
    case 'cancelled':
      return say(event.facts.replaced_by === undefined ? 'history.cancelled' : 'history.replaced', { request });
    case 'sent': {
      const { attempt } = event.facts;
      if (isFetched(event.facts, known)) return say('history.ready', { request });
      return attempt === 1
        ? say('history.sent', { request, crew })
        : say('history.sent-again', { request, crew, attempt });
    }
    case 'confirmed':
      if (isFetched(event.facts, known)) return say('history.fetched', { request });
      return say(event.facts.proof === 'accepted' ? 'history.accepted' : 'history.went-on', { crew, request });
    case 'not-confirmed':
      return say('history.not-confirmed', { crew, request });
    case 'lost':
      return lostText(event.facts, { request, telling });
    case 'tried':
      return say('history.tried', {
        crew: telling.foreign(event.facts.crew),
        task: telling.foreign(event.facts.task.name ?? event.facts.task.id),
      });
    case 'policy':
      return say('history.policy', {
        crew: telling.foreign(event.facts.crew),
        policy: event.facts.policy.slice(0, POLICY_LENGTH),
      });
  }
}

/** Whether whoever asked fetches the decision. */
function isFetched({ approval }: { approval: string }, { requests }: Known): boolean {
  return requests.get(approval)?.isFetched ?? false;
}

/** Enough to find it in an export. */
const POLICY_LENGTH = 12;

function requestOf(approval: string, { known, foreign, say }: Telling): string {
  const { task, round } = known.requests.get(approval) ?? { task: null, round: 1 };
  if (task === null)
    return round > 1
      ? say('history.request-unnamed-round', { number: approval, round })
      : say('history.request-unnamed', { number: approval });
  const named = foreign(task);
  return round > 1 ? say('history.request-round', { task: named, round }) : say('text.quoted', { text: named });
}

interface About {
  request: string;
  telling: Telling;
}

/** The first request also tells how the run began, of which there is no entry. */
function askedText(
  { starter }: LedgerFacts['asked'],
  { request, crew, telling: { isFirst, say, name } }: About & { crew: string },
): string {
  if (!isFirst) return say('history.asked', { crew, request });
  return starter === null
    ? say('history.asked-outside', { crew, request })
    : say('history.asked-first', { name: name(starter), crew, request });
}

function votedText({ completes, outcome, answer, ...vote }: LedgerFacts['voted'], { request, telling }: About): string {
  const { say } = telling;
  const voted = { who: who(vote, telling), request };
  if (completes === undefined) return withChosen(say('history.voted', voted), { outcome, answer }, telling);
  const others = completes.flatMap(({ votes }) => votes.filter(({ by }) => by !== vote.by));
  const voters = say.list([...new Set(others.map((each) => who(each, telling)))]);
  const text =
    others.length === 0 ? say('history.completed', voted) : say('history.completed-after', { ...voted, voters });
  return withChosen(text, { outcome, answer }, telling);
}

/** An answer is told as long as it is stored. */
function withChosen(
  text: string,
  { outcome, answer }: Pick<LedgerFacts['decided'], 'outcome' | 'answer'>,
  { say, foreign, answer: answerOf = () => null }: Telling,
): string {
  const answered = answer && answerOf(answer.sha256);
  if (answered) return `${text} ${say('history.answer', { answer: foreign(answered) })}`;
  return outcome === undefined ? text : `${text} ${say('history.outcome', { outcome: foreign(outcome) })}`;
}

function decidedText(
  { verdict, outcome, answer, by, votes, undo_ms, edited }: LedgerFacts['decided'],
  { request, telling }: About,
): string {
  const { say } = telling;
  if (by === null) return say('history.rejected-by-nobody', { request });
  const decided = { who: who(by, telling), request };
  const voters = say.list(votes.map((vote) => who(vote, telling)));
  const plain =
    votes.length === 0
      ? say(`history.${verdict}`, decided)
      : say(`history.${verdict}-after-votes`, { ...decided, voters });
  const chosen = withChosen(plain, { outcome, answer }, telling);
  const text = edited ? `${chosen} ${say('history.as-edited')}` : chosen;
  return undo_ms === 0 ? text : `${text} ${say('history.undo-for', { duration: durationInWords(undo_ms, say) })}`;
}

/** What the database has lost, and whether the crew may have it all the same. */
function lostText({ by, verdict, attempts }: LedgerFacts['lost'], { request, telling }: About): string {
  const { say, name } = telling;
  const what =
    by === null
      ? say('history.lost-of-nobody', { request })
      : say(`history.lost-${verdict}`, { name: name(by), request });
  return `${what} ${attempts === 0 ? say('history.lost-unsent', { request }) : say('history.lost-sent')}`;
}

function refusedText({ by, action, reason, times }: LedgerFacts['refused'], { request, telling }: About): string {
  const { say, name, foreign } = telling;
  const key = `history.try-${action}`;
  const tried = {
    name: name(by),
    action: hasWords<`history.try-${Action | 'start'}`>(key) ? say(key, { request }) : foreign(action),
    reason: whyText(reason, telling),
  };
  return times === undefined ? say('history.refused', tried) : say('history.refused-again', { ...tried, count: times });
}

/** Why an attempt changed nothing, or a vote no longer counted. */
function whyText(reason: string, { say, foreign }: Telling): string {
  const key = `history.why-${reason}`;
  return hasWords<`history.why-${Reason}`>(key) ? say(key) : foreign(reason);
}

/** Those that aren't attempts yet have no entry. */
type Unentered =
  | 'denied'
  | 'facts-needed'
  | 'feedback-missing'
  | 'reason-missing'
  | 'note-missing'
  | 'too-soon'
  | 'sign-in-needed';

type Reason = LapsedVote['denial']['kind'] | Exclude<Refusal['kind'], Unentered>;

/** What another version wrote may have no words here. */
function hasWords<Key extends MessageKey>(key: string): key is Key {
  return Object.hasOwn(CATALOGUES.en, key);
}

function addedText({ by, to, until }: LedgerFacts['handed-over'], { request, telling }: About): string {
  const { say, name, moment } = telling;
  return say('history.added', {
    name: name(by),
    to: name(to),
    request,
    until: until === undefined ? '' : say('history.added-until', { at: moment(until) }),
  });
}

/** A person, and by what they counted where that isn't plain: that they are themselves, or in the workspace. */
function who({ for: given, proof, ...own }: VoteFacts, telling: Telling): string {
  const { say, name } = telling;
  const right = given
    ? [say('history.for', { name: name(given.by) }), ...rightWords(given, telling)]
    : rightWords(own, telling);
  const { seat } = own;
  const isSaid = seat === undefined || seat === (given ?? own).rule;
  const place = isSaid ? [] : [say('history.seat', { seat: approverText(seat, telling) })];
  const why = [...right, ...place, ...(proof ? [proofWords(proof, telling)] : [])];
  return why.length === 0 ? name(own.by) : say('history.who', { name: name(own.by), why: why.join(', ') });
}

function proofWords({ iss, acr }: ProofFacts, { say, foreign }: Telling): string {
  const issuer = foreign(iss.replace(/^https?:\/\//, ''));
  return acr === null
    ? say('history.signed-in', { issuer })
    : say('history.signed-in-by', { issuer, acr: foreign(acr) });
}

function rightWords({ rule, account }: RightFacts, telling: Telling): string[] {
  return [...ruleWords(rule, telling), ...(account === 'member' ? [] : [telling.say(`history.${account}`)])];
}

function ruleWords(rule: string, { say, name }: Telling): string[] {
  if (rule === HANDED_OVER) return [say('history.as-added')];
  switch (parseApprover(rule)?.kind) {
    case 'group':
    case 'handle':
      return [say('history.as-rule', { rule: name(rule) })];
    case 'channel':
      return [say('history.as-channel')];
    case 'person':
    case 'email':
    case 'workspace':
    case 'input':
    case undefined:
      return [];
  }
}

function list(names: readonly string[], telling: Telling): string {
  const words = names.map((each) => approverText(each, telling));
  return words.length === 0 ? telling.say('who.nobody') : listed(words, telling.say);
}

function approverText(approver: string, { say, name }: Telling): string {
  switch (parseApprover(approver)?.kind) {
    case 'workspace':
      return say('who.workspace');
    case 'channel':
      return say('who.this-channel');
    case 'person':
    case 'email':
    case 'group':
    case 'handle':
    case 'input':
    case undefined:
      return name(approver);
  }
}
