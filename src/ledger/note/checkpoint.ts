import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import { ORIGIN, type Signer, type Verifier } from './keys.ts';
import { isSignedBy, parseNote, signNote } from './signed-note.ts';

/** The head of a tree as transparency logs sign it: https://c2sp.org/tlog-checkpoint */
export function signCheckpoint({ size, root }: TreeHead, signers: readonly Signer[]): string {
  return signNote(`${ORIGIN}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`, signers);
}

/** A checkpoint, and which of the keys have signed it; null if it isn't one. */
export function parseCheckpoint(
  text: string,
  verifiers: readonly Verifier[],
): { head: TreeHead; signedBy: Verifier[] } | null {
  const note = parseNote(text);
  const [, size, root = ''] = CHECKPOINT.exec(note?.text ?? '') ?? [];
  const bytes = Buffer.from(root, 'base64');
  if (!note || bytes.length !== 32 || bytes.toString('base64') !== root) return null;
  const signedBy = verifiers.filter((verifier) => isSignedBy(note, verifier));
  return { head: { size: Number(size), root: bytes.toString('hex') }, signedBy };
}

/** Lines after the root are extensions, which may be there. */
const CHECKPOINT = new RegExp(`^${ORIGIN}\\n(0|[1-9][0-9]{0,14})\\n([A-Za-z0-9+/]{43}=)\\n(?:[^\\n]+\\n)*$`);
