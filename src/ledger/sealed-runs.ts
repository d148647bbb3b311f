import { TILE } from '../core/ledger/merkle-tree.ts';
import type { Millis } from '../core/time.ts';
import { type Places, placesOf } from '../redis/ledger/tree.ts';

/** What is sealed of a run, or of another chain. */
interface SealedRun {
  /** The number of its last entry, and the leaf that this is. */
  seq: number;
  index: number;
  /** The leaf of its first entry; 0 if that isn't known any more. A chain that had expired begins anew. */
  begin: number;
  /** Its last entry wasn't made before. */
  from: Millis;
}

/** All chains of a tree, by their ref. Grows with it. */
export class SealedRuns {
  private readonly runs = new Map<string, SealedRun>();
  /** How many leaves it knows of. */
  private size = 0;
  /** The first of them. */
  private first = 0;

  /** Where to read on. */
  get tile(): number {
    return Math.floor(this.size / TILE);
  }

  /** The first leaf of which it is known what it is. */
  get keptFrom(): number {
    return this.first;
  }

  of(ref: string): SealedRun | undefined {
    return this.runs.get(ref);
  }

  /** @param first the tile that the places begin with */
  add({ first, tiles }: { first: number; tiles: readonly Places[] }): void {
    if (first * TILE > this.size) {
      this.first = first * TILE;
      this.size = this.first;
    }
    for (const [i, places] of tiles.entries()) {
      const begin = (first + i) * TILE;
      for (const [at, place] of placesOf(places).entries())
        if (begin + at >= this.size) this.addEntry(place, begin + at, places.from);
    }
  }

  private addEntry({ ref, seq }: { ref: string; seq: number }, index: number, from: Millis): void {
    const begin = seq === 1 ? index : (this.runs.get(ref)?.begin ?? 0);
    this.runs.set(ref, { seq, index, begin, from });
    this.size = index + 1;
  }
}
