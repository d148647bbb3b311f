import type { LedgerEvent } from '../../src/core/ledger/entry.ts';
import { eventOf, type RequestStory } from './request-story.ts';

type State = 'unasked' | 'open' | 'decided' | 'sent' | 'closed';

interface Replay {
  state: State;
  /** Until then, a decision can be undone. */
  undoUntil: number;
  /** Those whose votes stand. */
  voters: ReadonlySet<string>;
  problems: readonly string[];
}

/** Replays what the ledger tells about a request: each step must be possible after those before it, and complete only once. */
export function orderProblems({ entries }: RequestStory): string[] {
  const start: Replay = { state: 'unasked', undoUntil: 0, voters: new Set(), problems: [] };
  const replayed = entries.map(eventOf).reduce(step, start);
  return [...replayed.problems, ...repeats(entries.map(eventOf))];
}

function step(replay: Replay, event: LedgerEvent): Replay {
  const { state, voters } = replay;
  const only = (allowed: readonly State[], next: Partial<Replay>): Replay =>
    allowed.includes(state)
      ? { ...replay, ...next }
      : {
          ...replay,
          ...next,
          problems: [...replay.problems, `the ledger has “${event.kind}” for a request that is ${state}`],
        };
  switch (event.kind) {
    case 'asked':
      return only(['unasked'], { state: 'open' });
    case 'named':
      return replay;
    case 'voted':
      return only(['open'], { voters: new Set([...voters, event.facts.by]) });
    case 'edited':
      return only(['open'], { voters: new Set() });
    case 'withdrawn':
      return only(voters.has(event.facts.by) ? ['open'] : [], {
        voters: new Set([...voters].filter((id) => id !== event.facts.by)),
      });
    case 'decided': {
      const counted = event.facts.votes.filter(({ by }) => !voters.has(by));
      const problems = counted.map(({ by }) => `the vote of ${by} was counted, and isn't in the ledger`);
      const decided = only(['open'], { state: 'decided', undoUntil: event.at + event.facts.undo_ms });
      return { ...decided, problems: [...decided.problems, ...problems] };
    }
    case 'undone':
      return only(['decided'], { state: 'open' });
    case 'sent':
      return only(event.at >= replay.undoUntil ? ['decided', 'sent'] : [], { state: 'sent' });
    case 'confirmed':
    case 'not-confirmed':
      return only(['sent', 'decided'], {});
    case 'lost':
      return event.facts.attempts === 0 ? { ...replay, state: 'open' } : { ...replay, state: 'sent' };
    case 'expired':
      return only(['open'], event.facts.outcome === 'close' ? { state: 'closed' } : {});
    case 'cancelled':
      return only(['open'], { state: 'closed' });
    case 'reminded':
    case 'escalated':
      return only(['open'], {});
    case 'refused':
    case 'handed-over':
    case 'taken-back':
    case 'revealed':
    case 'tried':
    case 'policy':
      return replay;
  }
}

/** What happens once to a request, however many bots there are. */
function repeats(events: readonly LedgerEvent[]): string[] {
  const names = events.flatMap((event) => {
    switch (event.kind) {
      case 'expired':
      case 'escalated':
      case 'cancelled':
        return [event.kind];
      case 'reminded':
        return [`reminder ${event.facts.number}`];
      case 'sent':
        return [`attempt ${event.facts.attempt}`];
      default:
        return [];
    }
  });
  const again = names.filter((name, i) => names.indexOf(name) !== i);
  return again.map((name) => `the ledger has “${name}” of one request more than once`);
}
