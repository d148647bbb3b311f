import type { Entry, LedgerEvent, LedgerFacts } from '../../src/core/ledger/entry.ts';
import type { Chain } from './chains.ts';

/** A decision as the ledger tells it. */
export interface LedgerDecision extends Pick<LedgerFacts['decided'], 'verdict' | 'undo_ms'> {
  ref: string;
  /** The id of the request in its execution. */
  approval: string;
  at: number;
  /** The SHA-256 of what the crew receives. */
  sha256: string;
  /** The id of whoever completed it; null if nobody did. */
  by: string | null;
  /** Everybody who approved, or the one who rejected. */
  people: readonly string[];
  isUndone: boolean;
}

/** What the ledger tells about one request, oldest first. */
export interface RequestStory {
  ref: string;
  approval: string;
  entries: readonly Entry[];
  decisions: readonly LedgerDecision[];
}

/** The requests that the chains are about. */
export function requestStories(chains: readonly Chain[]): RequestStory[] {
  return chains.flatMap(({ ref, entries }) => {
    const ids = new Set(entries.flatMap((entry) => approvalOf(entry) ?? []));
    return [...ids].map((approval) => {
      const own = entries.filter((entry) => approvalOf(entry) === approval);
      return { ref, approval, entries: own, decisions: decisionsIn(ref, own) };
    });
  });
}

function approvalOf({ facts }: Pick<Entry, 'facts'>): string | null {
  return 'approval' in facts ? facts.approval : null;
}

function decisionsIn(ref: string, entries: readonly Entry[]): LedgerDecision[] {
  return entries.flatMap((entry, i) => {
    const event = eventOf(entry);
    if (event.kind !== 'decided') return [];
    const { approval, verdict, by, votes, text, undo_ms } = event.facts;
    const later = entries.slice(i + 1).find(({ kind }) => kind === 'undone' || kind === 'decided');
    const people = [...votes.map((vote) => vote.by), ...(by ? [by.by] : [])];
    const decision = { ref, approval, verdict, undo_ms, at: entry.at, sha256: text.sha256, by: by?.by ?? null, people };
    return [{ ...decision, isUndone: later?.kind === 'undone' }];
  });
}

/** An entry's kind says what its facts are. */
export function eventOf({ kind, at, facts }: Entry): LedgerEvent {
  return { kind, at, facts } as LedgerEvent;
}
