import type { LedgerEvent, LedgerFacts, VoteFacts } from '../core/ledger/entry.ts';
import type { Millis } from '../core/values/time.ts';

// Derives the outcome of each request of a run from its ledger entries, for reports and lists of decisions.

export interface Outcome extends Pick<LedgerFacts['asked'], 'crew' | 'round'> {
  /** The name comes from any of the task's rounds. */
  task: { id: string; name: string | null };
  askedAt: Millis;
  /** The decision that stands; null if no person decided. */
  decision: StandingDecision | null;
  /** Time of the expiry, whatever the crew was told then; null if it didn't expire. */
  expiredAt: Millis | null;
  /**
   * The number of requests that it took to settle the task, by an approval or a decline, since the task's first one or its last
   * approval. Null for requests that settled no task.
   */
  rounds: number | null;
}

interface StandingDecision extends Pick<LedgerFacts['decided'], 'verdict' | 'outcome'> {
  at: Millis;
  /** The person who completed the decision. */
  by: VoteFacts;
  /** The other approvals that counted, in order of stages; none for a rejection or a decline. */
  votes: readonly VoteFacts[];
  /** True if people approved an edited text. */
  isEdited: boolean;
}

interface Request {
  asked: LedgerFacts['asked'];
  askedAt: Millis;
  decision: StandingDecision | null;
  expiredAt: Millis | null;
  /** Approvals that have completed stages so far. */
  staged: readonly VoteFacts[];
  /** Person who edited its text last; null if nobody did. */
  editedBy: string | null;
}

/** Returns the outcome of each request. @param events all events of one run, oldest first */
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
  return Array.from(requests.values(), ({ asked, askedAt, decision, expiredAt }) => {
    const { crew, round, task } = asked;
    const count = (rounds.get(task.id) ?? 0) + 1;
    const isSettled = decision !== null && decision.verdict !== 'reject';
    rounds.set(task.id, isSettled ? 0 : count);
    const taskWithName = { id: task.id, name: names.get(task.id) ?? null };
    return { crew, round, task: taskWithName, askedAt, decision, expiredAt, rounds: isSettled ? count : null };
  });
}

function asked({ at, facts }: Extract<LedgerEvent, { kind: 'asked' }>): Request {
  return { asked: facts, askedAt: at, decision: null, expiredAt: null, staged: [], editedBy: null };
}

function follow(request: Request | undefined, { kind, at, facts }: LedgerEvent): void {
  if (!request) return;
  switch (kind) {
    case 'decided':
      request.decision = decisionOf({ at, ...facts }, request.staged);
      return;
    case 'voted':
      request.staged = [...request.staged, ...votesIn(facts.completes)];
      return;
    case 'edited':
      request.staged = [];
      request.editedBy = facts.by;
      return;
    case 'withdrawn':
      // Edits of a text are undone with the vote for them.
      if (facts.by === request.editedBy) request.staged = [];
      return;
    case 'undone':
      if (request.decision?.by.by === request.editedBy) request.staged = [];
      request.decision = null;
      return;
    case 'lost':
      if (facts.attempts === 0) request.decision = null;
      return;
    case 'expired':
      request.expiredAt = at;
      return;
    case 'asked':
    case 'named':
    case 'refused':
    case 'revealed':
    case 'handed-over':
    case 'taken-back':
    case 'reminded':
    case 'escalated':
    case 'cancelled':
    case 'sent':
    case 'confirmed':
    case 'not-confirmed':
    case 'tried':
    case 'policy':
      return;
  }
}

/** Returns null if no person decided. */
function decisionOf(
  { at, verdict, outcome, by, votes, completes, edited }: LedgerFacts['decided'] & { at: Millis },
  staged: readonly VoteFacts[],
): Request['decision'] {
  if (by === null) return null;
  const approvals = verdict === 'approve' ? [...staged, ...votesIn(completes), ...votes] : [];
  const others = new Map(approvals.filter((vote) => vote.by !== by.by).map((vote) => [vote.by, vote]));
  return { at, verdict, outcome, by, votes: [...others.values()], isEdited: edited !== undefined };
}

function votesIn(completes: LedgerFacts['voted']['completes'] = []): VoteFacts[] {
  return completes.flatMap(({ votes }) => votes);
}
