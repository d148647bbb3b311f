import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import type { Manifest } from '../lines/line.ts';
import { isExpired, parseCheckpoint } from '../note/checkpoint.ts';
import { parseVkey, type Verifier } from '../note/keys.ts';
import type { ChainChecks, Problem } from './chains.ts';
import type { TreeChecks } from './tree-checks.ts';

/** What was found before the last line. */
interface Found {
  /** Of the last line. */
  line: number;
  entries: number;
  sha256: string;
  tree: TreeChecks;
  chains: ChainChecks;
}

/** Checks the last line, and everything before it that only this line tells how to check. */
export function checkManifest(manifest: Manifest, found: Found, key: Verifier | null): Problem | null {
  const { export: content } = manifest;
  const problem = (text: string, line = found.line): Problem => ({ line, text });
  const keys = content.keys.map(parseVkey);
  const known = keys.filter((each) => each !== null);
  if (known.length < keys.length) return problem('has a key that is none');
  if (!isSigned(manifest, known)) return problem('has a signature that is not valid');
  if (key && !known.some(({ vkey }) => vkey === key.vkey)) {
    const signers = known.map(({ id }) => id).join(' and ');
    return problem(
      `was not signed by the key ${key.id}, but by ${signers}: give one of these with --key, if you trust it`,
    );
  }
  if (content.sha256 !== found.sha256) return problem('was not signed for what comes before it');
  if (content.entries !== found.entries) return problem(`says that there are ${content.entries} entries`);
  return checkSignatures(found, known) ?? checkPresence(content, found, known);
}

function isSigned({ export: content, signatures }: Manifest, keys: readonly Verifier[]): boolean {
  const text = canonicalJson(content);
  const isValid = (key: Verifier, base64 = '') => {
    const bytes = Buffer.from(base64, 'base64');
    return bytes.toString('base64') === base64 && key.verifies(text, bytes);
  };
  return signatures.length === keys.length && keys.every((key, i) => isValid(key, signatures[i]));
}

/** Earlier checkpoints may have been signed by keys that are no longer in use: they stand by their proofs. */
function checkSignatures({ tree }: Found, keys: readonly Verifier[]): Problem | null {
  const [whole] = tree.checkpoints();
  const signedBy = whole ? (parseCheckpoint(whole.note, keys)?.signedBy ?? []) : [];
  return signedBy.length === keys.length ? null : { line: 1, text: 'has a checkpoint that was not signed by all keys' };
}

/** What isn't there has expired: below a checkpoint that says, signed, that it is old enough. */
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
  const expired = Math.max(0, ...old.map(({ head }) => head.size));
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

function differentRun(said: Runs, found: Runs): string | undefined {
  return [...Object.keys(said), ...Object.keys(found)].find((ref) => String(said[ref]) !== String(found[ref]));
}
