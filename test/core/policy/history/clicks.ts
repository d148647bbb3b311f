import { stopFollowing, trackAgain } from '../../../../src/core/execution/tracking.ts';
import { requestFactsOf } from '../../../../src/core/policy/condition.ts';
import { policyHash } from '../../../../src/core/policy/document.ts';
import { possibleRules } from '../../../../src/core/policy/in-force.ts';
import { verdictUnder } from '../../../../src/core/policy/outcomes.ts';
import { type Action, type Refusal, refusedFacts } from '../../../../src/core/policy/refusal.ts';
import { askApprovers } from '../../../../src/core/request/alerts.ts';
import type { Choice } from '../../../../src/core/request/choice.ts';
import { decide, findDecidable } from '../../../../src/core/request/decide.ts';
import { handOver, letStandIn } from '../../../../src/core/request/hand-over.ts';
import { sendAgain } from '../../../../src/core/request/resume.ts';
import { undo, withdraw } from '../../../../src/core/request/retract.ts';
import { recordEvent } from '../../../../src/core/state/events.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import { ok, type Result } from '../../../../src/core/values/result.ts';
import { textOf } from '../../../support/requests.ts';
import { person } from '../runner/cast.ts';
import { approvalIn } from '../runner/scene.ts';
import type { Move } from './moves.ts';
import { lookUp, STORE_MS } from './process.ts';
import { type Click, changed, pick, truthOf, type World } from './world.ts';

const NAMES = ['Maria', 'Maria2', 'Tom', 'Lea', 'Sam', 'Sam2', 'Olga', 'Anna', 'Guest', 'Stranger', 'Robot', 'Carl'];
export const IDS = NAMES.map((name) => person(name).id);
const personOf = (id: string) => person(pick(NAMES, IDS.indexOf(id)));

const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };
const REJECT: Choice = { verdict: 'reject', feedback: 'no' };
const DECLINE: Choice = { verdict: 'decline', feedback: 'no' };
const ACTIONS: Action[] = [
  'approve',
  'approve',
  'reject',
  'undo',
  'withdraw',
  'hand-over',
  'hand-over',
  'send-again',
  'ask-approvers',
  'decline',
  'hand-over',
];
const CHOICES: Partial<Record<Action, Choice>> = { reject: REJECT, decline: DECLINE };
const ISSUER = 'https://login.example.com';
const ABSENCE_MS = 30_000;

export function clicked(world: World, move: Extract<Move, { kind: 'a person clicks' }>): World {
  // People with a lent right are few, and would hardly ever try to hand it on.
  const takers = approvalIn(world.execution).discussion.handedOver.map(({ to }) => to.id);
  const isHandedOn = takers.length > 0 && move.to % 2 === 0;
  const action = isHandedOn ? 'hand-over' : pick(ACTIONS, move.action);
  const [by, to] = [pick(isHandedOn ? takers : IDS, move.person), pick(IDS, move.to + move.person)];
  const people = action === 'hand-over' ? [by, to] : [by];
  return prepared(world, {
    process: move.process,
    by,
    to,
    action,
    until: move.process === 2 ? world.now + ABSENCE_MS : null,
    choice: withOutcome(CHOICES[action] ?? APPROVE, world, move),
    signIn: move.to % 3 === 0 ? undefined : { issuer: ISSUER, subject: by, at: world.now, acr: null },
    people,
  });
}

/** Of those that are offered, one that the process takes for this verdict. */
function withOutcome(
  choice: Choice,
  { execution, processes }: World,
  { process, to }: { process: number; to: number },
) {
  const {
    question: { outcomes },
  } = approvalIn(execution);
  const policies = possibleRules(pick(processes, process).policy, requestFactsOf(execution, approvalIn(execution)));
  const fitting = outcomes?.filter((outcome) => verdictUnder(outcome, policies) === choice.verdict) ?? [];
  return fitting.length === 0 ? choice : { ...choice, outcome: pick(fitting, to) };
}

/** The process looks up what it has to know about these people. */
function prepared(world: World, click: Omit<Click, 'permission' | 'at'>): World {
  const { process, facts } = lookUp(pick(world.processes, click.process), {
    people: click.people,
    truth: truthOf(world),
    now: world.now,
  });
  const processes = world.processes.map((each, i) => (i === click.process ? process : each));
  const ready = { ...click, permission: { policy: process.policy, facts }, at: world.now };
  return { ...world, processes, clicks: [...world.clicks, ready] };
}

/** Makes the change to the record as it is by now, unless the facts have become too old. */
export function stored(world: World, click: Click): World {
  const rest = { ...world, clicks: world.clicks.filter((each) => each !== click) };
  if (world.now - click.at > STORE_MS) return rest;
  const { execution, now } = world;
  const { action, by, permission } = click;
  const { policy } = permission;
  const result = attempt(execution, click, now);
  if (result.ok) return changed(rest, result.value, { click, policy });
  const { refusal } = result;
  if (refusal.kind === 'facts-needed')
    return prepared(rest, { ...click, people: [...click.people, ...refusal.people] });
  const facts = refusedFacts({ approvalId: '1', action, by, refusal, policy: policyHash(policy) });
  const left = facts ? recordEvent(execution, { kind: 'refused', at: now, facts }) : execution;
  return changed(rest, left, { click, policy, refusal });
}

function attempt(
  execution: Execution,
  { action, by: id, to, until, choice, signIn, permission }: Click,
  now: number,
): Result<Execution, Refusal> {
  const by = { ...permission, ...textOf(execution, '1'), by: personOf(id) };
  switch (action) {
    case 'approve':
    case 'reject':
    case 'decline':
      return decide(execution, '1', { choice, signIn, ...by }, now);
    case 'undo':
      return undo(execution, '1', by, now);
    case 'withdraw':
      return withdraw(execution, '1', by, now);
    case 'hand-over':
      return until === null
        ? handOver(execution, '1', { ...by, to: personOf(to) }, now)
        : letStandIn(execution, '1', { ...by, to: personOf(to), until }, now);
    case 'send-again':
      return sendAgain(execution, '1', by, now);
    case 'ask-approvers':
      return askApprovers(execution, '1', by, now);
    case 'review': {
      const found = findDecidable(execution, '1', { ...by, personId: id, now });
      return found.ok ? ok(execution) : found;
    }
    case 'stop-following':
      return stopFollowing(execution, by, now);
    case 'track-again':
      return trackAgain(execution, by, now);
  }
}
