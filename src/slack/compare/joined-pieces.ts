import type { Piece } from './comparison.ts';
import { saysSomething } from './words.ts';

/** Text that stayed, and what was changed after it. */
type Step = Record<Piece['kind'], string>;

/** At most this much space or punctuation between two changes counts as changed with them. */
const LONGEST_SPACE = 3;

/** Neighbours of one kind as one, each removed part before what replaces it, and no change divided by a space. */
export function joinedPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Step[] = [];
  for (const step of stepsOf(pieces)) {
    const last = joined.at(-1);
    if (!last || !isOneChange(last, step)) joined.push(step);
    else {
      last.removed += step.kept + step.removed;
      last.added += step.kept + step.added;
    }
  }
  return joined.flatMap(piecesOf).filter(({ text }) => text !== '');
}

function stepsOf(pieces: readonly Piece[]): Step[] {
  const steps: Step[] = [];
  for (const { kind, text } of pieces) {
    const last = steps.at(-1);
    const continues = last && (kind !== 'kept' || (last.removed === '' && last.added === ''));
    if (continues) last[kind] += text;
    else steps.push({ kept: '', removed: '', added: '', [kind]: text });
  }
  return steps;
}

function isOneChange(one: Step, next: Step): boolean {
  return isReplaced(one) && isReplaced(next) && next.kept.length <= LONGEST_SPACE && !saysSomething(next.kept);
}

function isReplaced({ removed, added }: Step): boolean {
  return removed !== '' && added !== '';
}

function piecesOf({ kept, removed, added }: Step): Piece[] {
  return [
    { kind: 'kept', text: kept },
    { kind: 'removed', text: removed },
    { kind: 'added', text: added },
  ];
}
