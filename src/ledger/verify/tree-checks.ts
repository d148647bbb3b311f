import { provesConsistency, provesInclusion, type TreeHead } from '../../core/ledger/check-proofs.ts';
import { type GrowingTree, growTree } from '../../core/ledger/growing-tree.ts';
import { leafHash } from '../../core/ledger/sha256.ts';
import type { CheckpointLine, EntryLine, ProofLine } from '../lines/line.ts';
import { type CheckpointTerms, parseCheckpoint } from '../note/checkpoint.ts';

/** A checkpoint of an export. */
interface SeenCheckpoint {
  line: number;
  note: string;
  head: TreeHead;
  terms: CheckpointTerms | null;
}

/** What an export says about the tree that its entries are sealed in. */
export interface TreeChecks {
  checkCheckpoint(line: CheckpointLine): string | null;
  checkProof(line: ProofLine, entry: EntryLine): string | null;
  /** The one of the whole tree first. */
  checkpoints(): readonly SeenCheckpoint[];
  /** Where entries are not in the export, as [from, until[. */
  gaps(): [number, number][];
  /** The root of the tree when it had the size given; null if not all of its entries are there. */
  rootThen(): string | null;
}

/**
 * @param size of the tree whose root is wanted
 * @param line tells the number of the line that is being checked
 */
export function createTreeChecks(size: number | null, line: () => number): TreeChecks {
  const checkpoints: SeenCheckpoint[] = [];
  const gaps: [number, number][] = [];
  let next = 0;
  const tree: GrowingTree = growTree();
  let rootThen: string | null = size === 0 ? tree.root() : null;

  const addLeaf = (index: number, leaf: string) => {
    if (index > next) gaps.push([next, index]);
    next = index + 1;
    if (index === tree.size()) tree.add(leaf);
    if (tree.size() === size) rootThen = tree.root();
  };

  return {
    checkCheckpoint({ checkpoint: { note, consistency } }) {
      const checkpoint = parseCheckpoint(note, []);
      if (!checkpoint) return 'has a checkpoint that is no signed note of ours';
      const { head, terms } = checkpoint;
      const whole = checkpoints[0]?.head ?? head;
      if (!provesConsistency(head, whole, consistency))
        return `has a checkpoint of ${head.size} entries, which the one of ${whole.size} doesn't go on from`;
      checkpoints.push({ line: line(), note, head, terms });
      return null;
    },

    checkProof({ proof: { ref, seq, index, hashes } }, entry) {
      const [whole] = checkpoints;
      const leaf = leafHash(entry.hash);
      if (ref !== entry.ref || seq !== entry.seq) return "isn't the proof of the entry before it";
      if (index < next) return `proves the place ${index}, which comes before that of an entry before it`;
      const isProven = whole !== undefined && provesInclusion(whole.head, { leaf, index, proof: hashes });
      if (!isProven) return "doesn't prove that the entry before it is sealed";
      addLeaf(index, leaf);
      return null;
    },

    checkpoints: () => checkpoints,
    gaps: () => [...gaps, ...lastGap(next, checkpoints[0]?.head.size ?? 0)],
    rootThen: () => rootThen,
  };
}

function lastGap(next: number, size: number): [number, number][] {
  return next < size ? [[next, size]] : [];
}
