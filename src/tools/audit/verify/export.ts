import { createHash } from 'node:crypto';
import { parseCondition } from '../../../conditions/cel.ts';
import { canonicalJson, sha256 } from '../../../core/ledger/entry.ts';
import type { TreeHead } from '../../../core/ledger/merkle-tree.ts';
import type { CrewPolicy } from '../../../core/policy/policy.ts';
import type { Millis } from '../../../core/values/time.ts';
import { parseVkey, type Verifier } from '../../../ledger/checkpoint.ts';
import { type EntryLine, type Line, type Manifest, type PolicyLine, type ProofLine, parseLine } from '../lines.ts';
import { type ChainChecks, createChainChecks, type Problem } from './chains.ts';
import { policyOf } from './policy-of-document.ts';
import { checkAfter, checkManifest, createTreeChecks, type TreeChecks } from './tree.ts';

// Verifies an export from its bytes alone, line by line: the format of each line, its place, and what all lines prove together.

interface VerifyOptions {
  /** Key that must have signed it; null for the keys that it names itself. */
  key: Verifier | null;
  /** Head of an older checkpoint that it must continue. */
  after: TreeHead | null;
}

/** Checks an export from its bytes alone. Resolves to the first problem, or to what it proves. */
export async function verifyExport(
  file: AsyncIterable<Buffer>,
  { key, after }: VerifyOptions,
): Promise<{ kind: 'wrong'; problem: Problem } | { kind: 'proven'; summary: Summary }> {
  let number = 0;
  const hash = createHash('sha256');
  const chains = createChainChecks(() => number);
  const tree = createTreeChecks(after?.size ?? null, () => number);
  const { seen, check, checkPolicies } = createLineChecks({ chains, tree });
  for await (const { bytes, line, ...place } of readLines(file)) {
    number = place.number;
    const text = typeof line === 'string' ? line : check(line);
    if (text !== null) return { kind: 'wrong', problem: { line: number, text } };
    if (!seen.manifest) hash.update(bytes).update('\n');
  }
  const { manifest, entries } = seen;
  const [checkpoint] = tree.checkpoints();
  if (!manifest || !checkpoint)
    return { kind: 'wrong', problem: { line: number + 1, text: 'is missing: the export is not complete' } };
  const content = { line: number, entries, sha256: hash.digest('hex'), tree, chains };
  const problem =
    checkManifest(manifest, content, key) ?? checkPolicies(manifest) ?? checkAfter(after, { line: number, tree });
  if (problem) return { kind: 'wrong', problem };
  return {
    kind: 'proven',
    summary: {
      manifest,
      entries,
      decisions: chains.decisions(),
      runs: chains.runs(),
      time: checkpoint.terms.time,
      after,
    },
  };
}

/** Yields the lines of an export; a sentence in place of an unreadable line. */
export async function* readLines(
  file: AsyncIterable<Buffer>,
): AsyncGenerator<{ number: number; bytes: Buffer; line: Line | string }> {
  for await (const fileLine of numberedLines(linesOf(file)))
    yield { number: fileLine.number, bytes: fileLine.bytes, line: readLine(fileLine) };
}

function readLine({ bytes, isEnded }: FileLine): Line | string {
  if (!isEnded) return 'has no line break at its end';
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? parseLine(text) : "isn't UTF-8";
}

/** Counts of the lines so far. */
interface LinesSeen {
  lines: number;
  entries: number;
  /** The last line. */
  manifest: Manifest | null;
}

interface LineChecks {
  seen: Readonly<LinesSeen>;
  /** Returns what is wrong with the next line; null if nothing is. */
  check(line: Line): string | null;
  /** Returns what is wrong according to all lines together; null if nothing is. */
  checkPolicies(manifest: Manifest): Problem | null;
}

/** Checks the lines of an export in their order: checkpoints, then each entry with its proof, then the last one. */
function createLineChecks({ chains, tree }: { chains: ChainChecks; tree: TreeChecks }): LineChecks {
  const seen: LinesSeen = { lines: 0, entries: 0, manifest: null };
  const policies = new Map<string, CrewPolicy>();
  /** Entry whose proof comes next. */
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
      return chains.strayPolicy(absent === null || absent.length > 0);
    },
  };
}

/** Remembers a policy, and returns what is wrong with it; null if nothing is. */
export function addPolicy(
  policies: Map<string, CrewPolicy>,
  { policy: { document, hash } }: PolicyLine,
): string | null {
  if (sha256(canonicalJson(document)) !== hash) return "has a policy whose hash isn't its own";
  policies.set(hash, policyOf(document, parseCondition));
  return null;
}

const LINE_BREAK = 0x0a;

/** A line of a file without its line break. The last line of a broken file may have none. */
interface FileLine {
  bytes: Buffer;
  isEnded: boolean;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      yield { bytes: Buffer.concat([...rest, chunk.subarray(from, end)]), isEnded: true };
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), isEnded: false };
}

/** The lines that npm writes before the output of a script, unless it runs silently. */
const BANNER = [/^$/, /^> signoff@\S+ audit$/, /^> node src\/setup\/run\.mjs dist\/audit\.js( .*)?$/, /^$/];

/** Numbers the lines of a file, and leaves out npm's banner at its beginning. */
async function* numberedLines(lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine & { number: number }> {
  const banner: FileLine[] = [];
  let number = 0;
  for await (const line of lines) {
    if (number === 0 && isBanner([...banner, line])) {
      banner.push(line);
      if (banner.length < BANNER.length) continue;
      number = banner.splice(0).length;
      continue;
    }
    for (const each of [...banner.splice(0), line]) {
      number += 1;
      yield { ...each, number };
    }
  }
  for (const each of banner) {
    number += 1;
    yield { ...each, number };
  }
}

function isBanner(lines: readonly FileLine[]): boolean {
  return lines.every(({ bytes, isEnded }, i) => isEnded && BANNER[i]?.test(bytes.toString('utf8')));
}

/** The facts that an export proves. */
interface Summary {
  manifest: Manifest;
  entries: number;
  runs: number;
  decisions: number;
  /** Time of the whole tree's checkpoint. */
  time: Millis;
  after: TreeHead | null;
}

/** Returns a summary in a few lines. @param keys `given`: the key came from elsewhere than the export itself */
export function summaryText({ manifest, entries, runs, decisions, time, after }: Summary, keys: 'given' | 'own') {
  const { absent, keys: vkeys, size, filters } = manifest.export;
  const ids = `the key${vkeys.length === 1 ? '' : 's'} ${vkeys.map((vkey) => parseVkey(vkey)?.id).join(' and ')}`;
  const gone = (absent ?? []).reduce((sum, [from, until]) => sum + until - from, 0);
  const isWhole = Object.values(filters).every((filter) => filter === null);
  return [
    `OK: ${count(entries, 'entry', 'entries')} of ${count(runs, 'run', 'runs')}, ${count(decisions, 'decision', 'decisions')} allowed by the policy that each names.`,
    `Sealed: by the checkpoint of ${new Date(time).toISOString()} over ${count(size, 'entry', 'entries')}.`,
    isWhole
      ? `Complete: ${gone === 0 ? 'every sealed entry is here' : `every sealed entry is here but ${gone}, which have expired`}.`
      : 'A selection: some runs, each from its first entry to its last.',
    ...(after ? [sinceThen(after, absent)] : []),
    keys === 'given'
      ? `Signed by ${ids}.`
      : `Signed by ${ids}, which the file itself names: compare it with what \`audit -- key\` prints, or give it with --key.`,
  ];
}

/** Returns a sentence about the entries that an older checkpoint covers. */
function sinceThen({ size }: TreeHead, absent: Manifest['export']['absent']): string {
  if (absent === null)
    return `The ledger goes on from the checkpoint of ${size}: nothing that was sealed by it was changed or reordered. Whether all of it is still kept, only a whole export shows.`;
  const gone = absent.reduce((sum, [from, until]) => sum + Math.max(0, Math.min(until, size) - from), 0);
  return gone === 0
    ? `Nothing that was sealed by the checkpoint of ${size} was removed, changed or reordered.`
    : `Of the ${size} entries that were sealed by the checkpoint of ${size}, ${gone} have expired and are not here. Nothing else of it was removed, changed or reordered.`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
