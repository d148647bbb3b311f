import type { JsonObject } from '../../src/sandbox/slack-workspace/json.ts';

/** How the requests of a crew are decided. */
export type PolicyName =
  | 'everybody'
  | 'quorum'
  | 'undo'
  | 'undoable'
  | 'long-undo'
  | 'reminding'
  | 'rejecting'
  | 'closing';

/** What the crew receives when nobody has decided in time. */
export const EXPIRY_TEXT = 'Nobody looked at it.';

/** So long a request with timers is left alone before the clock is put forward. */
export const TIMERS_END_MS = 3_000;

/** By turns, unless a trial names its own: in every second crew, several people have to approve. */
const IN_TURN: readonly PolicyName[] = [
  ...(['everybody', 'quorum', 'undo', 'quorum', 'everybody', 'quorum'] as const),
  ...(['rejecting', 'quorum', 'everybody', 'quorum', 'closing', 'quorum'] as const),
];

/** The policy of the n-th crew, from 1. */
export function policyInTurn(n: number): PolicyName {
  return IN_TURN[(n - 1) % IN_TURN.length] ?? 'everybody';
}

/** How many people have to approve. */
export function quorumOf(policy: PolicyName): number {
  return policy === 'quorum' || policy === 'closing' ? 2 : 1;
}

/** Whether a request changes by itself while nobody does anything. */
export function hasTimers(policy: PolicyName): boolean {
  return policy === 'reminding' || policy === 'rejecting' || policy === 'closing';
}

/** Whether those who should decide are told by direct message. */
export function notifyOf(policy: PolicyName): 'dm' | undefined {
  return policy === 'undo' ? 'dm' : undefined;
}

/** The `approval` of the n-th crew in the crews file; undefined leaves it out. */
export function approvalSettings(policy: PolicyName, n: number): JsonObject | undefined {
  const [jon, ana, kim] = [`UJON${n}X`, `UANA${n}X`, `UKIM${n}X`];
  const later = { remind_after: '1s', escalate_after: '1s', escalate_to: [ana, kim] };
  const three = { approvers: [jon, ana, kim], quorum: 2, self_approval: false };
  switch (policy) {
    case 'everybody':
      return undefined;
    case 'quorum':
      return three;
    case 'undo':
      return { approvers: [jon, ana], undo: '1s' };
    case 'undoable':
      return { approvers: [jon, ana], undo: '2s' };
    case 'long-undo':
      return { approvers: [jon, ana], undo: '30s' };
    case 'reminding':
      return { approvers: [jon], ...later };
    case 'rejecting':
      return { approvers: [jon], ...later, expire_after: '2s', on_expiry: 'reject', expiry_text: EXPIRY_TEXT };
    case 'closing':
      return { ...three, remind_after: '1s', expire_after: '2s', on_expiry: 'close' };
  }
}
