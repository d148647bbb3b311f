import { createHash } from 'node:crypto';

/** The SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of the bytes of another hash, given in hex, followed by a text in UTF-8; in lower-case hex. */
export function sha256After(hash: string, text: string): string {
  return createHash('sha256').update(hash, 'hex').update(text).digest('hex');
}

/** The hash of a leaf of a Merkle tree, given the leaf's 32 bytes in hex. https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
export function leafHash(hash: string): string {
  return createHash('sha256').update(LEAF).update(hash, 'hex').digest('hex');
}

/** The hash of an inner node of a Merkle tree. */
export function nodeHash(left: string, right: string): string {
  return createHash('sha256').update(NODE).update(left, 'hex').update(right, 'hex').digest('hex');
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
