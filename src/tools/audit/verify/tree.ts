import { canonicalJson, leafHash } from '../../../core/ledger/entry.ts';
import type { TreeHead } from '../../../core/ledger/merkle-tree.ts';
import {
  type CheckpointTerms,
  isExpired,
  parseCheckpoint,
  parseVkey,
  type Verifier,
} from '../../../ledger/checkpoint.ts';
import type { CheckpointLine, EntryLine, Manifest, ProofLine } from '../lines.ts';
import { type GrowingTree, growTree, provesConsistency, provesInclusion } from '../proofs.ts';
import type { ChainChecks, Problem } from './chains.ts';

// Checks that an export has what was sealed: its checkpoints and proofs as they are read, and at its end what the signed last
// line says, and what an older checkpoint requires.

/** A checkpoint of an export. */
interface SeenCheckpoint {
  line: number;
  note: string;
  head: TreeHead;
  terms: CheckpointTerms;
}

/** The claims of an export about the tree of its entries. */
export interface TreeChecks {
  checkCheckpoint(line: CheckpointLine): string | null;
  checkProof(line: ProofLine, entry: EntryLine): string | null;
  /** Returns the checkpoints, that of the whole tree first. */
  checkpoints(): readonly SeenCheckpoint[];
  /** Leaves whose entries aren't in the export, as [from, until[. */
  gaps(): [number, number][];
  /** Returns the root of the tree when it had the given size; null if some of those entries are missing. */
  rootThen(): string | null;
}

/** @param size size of the tree for `rootThen` @param line returns the number of the current line */
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

/** Results of all lines before the last one. */
interface Found {
  /** Facts of the last line. */
  line: number;
  entries: number;
  sha256: string;
  tree: TreeChecks;
  chains: ChainChecks;
}

/** Checks the last line, and everything that only it makes checkable. */
export function checkManifest(manifest: Manifest, facts: Found, key: Verifier | null): Problem | null {
  const { export: content } = manifest;
  const problem = (text: string, line = facts.line): Problem => ({ line, text });
  const keys = content.keys.map(parseVkey);
  const verifiers = keys.filter((each) => each !== null);
  if (verifiers.length < keys.length) return problem('has a key that is none');
  if (!isSigned(manifest, verifiers)) return problem('has a signature that is not valid');
  if (key && !verifiers.some(({ vkey }) => vkey === key.vkey)) {
    const signers = verifiers.map(({ id }) => id).join(' and ');
    return problem(
      `was not signed by the key ${key.id}, but by ${signers}: give one of these with --key, if you trust it`,
    );
  }
  if (content.sha256 !== facts.sha256) return problem('was not signed for what comes before it');
  if (content.entries !== facts.entries) return problem(`says that there are ${content.entries} entries`);
  return checkSignatures(facts, verifiers) ?? checkPresence(content, facts, verifiers);
}

function isSigned({ export: content, signatures }: Manifest, keys: readonly Verifier[]): boolean {
  const text = canonicalJson(content);
  const isValid = (key: Verifier, base64 = '') => {
    const bytes = Buffer.from(base64, 'base64');
    return bytes.toString('base64') === base64 && key.verifies(text, bytes);
  };
  return signatures.length === keys.length && keys.every((key, i) => isValid(key, signatures[i]));
}

/** Checks the signatures of the last checkpoint. Earlier ones, whose keys may be gone, rest on their proofs. */
function checkSignatures({ tree }: Found, keys: readonly Verifier[]): Problem | null {
  const [whole] = tree.checkpoints();
  const signedBy = whole ? (parseCheckpoint(whole.note, keys)?.signedBy ?? []) : [];
  return signedBy.length === keys.length ? null : { line: 1, text: 'has a checkpoint that was not signed by all keys' };
}

/** Checks that missing entries have expired: they must lie below a signed checkpoint that is old enough. */
function checkPresence(
  { absent, runs, size, at, audit_days: auditDays }: Manifest['export'],
  { line, tree, chains }: Found,
  keys: readonly Verifier[],
): Problem | null {
  const checkpoints = tree.checkpoints();
  if (size !== checkpoints[0]?.head.size) return { line, text: `says that ${size} entries are sealed` };
  const old = checkpoints.filter(({ note }) => {
    const checkpoint = parseCheckpoint(note, keys);
    return checkpoint !== null && checkpoint.signedBy.length > 0 && isExpired(checkpoint.terms, { auditDays, at });
  });
  const expired = old.reduce((most, { head }) => Math.max(most, head.size), 0);
  const firstCut = chains.firstCut();
  if (firstCut !== null && expired === 0)
    return { line: firstCut, text: 'is not the first entry of its run, which is not there' };
  if ((absent === null) === (runs === null))
    return { line, text: 'says both or neither of what is absent and which runs are chosen' };
  if (runs !== null)
    return canonicalJson(runs) === canonicalJson(chains.lengths())
      ? null
      : { line, text: `says that the runs have other entries: ${differentRun(runs, chains.lengths())}` };
  if (canonicalJson(absent) !== canonicalJson(tree.gaps())) return { line, text: 'says that other entries are absent' };
  const missing = tree.gaps().find(([, until]) => until > expired);
  return missing
    ? {
        line,
        text: `lacks entries ${missing[0]} to ${missing[1] - 1} of the tree, and no checkpoint here proves that they can have expired`,
      }
    : null;
}

type Runs = Record<string, [number, number]>;

function differentRun(said: Runs, actual: Runs): string | undefined {
  return [...Object.keys(said), ...Object.keys(actual)].find((ref) => String(said[ref]) !== String(actual[ref]));
}

/** Checks that an export continues an older checkpoint: it must have that one with a proof, or all entries that it covers. */
export function checkAfter(after: TreeHead | null, { line, tree }: { line: number; tree: TreeChecks }): Problem | null {
  if (after === null) return null;
  const { size, root } = after;
  const whole = tree.checkpoints()[0]?.head.size ?? 0;
  if (size > whole) return { line: 1, text: `has a checkpoint of ${whole} entries, but ${size} were sealed before` };
  const same = tree.checkpoints().find(({ head }) => head.size === size);
  const actual = same?.head.root ?? tree.rootThen();
  if (actual === null)
    return { line, text: `lacks a proof about the checkpoint of ${size} entries: export it with --after, too` };
  if (actual === root) return null;
  return { line: same?.line ?? line, text: `doesn't go on from the checkpoint of ${size} entries: some were changed` };
}
