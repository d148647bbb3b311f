import type { Millis } from '../../core/time.ts';
import type { Shard } from '../keys.ts';

interface ItemShape<Item> {
  /** Items with the same key are the same. */
  keyOf: (item: Item) => string;
  atOf: (item: Item) => Millis;
  /** Of each shard, the newest are kept. */
  most: number;
}

/** What an index by time holds of late. Items stay the same objects as long as they are there. */
export class RecentItems<Item> {
  readonly #shape: ItemShape<Item>;
  readonly #shards = new Map<Shard, readonly Item[]>();
  #changes = 0;

  constructor(shape: ItemShape<Item>) {
    this.#shape = shape;
  }

  /** Counts up whenever something has been added or has vanished. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes what was read of a shard, newest first: since an instant, or all there is. What isn't there any more vanishes. */
  take(shard: Shard, read: readonly Item[], since: Millis | null): void {
    const { keyOf, atOf, most } = this.#shape;
    const before = this.#shards.get(shard) ?? [];
    const known = new Map(before.map((item) => [keyOf(item), item]));
    const older = since === null ? [] : before.filter((item) => atOf(item) < since);
    const after = [...read.map((item) => known.get(keyOf(item)) ?? item), ...older].slice(0, most);
    const isSame = after.length === before.length && after.every((item, i) => item === before[i]);
    if (isSame) return;
    this.#shards.set(shard, after);
    this.#changes += 1;
  }

  /** Those of all shards since an instant, newest first. */
  since(at: Millis): Item[] {
    const { atOf } = this.#shape;
    const items = [...this.#shards.values()].flat().filter((item) => atOf(item) >= at);
    return items.sort((one, other) => atOf(other) - atOf(one));
  }
}
