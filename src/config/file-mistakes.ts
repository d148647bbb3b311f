// Mistakes in a file that the operator writes, as sentences in the order of their lines.

import type { z } from 'zod';
import type { Mistake } from './compare-crews.ts';
import type { Remark } from './yaml-file.ts';

/** What an issue says; a name that isn't one of these gets the one that was probably meant. */
export function mistakesIn(issue: z.core.$ZodIssue, names: readonly string[]): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: `isn't a setting${didYouMean(key, names)}`,
  }));
}

/** The end of a sentence about a name that there isn't, with the one that was probably meant; empty if none is similar. */
export function didYouMean(written: string, names: readonly string[]): string {
  const [closest] = names
    .map((name) => ({ name, edits: editsBetween(simple(written), simple(name)) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return closest ? `; did you mean ${closest.name}?` : '';
}

function simple(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The Levenshtein distance: how many characters must be changed, added or removed. */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[to.length] ?? 0;
}

/** By line, each sentence once. */
export function inOrder(remarks: Remark[]): string[] {
  const sorted = [...remarks].sort((a, b) => a.offset - b.offset);
  return [...new Set(sorted.map(({ sentence }) => sentence))];
}

/** A mistake as a sentence that begins with its file. */
export function inFile(file: string, mistake: string): string {
  return `${file}, ${mistake}${mistake.endsWith('?') ? '' : '.'}`;
}
