import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import type { Millis } from '../../core/time.ts';
import { ORIGIN, type Signer, type Verifier } from './keys.ts';
import { isSignedBy, parseNote, signNote } from './signed-note.ts';

/** What a checkpoint says besides the head of its tree, in extension lines: https://c2sp.org/tlog-checkpoint#note-text */
export interface CheckpointTerms {
  /** When it was made. */
  time: Millis;
  /** How many days the entries of a run were kept then, after the last one. */
  auditDays: number;
  /** The SHA-256, in hex, of the places of the last tile, which name those of the tile before, and so on. */
  places: string;
}

export interface Checkpoint {
  head: TreeHead;
  /** Null for one of a time when checkpoints had no extension lines: it doesn't prove how old it is. */
  terms: CheckpointTerms | null;
  /** Which of the keys that it was read with have signed it. */
  signedBy: Verifier[];
}

/** The head of a tree as transparency logs sign it: https://c2sp.org/tlog-checkpoint */
export function signCheckpoint(
  { size, root }: TreeHead,
  { time, auditDays, places }: CheckpointTerms,
  signers: readonly Signer[],
): string {
  const extension = `time ${time}\naudit_days ${auditDays}\nplaces ${base64(places)}\n`;
  return signNote(`${ORIGIN}\n${size}\n${base64(root)}\n${extension}`, signers);
}

/** The same checkpoint, signed by these keys alone. The caller has to know that it is true. */
export function signAgain(note: string, signers: readonly Signer[]): string {
  return signNote(parseNote(note)?.text ?? '', signers);
}

/** Null if it isn't a checkpoint. */
export function parseCheckpoint(text: string, verifiers: readonly Verifier[]): Checkpoint | null {
  const note = parseNote(text);
  const [, size, root = '', extension = ''] = CHECKPOINT.exec(note?.text ?? '') ?? [];
  const head = { size: Number(size), root: hashOf(root) ?? '' };
  if (!note || head.root === '') return null;
  return { head, terms: termsOf(extension), signedBy: verifiers.filter((verifier) => isSignedBy(note, verifier)) };
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether everything that was sealed by a checkpoint may have expired at this time. */
export function isExpired(
  terms: CheckpointTerms | null,
  { auditDays, at }: { auditDays: number; at: Millis },
): boolean {
  return terms !== null && terms.time + Math.min(terms.auditDays, auditDays) * DAY_MS <= at;
}

/** Lines after the root are extensions, which may be there. */
const CHECKPOINT = new RegExp(`^${ORIGIN}\\n(0|[1-9][0-9]{0,14})\\n([A-Za-z0-9+/]{43}=)\\n((?:[^\\n]+\\n)*)$`);
const TERMS = /^time (0|[1-9][0-9]{0,14})\naudit_days ([1-9][0-9]{0,5})\nplaces ([A-Za-z0-9+/]{43}=)\n/;

function termsOf(extension: string): CheckpointTerms | null {
  const [, time, days, places = ''] = TERMS.exec(extension) ?? [];
  const hash = hashOf(places);
  return hash === null ? null : { time: Number(time), auditDays: Number(days), places: hash };
}

function base64(hash: string): string {
  return Buffer.from(hash, 'hex').toString('base64');
}

/** In hex; null if it isn't the base64 of a hash. */
function hashOf(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === base64 ? bytes.toString('hex') : null;
}
