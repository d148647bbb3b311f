import { policyOf } from '../../core/approval/policy/document.ts';
import type { CrewPolicy } from '../../core/approval/policy/policy.ts';
import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import { sha256 } from '../../core/ledger/sha256.ts';
import type { EntryLine, Line, Manifest, PolicyLine, ProofLine } from '../lines/line.ts';
import type { ChainChecks, Problem } from './chains.ts';
import type { TreeChecks } from './tree-checks.ts';

/** What the lines of an export have told so far. */
interface LinesSeen {
  lines: number;
  entries: number;
  /** The last line. */
  manifest: Manifest | null;
}

interface LineChecks {
  seen: Readonly<LinesSeen>;
  /** What is wrong with the next line; null if nothing is. */
  check(line: Line): string | null;
  /** What is wrong that only all lines together tell; null if nothing is. */
  checkPolicies(manifest: Manifest): Problem | null;
}

/** Checks the lines of an export in their order: checkpoints, then each entry with its proof, then the last one. */
export function createLineChecks({ chains, tree }: { chains: ChainChecks; tree: TreeChecks }): LineChecks {
  const seen: LinesSeen = { lines: 0, entries: 0, manifest: null };
  const policies = new Map<string, CrewPolicy>();
  /** The entry whose proof comes next. */
  let unproven: EntryLine | null = null;

  const checkProof = (line: ProofLine) => {
    const entry = unproven;
    unproven = null;
    return entry ? tree.checkProof(line, entry) : 'is a proof without an entry';
  };

  const checkEntry = (line: EntryLine) => {
    unproven = line;
    seen.entries += 1;
    return chains.check(line, policies);
  };

  const checkOrder = (line: Line) => {
    if (seen.manifest) return 'comes after the last line';
    if (unproven && !('proof' in line)) return 'should be the proof of the entry before it';
    if (seen.lines === 0 && !('checkpoint' in line)) return 'should be a checkpoint';
    return 'checkpoint' in line && seen.entries > 0 ? 'is a checkpoint among entries' : null;
  };

  const checkContent = (line: Line) => {
    if ('checkpoint' in line) return tree.checkCheckpoint(line);
    if ('policy' in line) return addPolicy(policies, line);
    if ('proof' in line) return checkProof(line);
    if (!('export' in line)) return checkEntry(line);
    seen.manifest = line;
    return null;
  };

  return {
    seen,
    check(line) {
      const problem = checkOrder(line) ?? checkContent(line);
      seen.lines += 1;
      return problem;
    },
    checkPolicies({ export: { absent } }) {
      return chains.strayPolicy({ policies, mayHaveExpired: absent === null || absent.length > 0 });
    },
  };
}

function addPolicy(policies: Map<string, CrewPolicy>, { policy: { document, hash } }: PolicyLine): string | null {
  if (sha256(canonicalJson(document)) !== hash) return "has a policy whose hash isn't its own";
  policies.set(hash, policyOf(document));
  return null;
}
