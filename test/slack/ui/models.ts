import type { Step } from '../../../src/core/execution/events.ts';
import type { CardModel, RootModel } from '../../../src/core/messages/view-models.ts';
import type { Language } from '../../../src/core/policy/crew.ts';
import { stageKeys } from '../../../src/core/policy/document.ts';
import { DEFAULT_POLICY, type Policy, parseApprover, type StagePolicy } from '../../../src/core/policy/policy.ts';
import type { VoteStanding } from '../../../src/core/policy/progress.ts';
import type { CompletedTask } from '../../../src/core/state/execution.ts';
import type { CompletedStage, Decision, HandOver, Person, Vote } from '../../../src/core/state/request.ts';
import type { LastRound } from '../../../src/slack/request/card-details.ts';
import type { RefusalDetails } from '../../../src/slack/request/refusal.ts';
import type { Deciders } from '../../../src/slack/request/who-decides.ts';
import type { Change } from '../../../src/slack/ui/comparison/find-change.ts';
import { changesBetween } from '../../../src/slack/ui/comparison/text-changes.ts';
import { inForce } from '../../support/rules-in-force.ts';
import { sayIn } from '../../support/say.ts';

export const NOW = 1_763_690_000_000;

export const maria: Person = { id: 'U0MARIA', name: 'Maria' };
export const jon: Person = { id: 'U0JON', name: 'Jon' };

export const name = (person: Person) => person.name;

/** What views are said with; those who import it always see the latest. */
export let say = sayIn('en');

/** Says the views that are made from now on in this language. */
export function speak(language: Language): void {
  say = sayIn(language);
}

export function root(change: Partial<RootModel> = {}): RootModel {
  return {
    ref: 'r1',
    crew: 'Research',
    starter: maria,
    inputs: { topic: 'Bees', audience: 'children' },
    about: 'Bees, children',
    createdAt: NOW - 200_000,
    run: { status: 'running' },
    progress: { completed: 1, total: 3, current: null },
    plan: [],
    endingTs: null,
    activitySeen: 0,
    openCard: null,
    waitingUnseen: false,
    hasExpired: false,
    trouble: null,
    unfollowed: null,
    takenBack: 0,
    ...change,
  };
}

export function card(change: Partial<CardModel> = {}): CardModel {
  return {
    ref: 'r1',
    approvalId: '1',
    crew: 'Research',
    starter: maria,
    taskName: 'Write the post',
    round: 1,
    askedAt: NOW - 60_000,
    output: { hash: 'a'.repeat(64), length: 20 },
    about: '',
    repeatsRound: null,
    ledBy: null,
    votes: [],
    takenBack: 0,
    handedOver: [],
    escalations: [],
    state: { kind: 'pending' },
    ...change,
  };
}

/** The usual policy of a crew, but for these; approvers as the crews file writes them. */
export function policy({
  approvers = ['workspace'],
  escalateTo = [],
  allOf = [],
  ...change
}: Partial<Omit<Policy, keyof Named>> & Partial<Named> = {}): Policy {
  const parsed = (names: string[]) => names.map(parseApprover).filter((each) => each !== null);
  const named = { approvers: parsed(approvers), escalateTo: parsed(escalateTo), allOf: parsed(allOf) };
  return { ...DEFAULT_POLICY, ...named, ...change };
}

/** The policy of a request in stages, of which the one at this place is open. */
export function staged(stages: Record<string, Parameters<typeof policy>[0]>, open = 0): Policy {
  const all = Object.entries(stages).map(([name, rules]): StagePolicy => {
    const { stages: _, stage: _at, ...own } = policy(rules);
    return { ...own, name };
  });
  return { ...policy(), ...all[open], stages: all, stage: open };
}

interface Named {
  approvers: string[];
  escalateTo: string[];
  allOf: string[];
}

/** @param rule the only rules that may apply */
export function deciders({ rule = policy(), ...change }: Partial<Deciders> & { rule?: Policy } = {}): Deciders {
  return { policies: [inForce(rule)], starter: null, approverName: (asWritten) => asWritten, ...change };
}

/** A stage of these rules that is complete, counted from 0. */
export function completed({ stages }: Policy, stage: number, votes: readonly Vote[]): CompletedStage {
  return { key: stageKeys(stages)[stage] ?? '', name: stages[stage]?.name ?? '', at: NOW, votes };
}

export function vote(by: Person, feedback: string | null = null): Vote {
  return { by, at: NOW - 10_000, feedback };
}

/** What an approval has come to. */
export function counts(given: number, needed: number): VoteStanding {
  return { kind: 'counts', given, needed, missing: [], lacking: needed - given };
}

/** It has completed a stage. */
export function completes(approved: string, open: string): VoteStanding {
  return { kind: 'stage', stage: { approved, open } };
}

export function handOver(to: Person, by: Person): HandOver {
  return { to, by, at: NOW - 10_000, until: null };
}

/** What changes where a text takes the place of a calm one. */
export function changeTo(text: string): Change {
  const changes = changesBetween('A calm text. Nothing else.', text);
  return changes ? { kind: 'compared', changes } : { kind: 'too-large' };
}

/** The round before the second one of the model card, with nothing to say about its text unless told otherwise. */
export function lastRound(change: Partial<LastRound> = {}): LastRound {
  return { before: 'c'.repeat(64), after: 'a'.repeat(64), change: null, sameAs: null, ...change };
}

/** Of a person whom nobody knows, about a request of Research. */
export function refusalDetails(change: Partial<RefusalDetails> = {}): RefusalDetails {
  const details = {
    name,
    what: 'this' as const,
    you: 'U0AIKO',
    starterId: maria.id,
    crew: 'Research',
    other: null,
    whoCan: null,
  };
  return { ...details, card: null, whoCanAdd: null, say, ...change };
}

export function decision(change: Partial<Decision> = {}): Decision {
  return { verdict: 'approve', feedback: null, text: 'Approved.', by: maria, at: NOW, ownTokenOnly: false, ...change };
}

export function rejection(feedback = 'Too long.'): Decision {
  return decision({ verdict: 'reject', feedback, text: feedback });
}

export function step(change: Partial<Step> = {}): Step {
  return { at: NOW - 5_000, agent: 'Writer', thought: 'Hm', tool: null, toolInput: null, result: null, ...change };
}

export function task(change: Partial<CompletedTask> = {}): CompletedTask {
  return {
    id: '1',
    name: 'Find sources',
    agent: 'Reader',
    summary: 'Found three.',
    output: { hash: 'b'.repeat(64), length: 200 },
    fingerprint: 'f',
    ...change,
  };
}
