// Mistakes in a file that the operator writes, as sentences in the order of their lines.

import type { z } from 'zod';
import { closestName } from '../core/values/closest-name.ts';
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
  const closest = closestName(written, names);
  return closest === null ? '' : `; did you mean ${closest}?`;
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
