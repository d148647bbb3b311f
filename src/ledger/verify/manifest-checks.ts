import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import type { Manifest } from '../lines/line.ts';
import { parseCheckpoint } from '../note/checkpoint.ts';
import { parseVkey, type Verifier } from '../note/keys.ts';
import type { TreeChecks } from './tree-checks.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What is wrong, and in which line. */
export interface Problem {
  line: number;
  text: string;
}

/** What was found before the last line. */
interface Found {
  /** Of the last line. */
  line: number;
  entries: number;
  sha256: string;
  tree: TreeChecks;
  firstCut: number | null;
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
  if (found.firstCut !== null && content.kept_from === 0)
    return problem('is not the first entry of its run, which is not there', found.firstCut);
  return checkSignatures(found, known) ?? checkPresence(content, found);
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

/** Without a filter, what isn't there has expired. */
function checkPresence({ absent, size, at, audit_days }: Manifest['export'], { line, tree }: Found): Problem | null {
  const [whole, ...earlier] = tree.checkpoints();
  if (size !== whole?.head.size) return { line, text: `says that ${size} entries are sealed` };
  if (absent === null) return null;
  if (canonicalJson(absent) !== canonicalJson(tree.gaps())) return { line, text: 'says that other entries are absent' };
  const young = earlier.find((each) => each.at !== null && each.at >= at - audit_days * DAY_MS);
  const missing = absent.find(([, until]) => young !== undefined && until > young.head.size);
  return missing && young
    ? {
        line,
        text: `lacks entries that were sealed after ${new Date(young.at ?? 0).toISOString()}, so can't have expired`,
      }
    : null;
}
