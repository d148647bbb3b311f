import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import { policyNamedIn } from '../../core/ledger/event.ts';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import type { RedisClient } from '../../redis/connection/call.ts';
import { readPolicy } from '../../redis/ledger/policies.ts';
import type { Manifest } from '../lines/line.ts';
import type { Signer } from '../note/keys.ts';
import { type SealOptions, sealNew } from '../seal.ts';
import { checkpointLines } from './checkpoints.ts';
import { type Presence, type ProvenEntry, provenEntries } from './entries.ts';
import { openTree } from './sealed-tree.ts';
import { createChains, type Filters, isUnfiltered, refsInTime } from './selection.ts';

interface ExportOptions extends SealOptions {
  filters: Filters;
  /** An older checkpoint; the export then proves that it goes on from there. Null for none. */
  after: string | null;
  now: number;
}

/**
 * Seals what is new, then gives the lines of an export, each with its line break.
 * @throws {StoreUnavailable} @throws {CannotExport}
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
  const tree = await openTree(redis);
  for await (const line of checkpointLines(redis, tree, options)) yield lineOf(line);
  const chains = createChains(redis, filters, await refsInTime(redis, filters, Math.ceil(tree.size / TILE)));
  const presence: Presence = { absent: [], keptFrom: 0 };
  const named = new Set<string>();
  let entries = 0;
  for await (const { entry, proof } of provenEntries(redis, tree, { chains, presence })) {
    for (const line of await policyLines(redis, entry, named)) yield lineOf(line);
    yield lineOf(entry);
    yield lineOf(proof);
    entries += 1;
  }
  const content: Manifest['export'] = {
    absent: isUnfiltered(filters) ? presence.absent : null,
    at: now,
    audit_days: auditDays,
    entries,
    filters,
    kept_from: presence.keptFrom,
    keys: signers.map(({ vkey }) => vkey),
    sha256: hash.digest('hex'),
    size: tree.size,
  };
  yield `${canonicalJson(signManifest(content, signers))}\n`;
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
