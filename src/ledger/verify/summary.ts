import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import type { Manifest } from '../lines/line.ts';
import { parseVkey } from '../note/keys.ts';

/** What an export proves. */
export interface Summary {
  manifest: Manifest;
  entries: number;
  runs: number;
  decisions: number;
  /** When the checkpoint of the whole tree was made; null if it doesn't say. */
  time: number | null;
  after: TreeHead | null;
}

/** For a person, in a few lines. @param isKeyGiven whether the key came from somewhere else than the export itself */
export function summaryText({ manifest, entries, runs, decisions, time, after }: Summary, keys: 'given' | 'own') {
  const { absent, keys: vkeys, size, filters } = manifest.export;
  const ids = `the key${vkeys.length === 1 ? '' : 's'} ${vkeys.map((vkey) => parseVkey(vkey)?.id).join(' and ')}`;
  const when = time === null ? '' : `of ${new Date(time).toISOString()} `;
  const gone = (absent ?? []).reduce((sum, [from, until]) => sum + until - from, 0);
  const isWhole = Object.values(filters).every((filter) => filter === null);
  return [
    `OK: ${count(entries, 'entry', 'entries')} of ${count(runs, 'run', 'runs')}, ${count(decisions, 'decision', 'decisions')} allowed by the policy that each names.`,
    `Sealed: by the checkpoint ${when}over ${count(size, 'entry', 'entries')}.`,
    isWhole
      ? `Complete: ${gone === 0 ? 'every sealed entry is here' : `every sealed entry is here but ${gone}, which have expired`}.`
      : 'A selection: some runs, each from its first entry to its last.',
    ...(after ? [sinceThen(after, absent)] : []),
    keys === 'given'
      ? `Signed by ${ids}.`
      : `Signed by ${ids}, which the file itself names: compare it with what \`audit -- key\` prints, or give it with --key.`,
  ];
}

/** What has become of the entries that were sealed by an older checkpoint. */
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
