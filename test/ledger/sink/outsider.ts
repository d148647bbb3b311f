import { createHash } from 'node:crypto';
import type { SinkRecord } from './siem.ts';

// What a receiver does with the records of a whole ledger, by docs/audit/ and the RFCs alone.

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length < 2) return leaves[0] ?? sha256();
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

/** How many entries each checkpoint proves, in the order of the records; throws for what is wrong. */
export function provenBy(records: readonly SinkRecord[]): number[] {
  const leaves: Buffer[] = [];
  const heads = new Map<string, string>();
  const proven: number[] = [];
  for (const record of records) {
    if ('policy' in record) continue;
    if ('entry' in record) {
      const { hash, ...content } = record.entry;
      if (record.index !== leaves.length) throw new Error(`leaf ${leaves.length} is missing`);
      if (content.prev !== (heads.get(content.ref) ?? '')) throw new Error('an entry of a run is missing');
      heads.set(content.ref, hash);
      const text = canonical(content);
      const own = sha256(Buffer.from(String(content.prev), 'hex'), Buffer.from(text)).toString('hex');
      if (own !== hash) throw new Error('an entry has another hash');
      leaves.push(sha256(Buffer.of(0), Buffer.from(hash, 'hex')));
      continue;
    }
    const [, size, root] = record.checkpoint.note.split('\n');
    if (Number(size) !== leaves.length || rootOf(leaves).toString('base64') !== root)
      throw new Error('a checkpoint is of other entries');
    proven.push(leaves.length);
  }
  return proven;
}

/** https://www.rfc-editor.org/rfc/rfc8785 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
