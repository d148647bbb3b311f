import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import type { Problem } from './chains.ts';
import type { TreeChecks } from './tree-checks.ts';

/** Whether an export goes on from an older checkpoint: it has that one with a proof, or all entries that were sealed then. */
export function checkAfter(after: TreeHead | null, { line, tree }: { line: number; tree: TreeChecks }): Problem | null {
  if (after === null) return null;
  const { size, root } = after;
  const whole = tree.checkpoints()[0]?.head.size ?? 0;
  if (size > whole) return { line: 1, text: `has a checkpoint of ${whole} entries, but ${size} were sealed before` };
  const same = tree.checkpoints().find(({ head }) => head.size === size);
  const found = same?.head.root ?? tree.rootThen();
  if (found === null)
    return { line, text: `lacks a proof about the checkpoint of ${size} entries: export it with --after, too` };
  if (found === root) return null;
  return { line: same?.line ?? line, text: `doesn't go on from the checkpoint of ${size} entries: some were changed` };
}
