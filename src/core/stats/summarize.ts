import type { DecidedRequest } from '../history/decided-request.ts';
import type { Millis } from '../time.ts';
import { quantile } from './quantile.ts';

const MOST_DECIDERS = 3;

/** What became of some requests. */
export interface DecisionSummary {
  /** Decisions that people made, also those that the crew never took. */
  approved: number;
  changesRequested: number;
  /** Requests that nobody decided in time, whatever the crew was told then. */
  expired: number;
  /** How long the people's decisions took, from the request on; null if they made none. */
  timeToDecision: { medianMs: Millis; p90Ms: Millis } | null;
  approvals: ApprovalRounds | null;
  /** Those who took part in the most decisions, at most three: with a quorum, each of its voters did. */
  deciders: { id: string; decisions: number }[];
}

/** How many rounds approvals took, each since the task began or was last approved; null if nothing was approved. */
interface ApprovalRounds {
  /** On average. */
  rounds: number;
  /** How many of them took one round only. */
  atFirst: number;
}

export function summarize(requests: readonly DecidedRequest[]): DecisionSummary {
  const decided = requests.filter(isByPeople);
  const approved = decided.filter(({ outcome }) => outcome === 'approve');
  return {
    approved: approved.length,
    changesRequested: decided.length - approved.length,
    expired: requests.length - decided.length,
    timeToDecision: timesOf(decided),
    approvals: roundsOf(approved),
    deciders: decidersOf(decided),
  };
}

/** Otherwise time decided. */
export function isByPeople({ by }: DecidedRequest): boolean {
  return by.length > 0;
}

function timesOf(decided: readonly DecidedRequest[]): DecisionSummary['timeToDecision'] {
  const times = decided.map(({ askedAt, decidedAt }) => decidedAt - askedAt);
  const [medianMs, p90Ms] = [quantile(times, 0.5), quantile(times, 0.9)];
  return medianMs === null || p90Ms === null ? null : { medianMs, p90Ms };
}

function roundsOf(approved: readonly DecidedRequest[]): ApprovalRounds | null {
  if (approved.length === 0) return null;
  const sum = approved.reduce((rounds, each) => rounds + each.rounds, 0);
  return { rounds: sum / approved.length, atFirst: approved.filter(({ rounds }) => rounds === 1).length };
}

function decidersOf(decided: readonly DecidedRequest[]): DecisionSummary['deciders'] {
  const counts = new Map<string, number>();
  for (const { by } of decided) for (const id of by) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = Array.from(counts, ([id, decisions]) => ({ id, decisions }));
  return all.sort((one, other) => other.decisions - one.decisions).slice(0, MOST_DECIDERS);
}
