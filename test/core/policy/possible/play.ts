// Plays a request through the transitions of the core, and follows it with the oracle by each of the rules that may apply.

import fc from 'fast-check';
import { expect } from 'vitest';
import { dueActionsAt } from '../../../../src/core/due-actions.ts';
import { type LedgerEvent, sha256 } from '../../../../src/core/ledger/entry.ts';
import type { Account, Facts } from '../../../../src/core/policy/permits.ts';
import type { CrewPolicy } from '../../../../src/core/policy/policy.ts';
import type { Refusal } from '../../../../src/core/policy/refusal.ts';
import { findRules } from '../../../../src/core/policy/rules.ts';
import { ask } from '../../../../src/core/request/ask.ts';
import type { Choice } from '../../../../src/core/request/choice.ts';
import { decide } from '../../../../src/core/request/decide.ts';
import { handOver } from '../../../../src/core/request/hand-over.ts';
import { judgeVotes, nameTask } from '../../../../src/core/request/name-task.ts';
import { undo, withdraw } from '../../../../src/core/request/retract.ts';
import { escalate } from '../../../../src/core/request/timers.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import {
  type HumanRequest,
  hasStatus,
  type Output,
  type Person,
  type RequestIn,
  type Vote,
} from '../../../../src/core/state/request.ts';
import type { Result } from '../../../../src/core/values/result.ts';
import { execution, request } from '../../../support/executions.ts';
import { frozen } from '../../../support/frozen.ts';
import { account, START } from '../../../support/requests.ts';
import { valueFrom } from '../../../support/value-from.ts';
import { approvalIn } from '../runner/scene.ts';
import {
  atFirst,
  type CastVote,
  type Dealing,
  deal,
  endings,
  human,
  type Known,
  type Moment,
  mayApply,
  rightsOf,
  type State,
} from './oracle.ts';
import { type CrewRulesSpec, crewRules, ESCALATE_MS, type PlainRules, policyOf } from './rules.ts';

const SAID: Record<string, Partial<Account>> = {
  // Started the run, and has two accounts.
  UANNA: { identities: ['UANNA', 'anna@example.com'] },
  UANNA2: { identities: ['UANNA2', 'anna@example.com'] },
  UBEN: {},
  UCARA: {},
  UDAN: {},
  UEVA: {},
  UGUEST: { isGuest: true },
};
const IDS = Object.keys(SAID);
const STARTER = 'UANNA';
const MEMBERS: Record<string, string[]> = {
  '@leads': ['UANNA', 'UBEN', 'UDAN', 'UGUEST'],
  '@legal': ['UCARA', 'UBEN'],
  '@heads': ['UEVA', 'UDAN', 'UANNA2'],
  channel: ['UBEN', 'UEVA', 'UCARA', 'UGUEST'],
};

const person = fc.constantFrom(...IDS);
const group = fc.constantFrom(...Object.keys(MEMBERS));

function weighted<Kind extends string, Model extends object>(
  weight: number,
  kind: Kind,
  model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> },
) {
  return { weight, arbitrary: fc.record(model).map((more) => ({ kind, ...more })) };
}

const move = fc.oneof(
  weighted(40, 'approves', { id: person, place: fc.nat(9), isSigned: fc.constantFrom(true, true, true, false) }),
  weighted(3, 'approves with edits', { id: person, place: fc.nat(9), isSigned: fc.constantFrom(true, true, false) }),
  weighted(4, 'withdraws', { id: person }),
  weighted(5, 'hands over', { id: person, to: person }),
  weighted(4, 'joins or leaves', { id: person, group }),
  weighted(1, 'is deactivated or back', { id: person }),
  weighted(1, 'can’t be told of, or can again', { name: fc.oneof(person, group) }),
  weighted(5, 'is named', {
    name: fc.constantFrom('publish', 'draft', 'print', 'other'),
    isJudgedAtOnce: fc.constantFrom(true, true, false),
  }),
  weighted(5, 'is judged', {}),
  weighted(4, 'time passes', { ms: fc.constantFrom(1_000, ESCALATE_MS) }),
  weighted(2, 'undoes', { id: person }),
  weighted(1, 'rejects', { id: person }),
  weighted(1, 'declines', { id: person }),
);

type Move = typeof move extends fc.Arbitrary<infer Each> ? Each : never;

interface Beginning {
  spec: CrewRulesSpec;
  name: string | null;
  isTitled: boolean;
  amount: number | null;
  owner: string | null;
}

/** Beginnings and what happens then. */
export const plays = fc.tuple(
  fc.record<Beginning>({
    spec: crewRules,
    name: fc.constantFrom(null, null, null, null, null, 'publish', 'other'),
    isTitled: fc.constantFrom(false, false, false, false, false, true),
    amount: fc.constantFrom(null, null, 9),
    owner: fc.constantFrom(null, 'UBEN', 'UANNA'),
  }),
  fc.array(move, { minLength: 5, maxLength: 25, size: 'max' }),
);

/** A request that is played, and what the oracle makes of it. */
export interface Played {
  beginning: Beginning;
  policy: CrewPolicy;
  execution: Execution;
  facts: Facts;
  now: number;
  /** The rules that may still apply, by their places, and the ways in which the votes may have been dealt to them. */
  rules: Map<string, PlainRules>;
  states: Map<string, readonly State[]>;
  known: Known;
  /** What has happened, for the sample to have all of it in it. */
  happened: string[];
  /** What the ledger is told, from the question on. */
  entered: readonly LedgerEvent[];
}

const nameOf = (id: string): Person => ({ id, name: id.slice(1).toLowerCase() });

export function begin(beginning: Beginning): Played {
  const { spec, name, isTitled, amount, owner } = beginning;
  const policy = policyOf(spec);
  const inputs = { ...(amount !== null && { amount }), ...(owner !== null && { owner }) };
  const started = execution({ origin: { kind: 'command', by: nameOf(STARTER) }, inputs });
  const title = isTitled ? 'publish' : name;
  const asked = request({ taskId: 't1', taskName: title, isTitled });
  const waiting = valueFrom(ask(started, asked, START, { policy, hours: null }));
  const known = { taskId: 't1', taskName: isTitled && !spec.matchTitles ? null : title, amount, owner };
  const rules = mayApply(spec, known);
  const states = new Map([...rules.keys()].map((place) => [place, [atFirst(START)]]));
  const accounts = Object.fromEntries(IDS.map((id) => [id, account(id, SAID[id])]));
  const members = Object.fromEntries(Object.entries(MEMBERS).map(([each, ids]) => [each, new Set(ids)]));
  const facts = { accounts, members, connected: null };
  const entered = waiting.ledgerEvents;
  const open = frozen({ ...waiting, ledgerEvents: [] });
  return { beginning, policy, execution: open, facts, now: START, rules, states, known, happened: [], entered };
}

export const requestOf = ({ execution }: Played): HumanRequest => approvalIn(execution);

/** The rules that the bot takes for possible, by their places. */
export function placesOf({ policy, execution, now }: Played): string[] {
  const { policies } = findRules({ policy }, { execution, request: approvalIn(execution), now });
  return policies.map(({ place }) => place);
}

function momentOf({ facts, execution, beginning: { owner }, now }: Played): Moment {
  const gifts = approvalIn(execution).discussion.handedOver.map(({ by, to }) => ({ by: by.id, to: to.id }));
  return { facts, gifts, starterId: STARTER, owner, now };
}

const castBy = ({ discussion: { votes } }: HumanRequest): CastVote[] =>
  votes.map(({ by, signIn }) => ({ id: by.id, isSigned: signIn !== undefined }));

interface Dealt {
  place: string;
  rules: PlainRules;
  dealings: readonly Dealing[];
}

function dealAll(played: Played, votes: readonly CastVote[]): Dealt[] {
  return [...played.rules].map(([place, rules]) => {
    const states = played.states.get(place) ?? [];
    return { place, rules, dealings: states.flatMap((state) => deal(rules, state, votes, momentOf(played))) };
  });
}

/** Whether there is only one way to deal the votes: then the bot has to deal them so. */
const isClear = (dealt: readonly Dealt[]) => dealt.every(({ dealings }) => dealings.length === 1);
const mayBeComplete = ({ dealings }: Dealt) => dealings.some(({ isComplete }) => isComplete);
const countedIn = (dealt: readonly Dealt[]) =>
  new Set(dealt.flatMap(({ dealings }) => dealings.flatMap(({ counted }) => counted)));

const areClear = ({ states }: Played) => [...states.values()].every((all) => all.length === 1);

const isUnsure = ({ facts }: Played) =>
  [...Object.values(facts.accounts), ...Object.values(facts.members)].some((each) => each === null);

/** By which of the rules a person may decide the open step. */
function permittedBy(played: Played, id: string): string[] {
  const moment = momentOf(played);
  return [...played.rules].flatMap(([place, rules]) => {
    const states = played.states.get(place) ?? [];
    const may = states.some((state) => {
      const step = rules.steps[state.step];
      return step !== undefined && rightsOf(rules, step, state.isEscalated, id, moment).length > 0;
    });
    return may ? [place] : [];
  });
}

/** Plays one move, and expects of the bot what the oracle says. */
export function play(before: Played, move: Move): Played {
  const played = moved({ ...before, happened: [] }, move);
  const execution = frozen({ ...played.execution, ledgerEvents: [] });
  return { ...played, execution, entered: [...before.entered, ...played.execution.ledgerEvents] };
}

function moved(played: Played, move: Move): Played {
  const { execution, facts, now, policy } = played;
  const rules = { policy, hours: null };
  switch (move.kind) {
    case 'approves':
      return approved(played, voterOf(played, move), move.isSigned);
    case 'approves with edits':
      return approved(played, voterOf(played, move), move.isSigned, { hash: sha256(`edited ${++notes}`), length: 9 });
    case 'withdraws':
      return withdrawn(played, move.id);
    case 'hands over': {
      const by = { ...clickOf(played, move.id), to: nameOf(move.to) };
      const given = handOver(execution, '1', by, now);
      return given.ok ? { ...played, execution: given.value } : played;
    }
    case 'joins or leaves': {
      const members = facts.members[move.group] ?? new Set<string>();
      const others = [...members].filter((each) => each !== move.id);
      const changed = new Set(members.has(move.id) ? others : [...others, move.id]);
      return { ...played, facts: { ...facts, members: { ...facts.members, [move.group]: changed } } };
    }
    case 'is deactivated or back': {
      const was = facts.accounts[move.id];
      if (!was) return played;
      const changed = { ...was, isDeactivated: !was.isDeactivated };
      return { ...played, facts: { ...facts, accounts: { ...facts.accounts, [move.id]: changed } } };
    }
    case 'can’t be told of, or can again':
      return { ...played, facts: toldOrNot(facts, move.name) };
    case 'is named':
      return learnedThen(played, nameTask(execution, { taskId: 't1', name: move.name }, rules, now), move);
    case 'is judged':
      return judged(played);
    case 'time passes':
      return later({ ...played, now: now + move.ms });
    case 'undoes':
      return undone(played, move.id);
    case 'rejects':
      return rejected(played, move.id, { verdict: 'reject', feedback: 'no' });
    case 'declines':
      return rejected(played, move.id, { verdict: 'decline', feedback: 'no' });
  }
}

function clickOf({ facts, policy, execution }: Played, id: string) {
  return { by: nameOf(id), policy, facts, revision: approvalIn(execution).question.output.hash };
}

function toldOrNot({ accounts, members, connected }: Facts, name: string): Facts {
  if (name in accounts)
    return { accounts: { ...accounts, [name]: accounts[name] ? null : account(name, SAID[name]) }, members, connected };
  return { accounts, members: { ...members, [name]: members[name] ? null : new Set(MEMBERS[name]) }, connected };
}

/** Mostly one of those who may approve. */
function voterOf(played: Played, { id, place }: { id: string; place: number }): string {
  const permitted = place < 6 ? IDS.filter((each) => permittedBy(played, each).length > 0) : [];
  return permitted[place % Math.max(1, permitted.length)] ?? id;
}

let notes = 0;

/** What was approved before counts no longer, once the text is another one. */
function aboutOtherText(played: Played): Played {
  if (requestOf(played).discussion.stages.length === 0) return played;
  const states = new Map([...played.states.keys()].map((place) => [place, [atFirst(played.now)]]));
  return { ...played, states };
}

function approved(before: Played, id: string, signs: boolean, edited?: Output): Played {
  const { execution, now } = before;
  const was = requestOf(before);
  if (was.state.status !== 'pending') return before;
  const played = edited ? aboutOtherText(before) : before;
  const isSigned = signs || was.discussion.votes.some(({ by, signIn }) => by.id === id && signIn);
  const signIn = isSigned ? { issuer: 'https://login.example.com', subject: id, at: now, acr: null } : undefined;
  const note = `note ${++notes};`;
  const choice: Choice = { verdict: 'approve', feedback: edited ? null : note, text: note, edited };
  const result = decide(execution, '1', { ...clickOf(played, id), choice, signIn }, now);
  const others = (edited ? [] : castBy(was)).filter((each) => human(each.id) !== human(id));
  const dealt = dealAll(played, [...others, { id, isSigned }]);
  const asSigned = dealAll(played, [...others, { id, isSigned: true }]);
  const isSure = !edited && isClear(dealt) && isClear(asSigned) && !isUnsure(played);
  if (!result.ok) {
    if (isSure) expect(sayRefusal(result.refusal)).toBe(refusalOf(played, id, isSigned, asSigned));
    return { ...before, happened: [`refused: ${sayRefusal(result.refusal)}`] };
  }
  if (isSure) expect('counts').toBe(refusalOf(played, id, isSigned, asSigned));
  const is = approvalIn(result.value);
  if (hasStatus(is, 'decided')) {
    expect(dealt.map(({ place, ...each }) => [place, mayBeComplete(each as Dealt)])).toEqual(
      dealt.map(({ place }) => [place, true]),
    );
    if (isSure) expectNotes(played, is, dealt);
    return { ...played, execution: result.value, happened: [happenedIn('decided', played)] };
  }
  expect(is.state.status).toBe('pending');
  if (isSure) expect(dealt.every(mayBeComplete)).toBe(false);
  if (isSure) expect(castBy(is)).toEqual(votesLeft(played, [...others, { id, isSigned }], dealt));
  const states = new Map(dealt.map(({ place, dealings }) => [place, dealings.map(({ state }) => state)] as const));
  const steps = [...states.values()].flat().some(({ begunAt }) => begunAt === now && now !== START);
  return {
    ...played,
    execution: result.value,
    states,
    happened: [edited ? 'edited' : steps ? 'stage' : happenedIn('voted', played)],
  };
}

const happenedIn = (what: string, { rules }: Played) => `${what} by ${rules.size === 1 ? 'one' : 'several'}`;

function sayRefusal(refusal: Refusal): string {
  if (refusal.kind === 'denied') return refusal.denial.kind === 'right-used' ? 'right-used' : 'denied';
  return refusal.kind;
}

/** What is to become of an approval. */
function refusalOf(played: Played, id: string, isSigned: boolean, dealt: readonly Dealt[]): string {
  if (permittedBy(played, id).length === 0) return 'denied';
  const counting = dealt.filter((each) => countedIn([each]).has(id));
  if (counting.length === 0) return 'right-used';
  return counting.some(({ rules }) => rules.stepUp) && !isSigned ? 'sign-in-needed' : 'counts';
}

/** The votes that are kept: those that one of the rules counts, or may count in a later step. */
function votesLeft(played: Played, votes: readonly CastVote[], dealt: readonly Dealt[]): CastVote[] {
  const moment = momentOf(played);
  const isTaken = ({ id }: CastVote) =>
    dealt.some(({ rules, dealings }) =>
      dealings.some(
        ({ state, counted }) =>
          [...state.voters, ...counted].some((each) => human(each) === human(id)) ||
          rules.steps.slice(state.step + 1).some((step) => rightsOf(rules, step, false, id, moment).length > 0),
      ),
    );
  const isUsed = ({ id }: CastVote) =>
    dealt.every(({ dealings }) => dealings.every(({ state }) => state.voters.includes(id)));
  return votes.filter((vote) => isTaken(vote) && !isUsed(vote));
}

/** The crew hears the notes of those whose votes one of the rules counts, and of nobody else. */
function expectNotes(played: Played, is: RequestIn<'decided'>, dealt: readonly Dealt[]): void {
  const was = requestOf(played);
  const counted = countedIn(dealt);
  const used = dealt.flatMap(({ dealings }) => dealings.flatMap(({ state }) => state.voters));
  const before = was.discussion.stages.flatMap(({ votes }) => votes).filter(({ by }) => used.includes(by.id));
  const heard = [
    ...before,
    ...was.discussion.votes.filter(({ by }) => counted.has(by.id) && by.id !== is.state.decision.by?.id),
  ];
  const text = is.state.decision.text ?? '';
  for (const { feedback } of was.discussion.votes) {
    if (feedback === null) continue;
    if (heard.some((each) => each.feedback === feedback)) continue;
    if (is.state.decision.feedback !== feedback) expect(text).not.toContain(feedback);
  }
  // Whoever approved with edits, which have no note, and then again may have been counted with the first of these votes.
  const silent = heard.filter(({ feedback }) => feedback === null).map(({ by }) => by.id);
  const humans = new Set(heard.map(({ by }) => by.id).filter((each) => !silent.includes(each)));
  for (const each of humans) expect(text).toContain(`(${each})`);
}

function withdrawn(played: Played, id: string): Played {
  const { execution, now } = played;
  const result = withdraw(execution, '1', clickOf(played, id), now);
  if (!result.ok || result.value === execution) return played;
  const isBack = approvalIn(result.value).question.output.hash !== requestOf(played).question.output.hash;
  const after = isBack ? aboutOtherText(played) : played;
  return { ...after, execution: result.value, happened: [isBack ? 'edits withdrawn' : 'withdrawn'] };
}

function learned(played: Played, execution: Execution, name: string): Played {
  const [was, is] = [requestOf(played), approvalIn(execution)];
  const isNews = was.question.taskName === null && (was.state.status === 'pending' || was.state.status === 'decided');
  expect(is.question.taskName).toBe(isNews ? name : was.question.taskName);
  if (!isNews) return { ...played, execution };
  // Learning undoes nothing: not a decision, not a stage, not a vote.
  expect(is.state.status).toBe(was.state.status);
  expect([is.discussion.stages, is.discussion.takenBack]).toEqual([was.discussion.stages, was.discussion.takenBack]);
  if ('decision' in was.state && 'decision' in is.state) expect(is.state.decision).toEqual(was.state.decision);
  const known = { ...played.known, taskName: name };
  const rules = mayApply(played.beginning.spec, known);
  for (const place of rules.keys()) expect([...played.rules.keys()]).toContain(place);
  const isUsed = ({ by }: Vote) =>
    [...rules.keys()].every((place) => (played.states.get(place) ?? []).every(({ voters }) => voters.includes(by.id)));
  if (areClear(played)) expect(is.discussion.votes).toEqual(was.discussion.votes.filter((vote) => !isUsed(vote)));
  expect(is.discussion.judging !== null).toBe(is.state.status === 'pending' && is.discussion.votes.length > 0);
  return {
    ...played,
    execution,
    known,
    rules,
    happened: [is.discussion.judging ? 'named after votes' : `named ${is.state.status}`],
  };
}

/** A worker mostly looks at once. */
function learnedThen(
  played: Played,
  execution: Execution,
  { name, isJudgedAtOnce }: { name: string; isJudgedAtOnce: boolean },
): Played {
  const named = learned(played, execution, name);
  if (!isJudgedAtOnce) return named;
  const after = judged(named);
  return after === named ? named : { ...after, happened: [...named.happened, ...after.happened] };
}

function judged(played: Played): Played {
  const { execution, facts, policy, now } = played;
  const [due] = dueActionsAt(execution, now).filter(({ kind }) => kind === 'judge-votes');
  const was = requestOf(played);
  if (!due) return played;
  const after = judgeVotes(execution, '1', { policy, facts, text: 'Approved.' }, now);
  const is = approvalIn(after);
  const dealt = dealAll(played, castBy(was));
  if (hasStatus(is, 'decided')) {
    expect(dealt.every(mayBeComplete)).toBe(true);
    expect(is.state.decision).toMatchObject({ verdict: 'approve', at: now });
    expect(is.state.undoUntil).toBe(now + 10_000);
    if (isClear(dealt) && !isUnsure(played)) expectNotes(played, is, dealt);
    return { ...played, execution: after, happened: ['decided by learning'] };
  }
  expect([is.discussion.votes, is.discussion.stages]).toEqual([was.discussion.votes, was.discussion.stages]);
  if (!isUnsure(played)) expect(is.discussion.judging).toBeNull();
  if (is.discussion.judging !== null) expect(is.discussion.judging.notBefore).toBeGreaterThan(now);
  if (isClear(dealt) && !isUnsure(played)) expect(dealt.every(mayBeComplete)).toBe(false);
  return { ...played, execution: after, happened: [is.discussion.judging ? 'judged later' : 'judged incomplete'] };
}

function later(played: Played): Played {
  const { now, policy } = played;
  if (requestOf(played).state.status !== 'pending') return played;
  let { execution } = played;
  if (dueActionsAt(execution, now).some(({ kind }) => kind === 'escalate'))
    execution = escalate(execution, '1', { policy, hours: null }, now);
  expect(dueActionsAt(execution, now).filter(({ kind }) => kind === 'escalate')).toEqual([]);
  const states = new Map(
    [...played.states].map(([place, all]) => [
      place,
      all.map((state) => escalated(state, played.rules.get(place), now)),
    ]),
  );
  const places = [...played.rules.keys()].filter((place) => states.get(place)?.some(({ isEscalated }) => isEscalated));
  const stored = approvalIn(execution).discussion.times.escalations.map(({ rules }) => rules);
  if ([...states.values()].every((all) => all.length === 1))
    expect(stored.filter((place) => played.rules.has(place)).toSorted()).toEqual(places.toSorted());
  return { ...played, execution, states, happened: places.length > 0 ? ['escalated'] : [] };
}

function escalated(state: State, rules: PlainRules | undefined, now: number): State {
  const hasOthers = (rules?.steps[state.step]?.escalateTo ?? []).length > 0;
  return hasOthers && now >= state.begunAt + ESCALATE_MS ? { ...state, isEscalated: true } : state;
}

function undone(played: Played, id: string): Played {
  const { execution, now } = played;
  const was = requestOf(played);
  if (was.state.status !== 'decided') return played;
  const result: Result<Execution, Refusal> = undo(execution, '1', clickOf(played, id), now);
  const isTime = was.state.undoUntil !== null && now < was.state.undoUntil;
  const places = permittedBy(played, id);
  const may =
    was.state.decision.by?.id === id ||
    (was.state.decision.verdict === 'approve' ? places.length > 0 : places.length === played.rules.size);
  const isSure = !isUnsure(played) && areClear(played);
  if (isSure) expect(result.ok).toBe(isTime && may);
  if (!result.ok) return { ...played, happened: ['refused to undo'] };
  const is = approvalIn(result.value);
  if (
    was.state.decision.verdict === 'approve' &&
    was.question.edited &&
    was.question.edited.by.id === was.state.decision.by?.id
  ) {
    expect([is.state.status, is.question.output, is.discussion.votes, is.discussion.stages]).toEqual([
      'pending',
      was.question.edited.of,
      [],
      [],
    ]);
    return { ...aboutOtherText(played), execution: result.value, happened: ['edits undone'] };
  }
  expect([is.state.status, is.question.output, is.discussion.votes, is.discussion.stages]).toEqual([
    'pending',
    was.question.output,
    was.discussion.votes,
    was.discussion.stages,
  ]);
  return { ...played, execution: result.value, happened: ['undone'] };
}

function rejected(played: Played, id: string, choice: Choice): Played {
  const { execution, now } = played;
  const was = requestOf(played);
  if (was.state.status !== 'pending') return played;
  const result = decide(execution, '1', { ...clickOf(played, id), choice }, now);
  const places = permittedBy(played, id);
  const may = choice.verdict === 'decline' ? places.length === played.rules.size : places.length > 0;
  const isSure = !isUnsure(played) && areClear(played);
  if (isSure) expect([choice.verdict, result.ok]).toEqual([choice.verdict, may]);
  if (!result.ok) return { ...played, happened: [`refused to ${choice.verdict}`] };
  const is = approvalIn(result.value);
  expect([is.state.status, 'decision' in is.state && is.state.decision?.verdict]).toEqual(['decided', choice.verdict]);
  expect([is.discussion.votes, is.discussion.stages]).toEqual([was.discussion.votes, was.discussion.stages]);
  return { ...played, execution: result.value, happened: [happenedIn(choice.verdict, played)] };
}

/** By each of the rules that can turn out to apply, whether the votes on a request are complete in one of the ways to deal them. */
export function completeBy(played: Played, votes: readonly CastVote[]): Map<string, boolean> {
  const dealt = dealAll(played, votes);
  return new Map(dealt.map((each) => [each.place, mayBeComplete(each)]));
}

/** The places of all rules that can turn out to apply, whatever is learned. */
export function placesToCome({ beginning: { spec }, known }: Played): Set<string> {
  return new Set(endings(known).flatMap((each) => [...mayApply(spec, each).keys()]));
}
