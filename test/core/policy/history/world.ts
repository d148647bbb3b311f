import type { LedgerEvent } from '../../../../src/core/ledger/entry.ts';
import type { Permission } from '../../../../src/core/policy/permission.ts';
import type { Action, Refusal } from '../../../../src/core/policy/refusal.ts';
import { ask } from '../../../../src/core/request/ask.ts';
import type { Choice } from '../../../../src/core/request/choice.ts';
import { recordDeliveries } from '../../../../src/core/state/events.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import type { SignIn } from '../../../../src/core/state/sign-in.ts';
import { execution, request } from '../../../support/executions.ts';
import { frozen } from '../../../support/frozen.ts';
import { START } from '../../../support/requests.ts';
import { valueFrom } from '../../../support/value-from.ts';
import { SAM } from '../runner/cast.ts';
import { type Process, processWith } from './process.ts';
import { INPUTS, OUTCOMES, POLICIES, type Truth, truthAtFirst } from './truth.ts';

/** What a person wants, for which a process has looked up the facts; it is stored later, or never. */
export interface Click {
  process: number;
  /** The ids of a person, and of another for whom a request may be meant. */
  by: string;
  to: string;
  action: Action;
  /** How long a request is handed over for; null for good. */
  until: number | null;
  choice: Choice;
  /** That they have signed in to click; undefined if they haven't. */
  signIn: SignIn | undefined;
  people: readonly string[];
  permission: Permission;
  at: number;
}

/** What the last move has done to the record. */
export interface Change {
  before: Execution;
  after: Execution;
  /** Those that it adds to the ledger. */
  events: readonly LedgerEvent[];
  click: Click | null;
  refusal: Refusal | null;
  /** That of the process which made it; null where no policy is asked. */
  policy: Permission['policy'] | null;
}

/** One record, and several processes that change it. */
export interface World {
  execution: Execution;
  now: number;
  past: readonly Truth[];
  processes: readonly Process[];
  clicks: readonly Click[];
  /** Null if the last move wasn't about the record. */
  change: Change | null;
}

/** Three processes with the same policy, and a request of a run that Sam has started, whose task has no name yet. */
export function begin(number: number): World {
  const policy = pick(POLICIES, number);
  const place = Math.floor(number / POLICIES.length);
  const started = execution({ origin: { kind: 'command', by: SAM }, inputs: pick(INPUTS, place) });
  const outcomes = place % 2 === 0 ? OUTCOMES : null;
  const asked = valueFrom(ask(started, request({ taskName: null, outcomes }), START, { policy, hours: null }));
  const processes = [processWith(policy), processWith(policy), processWith(policy)];
  const record = frozen({ ...asked, ledgerEvents: [] });
  const change = { before: started, after: record, events: asked.ledgerEvents, click: null, refusal: null, policy };
  return { execution: record, now: START, past: [truthAtFirst(START)], processes, clicks: [], change };
}

/** Stores a change as the store does. */
export function changed(
  world: World,
  next: Execution,
  made: Partial<Pick<Change, 'click' | 'refusal' | 'policy'>> = {},
): World {
  const before = world.execution;
  const noted = next === before ? before : recordDeliveries(before, next, world.now);
  const after = frozen({ ...noted, ledgerEvents: [] });
  const change = { before, after, events: noted.ledgerEvents, click: null, refusal: null, policy: null, ...made };
  return { ...world, execution: after, change };
}

export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

/** What is so now. */
export function truthOf({ past, now }: World): Truth {
  return { ...pick(past, past.length - 1), from: now };
}
