import { EMPTY_ROOT } from '../../core/ledger/merkle-tree.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readDailyCheckpoints } from '../../redis/ledger/tree.ts';
import type { CheckpointLine } from '../lines/line.ts';
import { parseCheckpoint, signAgain, signCheckpoint } from '../note/checkpoint.ts';
import type { Signer } from '../note/keys.ts';
import { placesHash, type SealedTree } from '../sealed-tree.ts';
import { CannotExport } from './cannot-export.ts';

interface CheckpointOptions {
  signers: readonly Signer[];
  auditDays: number;
  after: string | null;
  now: number;
}

/** The checkpoint of the whole tree, then those of earlier days, and the one asked for. @throws {CannotExport} */
export async function* checkpointLines(
  redis: RedisClient,
  tree: SealedTree,
  { signers, auditDays, after, now }: CheckpointOptions,
): AsyncGenerator<CheckpointLine> {
  const beginning = { time: now, auditDays, places: placesHash(null) };
  // By all keys of today.
  const note = tree.last
    ? signAgain(tree.last.note, signers)
    : signCheckpoint({ size: 0, root: EMPTY_ROOT }, beginning, signers);
  yield { checkpoint: { consistency: [], note } };
  for (const daily of await readDailyCheckpoints(redis)) {
    const line = await earlierLine(tree, daily.note);
    if (line) yield line;
  }
  if (after !== null) yield* linesAfter(tree, after);
}

/** Null for one that too much of the tree has expired for. */
async function earlierLine(tree: SealedTree, note: string): Promise<CheckpointLine | null> {
  const head = parseCheckpoint(note, [])?.head;
  // The last one stands there already, and another may have been made since the tree was read.
  if (!head || head.size >= tree.size) return null;
  const consistency = await tree.consistency(head.size);
  if (consistency && consistency.root !== head.root)
    throw new CannotExport(`The ledger in Redis is not the one that was sealed at ${head.size} entries.`);
  return consistency && { checkpoint: { consistency: consistency.proof, note } };
}

/** Which key has signed it doesn't matter, since it has to be a checkpoint of this very tree. */
async function* linesAfter(tree: SealedTree, note: string): AsyncGenerator<CheckpointLine> {
  const checkpoint = parseCheckpoint(note, []);
  if (!checkpoint) throw new CannotExport('What --after names is not a checkpoint.');
  const { head } = checkpoint;
  if (head.size > tree.size || (head.size === tree.size && head.root !== tree.root))
    throw new CannotExport('The ledger is not the one that the checkpoint of --after was made from.');
  if (head.size === tree.size) return;
  const line = await earlierLine(tree, note);
  if (!line) throw new CannotExport('The entries around the checkpoint that --after names have expired.');
  yield line;
}
