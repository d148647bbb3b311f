// Writes edits as a list that crews and people can follow, and reads that list back.
import { DEFAULT_COMMAND, LANGUAGES, type Language } from '../../../core/policy/crew.ts';
import { createSayings, type Say } from '../../language/say.ts';
import type { Edit } from './edit.ts';

// Sentences about edits name no command.
const SAYINGS = createSayings(DEFAULT_COMMAND);

/** Returns edits as feedback: a Markdown list with a point for each edit. `parseEdits` reads it. */
export function editsAsFeedback(edits: readonly Edit[], language: Language): string {
  const points = edits.map((edit) => editPoint(edit, language));
  return `${SAYINGS.in(language)('edits.intro', { count: edits.length })}\n\n${points.join('\n')}`;
}

/** Returns true for the text that `editsAsFeedback` puts above its list. */
export function isEditsIntro(text: string): boolean {
  return LANGUAGES.some((language) => [1, 2].some((count) => SAYINGS.in(language)('edits.intro', { count }) === text));
}

/** Returns one edit as a point of a list. */
export function editPoint(edit: Edit, language: Language): string {
  const words = editWordsIn(language);
  const { kind, quotations } = pointOf(edit);
  let point = '';
  let last: LastQuotation = 'none';
  for (const [i, quotation] of quotations.entries()) {
    const { text, isBlock } = quoted(quotation, words);
    point += `${joining(last, words.points[kind][i] ?? '')}${text}`;
    last = isBlock ? 'block' : 'inline';
  }
  return last === 'block' ? point : `${point}.`;
}

function pointOf({ find, through, replace }: Edit): { kind: PointKind; quotations: string[] } {
  const isLonger = replace.length > find.length;
  if (through !== null && replace === '') return { kind: 'delete-range', quotations: [find, through] };
  if (through !== null) return { kind: 'replace-range', quotations: [find, through, replace] };
  if (replace === '') return { kind: 'delete', quotations: [find] };
  if (isLonger && replace.startsWith(find))
    return { kind: 'add-after', quotations: [find, replace.slice(find.length)] };
  if (isLonger && replace.endsWith(find))
    return { kind: 'add-before', quotations: [find, replace.slice(0, -find.length)] };
  return { kind: 'replace', quotations: [find, replace] };
}

/** The form of the quotation before. */
type LastQuotation = 'none' | 'inline' | 'block';

/** Joins the words before a quotation to the quotation before. */
function joining(last: LastQuotation, words: string): string {
  if (last === 'none') return `- ${words}`;
  if (last === 'block') return `\n  ${words.replace(/^, /, '')}`;
  return words.startsWith(',') ? words : ` ${words}`;
}

/** Reads the edits among the points of a text, in any of our languages. Skips everything else. */
export function parseEdits(feedback: string): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  while (at < feedback.length) {
    const read = readPoint(feedback, at);
    if (read) edits.push(read.edit);
    const next = feedback.indexOf('\n', read?.end ?? at);
    if (next === -1) break;
    at = next + 1;
  }
  return edits;
}

function readPoint(text: string, at: number): { edit: Edit; end: number } | null {
  if (!text.startsWith('- ', at)) return null;
  for (const words of LANGUAGES.map(editWordsIn))
    for (const kind of POINT_KINDS) {
      const read = readPointOf(text, at, { kind, words });
      if (read) return read;
    }
  return null;
}

const POINT_END = /\.?(?=\n|$)/y;

function readPointOf(
  text: string,
  start: number,
  { kind, words }: { kind: PointKind; words: EditWords },
): { edit: Edit; end: number } | null {
  const quotations: string[] = [];
  let at = start;
  let last: LastQuotation = 'none';
  for (const each of words.points[kind]) {
    const before = joining(last, each);
    const read = text.startsWith(before, at) ? readQuoted(text, at + before.length, words) : null;
    if (!read || read.text === '') return null;
    quotations.push(read.text);
    at = read.end;
    last = read.isBlock ? 'block' : 'inline';
  }
  const end = matchAt(POINT_END, text, at);
  return end && { edit: editOf(kind, quotations), end: at + end[0].length };
}

type Quotations = readonly [string, string, string];

/** Makes the edit of a point from its quotations. The most specific kinds come first. */
const KINDS = {
  'replace-range': ([find, through, replace]) => ({ find, through, replace }),
  'delete-range': ([find, through]) => ({ find, through, replace: '' }),
  'add-after': ([find, added]) => ({ find, through: null, replace: find + added }),
  'add-before': ([find, added]) => ({ find, through: null, replace: added + find }),
  replace: ([find, replace]) => ({ find, through: null, replace }),
  delete: ([find]) => ({ find, through: null, replace: '' }),
} as const satisfies Record<string, (quotations: Quotations) => Edit>;

type PointKind = keyof typeof KINDS;

const POINT_KINDS = Object.keys(KINDS) as PointKind[];

function editOf(kind: PointKind, [first = '', second = '', third = '']: readonly string[]): Edit {
  return KINDS[kind]([first, second, third]);
}

/** The words of points in one language. */
interface EditWords {
  /** Words before each quotation, by the kind of point. */
  points: Record<PointKind, string[]>;
  /** The words before the quotation of a whole line, and of several. */
  line: string;
  lines: string;
}

const WORDS_BY_LANGUAGE = new Map<Language, EditWords>();

function editWordsIn(language: Language): EditWords {
  const words = WORDS_BY_LANGUAGE.get(language) ?? readWords(SAYINGS.in(language));
  WORDS_BY_LANGUAGE.set(language, words);
  return words;
}

/** Stands for a quotation in a message that is taken apart. */
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

/** Returns the words before each quotation. A full stop follows the last. */
function between(message: string): string[] {
  const parts = message.split(GAP).slice(0, -1);
  return parts.map((words) => words.trim());
}

/** A quotation uses the first pair that its text doesn't contain. */
const MARKS = [
  ['“', '”'],
  ['"', '"'],
  ['«', '»'],
] as const;

interface Quotation {
  text: string;
  isBlock: boolean;
}

/** `end`: the place in the text where the quotation ends. */
type ReadQuotation = Quotation & { end: number };

type LineWords = Pick<EditWords, 'line' | 'lines'>;

/**
 * Quotes a text and joins it to the words before: between quotation marks on the same line, or as a code block within the point. A text
 * with its last line break is called a line, or lines.
 */
function quoted(text: string, words: LineWords): Quotation {
  const lines = text.split('\n');
  const isWhole = lines.length > 1 && lines.at(-1) === '';
  const content = isWhole ? lines.slice(0, -1) : lines;
  const [line = ''] = content;
  const marks = content.length > 1 ? undefined : MARKS.find((pair) => pair.every((mark) => !line.includes(mark)));
  if (marks) return { text: `${isWhole ? ` ${words.line}` : ''} ${marks[0]}${line}${marks[1]}`, isBlock: false };
  // A fence has at least three marks, and one more than any run of marks in the text.
  const longestRun = Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = `  ${'`'.repeat(longestRun + 1)}`;
  const block = content.map((each) => (each === '' ? '' : `  ${each}`));
  return { text: [isWhole ? ` ${words.lines}` : '', fence, ...block, fence].join('\n'), isBlock: true };
}

const INLINE = MARKS.map(([open, close]) => new RegExp(` ${open}([^\\n${open}${close}]*)${close}`, 'y'));
const OPENING = /\n {2}(`{3,})\n/y;

/** Reads a quotation that `quoted` wrote. Null if there is none. */
function readQuoted(text: string, at: number, words: LineWords): ReadQuotation | null {
  const [line, lines] = [` ${words.line}`, ` ${words.lines}`];
  if (text.startsWith(`${lines}\n`, at)) return withLineEnd(readBlock(text, at + lines.length));
  if (text.startsWith(`${line} `, at)) return withLineEnd(readInline(text, at + line.length));
  return readInline(text, at) ?? readBlock(text, at);
}

function withLineEnd(read: ReadQuotation | null): ReadQuotation | null {
  return read && { ...read, text: `${read.text}\n` };
}

function readInline(text: string, at: number): ReadQuotation | null {
  for (const pattern of INLINE) {
    const [whole, words = ''] = matchAt(pattern, text, at) ?? [];
    if (whole !== undefined) return { text: words, isBlock: false, end: at + whole.length };
  }
  return null;
}

function readBlock(text: string, at: number): ReadQuotation | null {
  const [opening, fence = ''] = matchAt(OPENING, text, at) ?? [];
  if (opening === undefined) return null;
  const from = at + opening.length;
  const close = text.indexOf(`\n  ${fence}`, from - 1);
  const lines = text.slice(from, Math.max(from, close)).split('\n');
  if (close === -1 || !lines.every((line) => line === '' || line.startsWith('  '))) return null;
  return { text: lines.map((line) => line.slice(2)).join('\n'), isBlock: true, end: close + 3 + fence.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
