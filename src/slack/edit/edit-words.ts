import type { Language } from '../../core/language.ts';
import { type Say, sayIn } from '../language/say.ts';
import type { Edit } from './edit.ts';

type Quotations = readonly [string, string, string];

/** The kinds of points, the most specific first: the edit that a point is, by its quotations in their order. */
const KINDS = {
  'replace-range': ([find, through, replace]) => ({ find, through, replace }),
  'delete-range': ([find, through]) => ({ find, through, replace: '' }),
  'add-after': ([find, added]) => ({ find, through: null, replace: find + added }),
  'add-before': ([find, added]) => ({ find, through: null, replace: added + find }),
  replace: ([find, replace]) => ({ find, through: null, replace }),
  delete: ([find]) => ({ find, through: null, replace: '' }),
} as const satisfies Record<string, (quotations: Quotations) => Edit>;

export type PointKind = keyof typeof KINDS;

export const POINT_KINDS = Object.keys(KINDS) as PointKind[];

export function editOf(kind: PointKind, [first = '', second = '', third = '']: readonly string[]): Edit {
  return KINDS[kind]([first, second, third]);
}

/** How points are written in a language. */
export interface EditWords {
  /** Of each kind of point, what stands before each of its quotations. */
  points: Record<PointKind, string[]>;
  /** What stands before the quotation of a whole line, and of several. */
  line: string;
  lines: string;
}

const KNOWN = new Map<Language, EditWords>();

export function editWordsIn(language: Language): EditWords {
  const known = KNOWN.get(language) ?? readWords(sayIn(language));
  KNOWN.set(language, known);
  return known;
}

const GAP = '\u0000';

function readWords(say: Say): EditWords {
  const [find, through, text] = [GAP, GAP, GAP];
  return {
    points: {
      'replace-range': between(say('edits.replace-range', { find, through, text })),
      'delete-range': between(say('edits.delete-range', { find, through })),
      'add-after': between(say('edits.add-after', { find, text })),
      'add-before': between(say('edits.add-before', { find, text })),
      replace: between(say('edits.replace', { find, text })),
      delete: between(say('edits.delete', { find })),
    },
    line: between(say('edits.line', { text })).join(),
    lines: between(say('edits.lines', { text })).join(),
  };
}

/** The words before each quotation; what comes after the last is a full stop. */
function between(message: string): string[] {
  return message
    .split(GAP)
    .slice(0, -1)
    .map((words) => words.trim());
}
