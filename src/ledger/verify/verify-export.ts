import { createHash } from 'node:crypto';
import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import { type Line, parseLine } from '../lines/line.ts';
import type { Verifier } from '../note/keys.ts';
import { createChainChecks, type Problem } from './chains.ts';
import { checkAfter } from './check-after.ts';
import { type FileLine, linesOf } from './file-lines.ts';
import { createLineChecks } from './line-checks.ts';
import { checkManifest } from './manifest-checks.ts';
import { numberedLines } from './npm-banner.ts';
import type { Summary } from './summary.ts';
import { createTreeChecks } from './tree-checks.ts';

interface VerifyOptions {
  /** The key that must have signed it; null for those that it names itself. */
  key: Verifier | null;
  /** What must still be there, from an older checkpoint. */
  after: TreeHead | null;
}

/** Checks an export from its bytes alone. Resolves to the first problem, or to what it proves. */
export async function verifyExport(
  file: AsyncIterable<Buffer>,
  { key, after }: VerifyOptions,
): Promise<{ kind: 'wrong'; problem: Problem } | { kind: 'proven'; summary: Summary }> {
  let number = 0;
  const hash = createHash('sha256');
  const chains = createChainChecks(() => number);
  const tree = createTreeChecks(after?.size ?? null, () => number);
  const { seen, check, checkPolicies } = createLineChecks({ chains, tree });
  for await (const fileLine of numberedLines(linesOf(file))) {
    number = fileLine.number;
    const line = readLine(fileLine);
    const text = typeof line === 'string' ? line : check(line);
    if (text !== null) return { kind: 'wrong', problem: { line: number, text } };
    if (!seen.manifest) hash.update(fileLine.bytes).update('\n');
  }
  const { manifest, entries } = seen;
  if (!manifest)
    return { kind: 'wrong', problem: { line: number + 1, text: 'is missing: the export is not complete' } };
  const found = { line: number, entries, sha256: hash.digest('hex'), tree, chains };
  const problem =
    checkManifest(manifest, found, key) ?? checkPolicies(manifest) ?? checkAfter(after, { line: number, tree });
  if (problem) return { kind: 'wrong', problem };
  const [checkpoint = null] = tree.checkpoints();
  return {
    kind: 'proven',
    summary: {
      manifest,
      entries,
      decisions: chains.decisions(),
      runs: chains.runs(),
      time: checkpoint?.terms?.time ?? null,
      after,
    },
  };
}

/** A sentence if it can't be a line of an export. */
function readLine({ bytes, isEnded }: FileLine): Line | string {
  if (!isEnded) return 'has no line break at its end';
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? parseLine(text) : "isn't UTF-8";
}
