import { instructionsIn, partsOf } from '../instructions.ts';
import type { Kind } from './changes.ts';
import type { Language } from './headings.ts';
import { follow } from './notes-rules.ts';

/** How the notes are to look. */
export type NotesStyle = {
  /** A title in so many words, or the number of one of ours. */
  readonly title: string | number;
  readonly groupBy: 'kind' | 'author' | 'area' | 'nothing';
  readonly length: 'short' | 'medium' | 'long';
  readonly tone: 'plain' | 'friendly' | 'dry';
  readonly leftOut: readonly Kind[];
  /** Changes by these people or with these words are left out; lower case. */
  readonly leftOutWords: readonly string[];
  readonly highlights: readonly string[];
  readonly language: Language;
  readonly hashes: 'shown' | 'hidden';
  readonly authors: 'shown' | 'hidden';
};

export type ReadInstructions = {
  readonly style: NotesStyle;
  /** What was asked for and can't be done, in the words of who asked. */
  readonly notFollowed: readonly string[];
};

const FIRST_STYLE: NotesStyle = {
  title: 0,
  groupBy: 'kind',
  length: 'medium',
  tone: 'plain',
  leftOut: ['merges'],
  leftOutWords: [],
  highlights: [],
  language: 'english',
  hashes: 'shown',
  authors: 'shown',
};

/** Reads all feedback so far, oldest first; a later instruction wins over an earlier one. */
export function readInstructions(feedback: readonly string[]): ReadInstructions {
  let style = FIRST_STYLE;
  const notFollowed: string[] = [];
  for (const instruction of feedback.flatMap(instructionsIn).flatMap(understandable)) {
    const followed = follow(style, instruction);
    if (followed === undefined || asksForMore(instruction, style, followed)) notFollowed.push(instruction);
    style = followed ?? style;
  }
  return { style, notFollowed };
}

/** An instruction, or the parts of one that is understood in parts only: "longer, all commits", "shorter and in rhymes". */
function understandable(instruction: string): string[] {
  if (follow(FIRST_STYLE, instruction) || /["“„]/.test(instruction)) return [instruction];
  const parts = partsOf(instruction);
  return parts.some((part) => follow(FIRST_STYLE, part)) ? parts : [instruction];
}

/** Only headings can be put into another language here: of a wish for more, that part is not followed. */
function asksForMore(instruction: string, before: NotesStyle, after: NotesStyle): boolean {
  return before.language !== after.language && !/\b(?:headings?|headers?|titles?|section)/i.test(instruction);
}
