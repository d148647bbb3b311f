import pLimit, { type LimitFunction } from 'p-limit';
import type { DueAction } from '../core/due-actions.ts';

/** More concurrent calls to Slack, or to one crew, would slow down clicks. */
export const CALLS_PER_TARGET = 16;

/** A limit for each service that due actions call, so that one that hangs delays nothing but the calls to itself. */
export class ConcurrencyLimits {
  readonly #limits = new Map<string, LimitFunction>();

  get activeCount(): number {
    return this.#sum(({ activeCount }) => activeCount);
  }

  get pendingCount(): number {
    return this.#sum(({ pendingCount }) => pendingCount);
  }

  /** The limit of the service that an action calls, first in, first out. */
  of(action: DueAction, crew: string): LimitFunction {
    const target = targetOf(action, crew);
    const limit = this.#limits.get(target) ?? pLimit(CALLS_PER_TARGET);
    this.#limits.set(target, limit);
    return limit;
  }

  #sum(count: (limit: LimitFunction) => number): number {
    return [...this.#limits.values()].reduce((sum, limit) => sum + count(limit), 0);
  }
}

function targetOf({ kind }: DueAction, crew: string): string {
  switch (kind) {
    case 'post':
    case 'update':
    case 'private-answer':
    case 'starter-notice':
    case 'find-recipients':
      return 'slack';
    case 'kickoff':
    case 'resume':
    case 'poll':
      return `crew ${crew}`;
    case 'remind':
    case 'escalate':
    case 'expire':
    case 'end-hand-overs':
    case 'check-claims':
    case 'catch-up':
    case 'check-adoption':
    case 'check-crew':
    case 'tell-expiry':
      return 'store';
  }
}
