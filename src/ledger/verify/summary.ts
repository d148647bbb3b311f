import type { TreeHead } from '../../core/ledger/check-proofs.ts';
import type { Manifest } from '../lines/line.ts';
import { parseVkey } from '../note/keys.ts';

/** What an export proves. */
export interface Summary {
  manifest: Manifest;
  entries: number;
  runs: number;
  decisions: number;
  checkpoint: { at: number | null; head: TreeHead } | null;
  after: TreeHead | null;
}

/** For a person, in a few lines. @param isKeyGiven whether the key came from somewhere else than the export itself */
export function summaryText({ manifest, entries, runs, decisions, checkpoint, after }: Summary, keys: 'given' | 'own') {
  const { absent, keys: vkeys, size, filters } = manifest.export;
  const ids = `the key${vkeys.length === 1 ? '' : 's'} ${vkeys.map((vkey) => parseVkey(vkey)?.id).join(' and ')}`;
  const time = new Date(checkpoint?.at ?? 0).toISOString();
  const gone = (absent ?? []).reduce((sum, [from, until]) => sum + until - from, 0);
  const isWhole = Object.values(filters).every((filter) => filter === null);
  return [
    `OK: ${count(entries, 'entry', 'entries')} of ${count(runs, 'run', 'runs')}, ${count(decisions, 'decision', 'decisions')} allowed by the policy that each names.`,
    `Sealed: by the checkpoint of ${time} over ${count(size, 'entry', 'entries')}.`,
    isWhole
      ? `Complete: ${gone === 0 ? 'every sealed entry is here' : `every sealed entry is here but ${gone}, which have expired`}.`
      : 'A selection: some runs, each from its first entry to its last.',
    ...(after ? [`Nothing that was sealed by the checkpoint of ${after.size} was removed, changed or reordered.`] : []),
    keys === 'given'
      ? `Signed by ${ids}.`
      : `Signed by ${ids}, which the file itself names: compare it with what \`audit -- key\` prints, or give it with --key.`,
  ];
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
