// Mistakes in a file that the operator writes, as sentences in the order of their lines.

import type { z } from 'zod';
import { closestName } from '../core/values/closest-name.ts';
import type { Mistake } from './compare-crews.ts';
import type { Remark } from './yaml-file.ts';

/** Returns the text of an issue. An unknown name gets a suggestion. */
export function mistakesIn(issue: z.core.$ZodIssue, names: readonly string[]): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: `isn't a setting${didYouMean(key, names)}`,
  }));
}

/** Returns a suggestion for an unknown name, to end a sentence; empty if no name is similar. */
export function didYouMean(written: string, names: readonly string[]): string {
  const closest = closestName(written, names);
  return closest === null ? '' : `; did you mean ${closest}?`;
}

/** Sorts by line, and keeps each sentence once. */
export function inOrder(remarks: Remark[]): string[] {
  const sorted = [...remarks].sort((a, b) => a.offset - b.offset);
  return [...new Set(sorted.map(({ sentence }) => sentence))];
}

/** Returns a mistake as a sentence that begins with its file. */
export function inFile(file: string, mistake: string): string {
  return `${file}, ${mistake}${mistake.endsWith('?') ? '' : '.'}`;
}
