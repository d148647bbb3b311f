import { type Move, type Moves, movesFor } from './moves.ts';
import type { PolicyName } from './policies.ts';

/** A move, and its place among those about its card. */
export interface NextMove extends Move {
  cardTs: string;
  index: number;
}

interface Asked {
  cardTs: string;
  round: number;
  canMake: (move: Move) => boolean;
}

/** How far people have come with each card. */
export class Progress {
  readonly #plan: { policy: PolicyName; rejections: number };
  /** The moves made about each card, and up to which they are made without waiting. */
  readonly #cards = new Map<string, { made: number; allowed: number; more: number }>();
  #isImpatient = false;

  constructor(plan: { policy: PolicyName; rejections: number }) {
    this.#plan = plan;
  }

  /** What comes next, unless people wait for the outcome of what they did. */
  next({ cardTs, round, canMake }: Asked): NextMove | null {
    const { policy, rejections } = this.#plan;
    const moves = movesFor(policy, { round, verdict: round <= rejections ? 'reject' : 'approve' });
    const card = this.#cards.get(cardTs) ?? { made: 0, allowed: moves.first.length, more: moves.inTheEnd.length };
    this.#cards.set(cardTs, card);
    if (card.made >= card.allowed) return null;
    const move = moveAt(moves, card.made);
    if (!move) return null;
    if (canMake(move)) return { ...move, cardTs, index: card.made };
    if (!this.#isImpatient) return null;
    this.#isImpatient = false;
    card.made += 1;
    return this.next({ cardTs, round, canMake });
  }

  made({ cardTs, index }: NextMove): void {
    const card = this.#cards.get(cardTs);
    if (card) card.made = Math.max(card.made, index + 1);
  }

  /** Somebody was told to try again. */
  redo({ cardTs, index }: NextMove): void {
    const card = this.#cards.get(cardTs);
    if (card) card.made = Math.min(card.made, index);
  }

  /** Nothing came of what they did, so they try again, and go on without what isn't offered. */
  stopWaiting(): void {
    this.#isImpatient = true;
    for (const card of this.#cards.values()) if (card.made >= card.allowed) card.allowed = card.made + card.more;
  }
}

function moveAt({ first, inTheEnd }: Moves, index: number): Move | undefined {
  return first[index] ?? inTheEnd[(index - first.length) % Math.max(1, inTheEnd.length)];
}
