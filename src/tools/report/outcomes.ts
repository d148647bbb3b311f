import type { LedgerEvent, LedgerFacts } from '../../core/ledger/entry.ts';
import type { Millis } from '../../core/values/time.ts';

// What became of each request of a run, as its entries tell it. Those that tell nothing of that are passed over.

export interface Outcome {
  crew: string;
  /** The task has the name that any of its rounds has. */
  task: { id: string; name: string | null };
  askedAt: Millis;
  /** The one that stands; null if people have made none. */
  decision: StandingDecision | null;
  /** Nobody decided in time, whatever the crew was told then. */
  isExpired: boolean;
  /**
   * For how many requests it took until the task was approved or declined: with the last one, counted since the task's
   * first or since it was last approved. Null for those that didn't settle it.
   */
  rounds: number | null;
}

interface StandingDecision {
  by: string;
  verdict: LedgerFacts['decided']['verdict'];
  /** The approver by whose right the person counted who completed it. */
  rule: string;
  at: Millis;
}

interface Request {
  asked: LedgerFacts['asked'];
  askedAt: Millis;
  decision: StandingDecision | null;
  isExpired: boolean;
}

/** @param events all of one run, oldest first */
export function outcomesOf(events: readonly LedgerEvent[]): Outcome[] {
  const requests = new Map<string, Request>();
  const names = new Map<string, string>();
  for (const event of events) {
    const { task } = event.kind === 'asked' || event.kind === 'named' ? event.facts : { task: null };
    if (task !== null && task.name !== null) names.set(task.id, task.name);
    if (event.kind === 'asked') requests.set(event.facts.approval, asked(event));
    else if ('approval' in event.facts) follow(requests.get(event.facts.approval ?? ''), event);
  }
  const rounds = new Map<string, number>();
  return Array.from(requests.values(), ({ asked: { crew, task }, askedAt, decision, isExpired }) => {
    const round = (rounds.get(task.id) ?? 0) + 1;
    const isSettled = decision !== null && decision.verdict !== 'reject';
    rounds.set(task.id, isSettled ? 0 : round);
    const known = { id: task.id, name: names.get(task.id) ?? null };
    return { crew, task: known, askedAt, decision, isExpired, rounds: isSettled ? round : null };
  });
}

function asked({ at, facts }: Extract<LedgerEvent, { kind: 'asked' }>): Request {
  return { asked: facts, askedAt: at, decision: null, isExpired: false };
}

function follow(request: Request | undefined, { kind, at, facts }: LedgerEvent): void {
  if (!request) return;
  switch (kind) {
    case 'decided':
      request.decision = decisionOf({ at, ...facts });
      return;
    case 'undone':
      request.decision = null;
      return;
    case 'lost':
      if (facts.attempts === 0) request.decision = null;
      return;
    case 'expired':
      request.isExpired = true;
      return;
    case 'asked':
    case 'named':
    case 'voted':
    case 'withdrawn':
    case 'refused':
    case 'revealed':
    case 'handed-over':
    case 'taken-back':
    case 'reminded':
    case 'escalated':
    case 'cancelled':
    case 'sent':
    case 'confirmed':
    case 'unconfirmed':
    case 'tried':
    case 'policy':
      return;
  }
}

/** Null if nobody has decided. */
function decisionOf({ at, verdict, by }: LedgerFacts['decided'] & { at: Millis }): Request['decision'] {
  return by && { by: by.by, verdict, rule: (by.for ?? by).rule, at };
}
