// Writes the ledger entries of a run as sentences, the same in Slack (*History*) and on the command line (`npm run audit`).
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
import { type ConditionTexts, type PolicyConditions, rulesAt } from '../../../core/policy/explained.ts';
import { HANDED_OVER } from '../../../core/policy/permits.ts';
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
  /** Names a person or user group, by its id or name in the ledger. */
  name: (idOrName: string) => string;
  /** Puts the text of others on one line. */
  foreign: (text: string) => string;
  /** Puts an instant into a sentence. */
  moment: (at: Millis, sentence: (at: string) => string) => string;
  /** Returns an answer by its hash in the ledger. Null if it isn't stored any more. */
  answer?: (sha256: string) => string | null;
}

export interface Sentence {
  at: Millis;
  text: string;
}

/** Returns the entries of one run or crew as sentences, oldest first. Texts are named by task and round. */
export function storyOf(
  entries: readonly Entry[],
  wording: Wording,
  conditions: PolicyConditions = new Map(),
): Sentence[] {
  const events = entries as readonly (Entry & LedgerEvent)[];
  const summary = summaryOf(events);
  // The rules of a request stand with its first entry, and again with each entry for which they differ.
  const lastRules = new Map<string, string>();
  return events.map((event, i) => {
    const telling = { ...wording, summary, isFirst: i === summary.first };
    const { facts } = event;
    const sentence = sentenceOf(event, telling);
    if (!('seen' in facts) || !facts.seen) return { at: event.at, text: sentence };
    const rules = rulesText(facts.seen, conditions.get(facts.policy) ?? { when: [], tasks: [] }, telling);
    const isSaid = lastRules.get(facts.approval) === rules;
    lastRules.set(facts.approval, rules);
    return { at: event.at, text: isSaid ? sentence : [sentence, rules].filter(Boolean).join(' ') };
  });
}

/** Says which rules applied, by which conditions, and which values these saw. */
function rulesText({ possible, values }: SeenFacts, texts: ConditionTexts, telling: Telling): string {
  const { say, name, foreign } = telling;
  const seenValues = Object.entries(values).map(([key, value]) => {
    const text = key === 'starter' ? name(String(value)) : foreign(String(value));
    return `${foreign(inputOf(key) ?? key)}: ${text}`;
  });
  const saw = seenValues.length === 0 ? '' : ` (${listed(seenValues, say)})`;
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

/** Returns the crew and channel of a run, as its entries have them. */
export function runOf(entries: readonly Entry[]): { crew: string; channel: string } | null {
  const entry = entries.findLast(({ kind }) => kind === 'asked');
  return entry && 'output' in entry.facts ? { crew: entry.facts.crew, channel: entry.facts.channel } : null;
}

interface RunSummary {
  crew: string | null;
  /** Index of the first entry that asks. */
  first: number;
  /** Requests by their ids. A task has a name as soon as any of its rounds has one. */
  requests: ReadonlyMap<string, { task: string | null; round: number; isFetched: boolean }>;
}

function summaryOf(events: readonly LedgerEvent[]): RunSummary {
  const requests = events.flatMap(({ kind, facts }) => (kind === 'asked' ? [facts] : []));
  const tasks = events.flatMap(({ kind, facts }) => (kind === 'asked' || kind === 'named' ? [facts.task] : []));
  const names = new Map(tasks.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
  return {
    crew: requests[0]?.crew ?? null,
    first: events.findIndex(({ kind }) => kind === 'asked'),
    requests: new Map(
      requests.map(({ approval, task, round, destination }) => [
        approval,
        { task: names.get(task.id) ?? null, round, isFetched: destination === 'poll' },
      ]),
    ),
  };
}

interface Telling extends Wording {
  summary: RunSummary;
  /** True for the first entry that asks. */
  isFirst: boolean;
}

function sentenceOf(event: LedgerEvent, telling: Telling): string {
  const { say, name, summary, foreign } = telling;
  const { facts } = event;
  const task = 'approval' in facts && facts.approval !== null ? requestOf(facts.approval, telling) : '';
  const stage = 'stage' in facts ? facts.stage : undefined;
  const request = stage === undefined ? task : say('history.in-stage', { request: task, stage: foreign(stage) });
  const crew = summary.crew === null ? say('history.the-crew') : foreign(summary.crew);
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
        : say('history.lapsed', {
            name: name(event.facts.by),
            request,
            reason: reasonSentence(event.facts.reason, telling),
          });
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
    case 'reminded': {
      const { number, mentioned } = event.facts;
      return say('history.reminded', { number, request, people: list(mentioned, telling) });
    }
    case 'escalated':
      return say('history.escalated', { request, people: list(event.facts.to, telling) });
    case 'expired':
      return say(event.facts.outcome === 'close' ? 'history.expired-closed' : 'history.expired', { request });
    case 'cancelled':
      return say(event.facts.replaced_by === undefined ? 'history.cancelled' : 'history.replaced', { request });
    case 'sent': {
      const { approval, attempt } = event.facts;
      if (summary.requests.get(approval)?.isFetched) return say('history.ready', { request });
      return say(attempt === 1 ? 'history.sent' : 'history.sent-again', { request, crew, attempt });
    }
    case 'confirmed':
      if (summary.requests.get(event.facts.approval)?.isFetched) return say('history.fetched', { request });
      return say(event.facts.proof === 'accepted' ? 'history.accepted' : 'history.went-on', { crew, request });
    case 'not-confirmed':
      return say('history.not-confirmed', { crew, request });
    case 'lost':
      return lostText(event.facts, { request, telling });
    case 'tried': {
      const { name: taskName, id } = event.facts.task;
      return say('history.tried', { crew: foreign(event.facts.crew), task: foreign(taskName ?? id) });
    }
    case 'policy': {
      const { crew: owner, policy } = event.facts;
      return say('history.policy', { crew: foreign(owner), policy: policy.slice(0, POLICY_LENGTH) });
    }
  }
}

/** A hash of this length is enough to find the policy in an export. */
const POLICY_LENGTH = 12;

function requestOf(approval: string, { summary, foreign, say }: Telling): string {
  const { task, round } = summary.requests.get(approval) ?? { task: null, round: 1 };
  if (task === null)
    return round > 1
      ? say('history.request-unnamed-round', { number: approval, round })
      : say('history.request-unnamed', { number: approval });
  const taskText = foreign(task);
  return round > 1 ? say('history.request-round', { task: taskText, round }) : say('text.quoted', { text: taskText });
}

interface About {
  request: string;
  telling: Telling;
}

/** The first request also says how the run began, because no entry does. */
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

/** Adds the answer while it is stored, or the chosen outcome. */
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

/** Says what the database has lost, and whether the crew may have it all the same. */
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
    reason: reasonSentence(reason, telling),
  };
  return times === undefined ? say('history.refused', tried) : say('history.refused-again', { ...tried, count: times });
}

/** Says why an attempt changed nothing, or why a vote no longer counted. */
function reasonSentence(reason: string, { say, foreign }: Telling): string {
  const key = `history.why-${reason}`;
  return hasWords<`history.why-${Reason}`>(key) ? say(key) : foreign(reason);
}

/** Kinds of refusals without an entry: the person hasn't really tried yet. */
type Unentered =
  | 'denied'
  | 'facts-needed'
  | 'feedback-missing'
  | 'reason-missing'
  | 'note-missing'
  | 'too-soon'
  | 'sign-in-needed';

type Reason = LapsedVote['denial']['kind'] | Exclude<Refusal['kind'], Unentered>;

/** Entries of another version may have no words here. */
function hasWords<Key extends MessageKey>(key: string): key is Key {
  return Object.hasOwn(CATALOGUES.en, key);
}

function addedText({ by, to, until }: LedgerFacts['handed-over'], { request, telling }: About): string {
  const { say, name, moment } = telling;
  return say('history.added', {
    name: name(by),
    to: name(to),
    request,
    until: until === undefined ? '' : moment(until, (at) => say('history.added-until', { at })),
  });
}

/** Names a person, and the right that they used, unless it is simply that they are themselves or in the workspace. */
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
