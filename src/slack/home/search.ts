import type { OpenRun } from '../../core/inbox/snapshot.ts';

/** Inputs can be megabytes; what people remember of them stands at the beginning. */
const MOST_SEARCHED = 2_000;

/** Whether a text has all of the words, in any case and with or without accents. */
export function hasWords(text: string, words: string): boolean {
  const searched = folded(text);
  return folded(words)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whatever of a run can be searched. */
export function searchedOfRun({ crew, starter, inputs }: Pick<OpenRun, 'crew' | 'starter' | 'inputs'>): string {
  const values = Object.values(inputs).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [crew, starter?.name ?? '', ...values.map((value) => value.slice(0, MOST_SEARCHED))].join('\n');
}
