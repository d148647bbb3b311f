import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import { policyNamedIn } from '../../core/ledger/event.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readPolicy } from '../../redis/ledger/policies.ts';
import type { Manifest } from '../lines/line.ts';
import type { Signer } from '../note/keys.ts';
import { type SealOptions, sealNew } from '../seal.ts';
import { SealedRuns } from '../sealed-runs.ts';
import { expiredSize, openTree } from '../sealed-tree.ts';
import { checkpointLines } from './checkpoints.ts';
import { type Absent, type ProvenEntry, provenEntries, type Sealed } from './entries.ts';
import { createChains, type Filters, isUnfiltered } from './selection.ts';

interface ExportOptions extends SealOptions {
  filters: Filters;
  /** An older checkpoint; the export then proves that it goes on from there. Null for none. */
  after: string | null;
  now: number;
}

/**
 * Seals what is new, then gives the lines of an export, each with its line break.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} @throws {CannotExport}
 */
export async function* exportLines(redis: RedisClient, options: ExportOptions): AsyncGenerator<string> {
  const { signers, auditDays, filters, now } = options;
  await sealNew(redis, options);
  const hash = createHash('sha256');
  const lineOf = (value: unknown) => {
    const line = `${canonicalJson(value)}\n`;
    hash.update(line);
    return line;
  };
  const sealed = await readSealed(redis, options);
  for await (const line of checkpointLines(redis, sealed.tree, options)) yield lineOf(line);
  const chains = createChains(redis, filters, sealed.places.tiles);
  const absent: Absent = [];
  const runs: Record<string, [number, number]> = {};
  const named = new Set<string>();
  let entries = 0;
  for await (const { entry, proof } of provenEntries(sealed, { chains, absent })) {
    for (const line of await policyLines(redis, entry, named)) yield lineOf(line);
    yield lineOf(entry);
    yield lineOf(proof);
    entries += 1;
    runs[entry.ref] = [runs[entry.ref]?.[0] ?? entry.seq, entry.seq];
  }
  const content: Manifest['export'] = {
    absent: isUnfiltered(filters) ? absent : null,
    at: now,
    audit_days: auditDays,
    entries,
    filters,
    keys: signers.map(({ vkey }) => vkey),
    runs: isUnfiltered(filters) ? null : runs,
    sha256: hash.digest('hex'),
    size: sealed.tree.size,
  };
  yield `${canonicalJson(signManifest(content, signers))}\n`;
}

async function readSealed(redis: RedisClient, { signers, auditDays, now }: ExportOptions): Promise<Sealed> {
  const tree = await openTree(redis, signers);
  const places = await tree.places(0);
  const runs = new SealedRuns();
  runs.add(places);
  return { tree, places, runs, expired: await expiredSize(redis, tree, { keys: signers, auditDays, now }) };
}

/** The policy that an entry is the first one to name. */
async function policyLines(redis: RedisClient, { facts }: ProvenEntry['entry'], named: Set<string>) {
  const hash = policyNamedIn(facts);
  if (hash === null || named.has(hash)) return [];
  named.add(hash);
  const document = await readPolicy(redis, hash);
  // An export without it is still worth more than none.
  return document === null ? [] : [{ policy: { document: JSON.parse(document), hash } }];
}

function signManifest(content: Manifest['export'], signers: readonly Signer[]): Manifest {
  const text = canonicalJson(content);
  return { export: content, signatures: signers.map(({ sign }) => sign(text).toString('base64')) };
}
