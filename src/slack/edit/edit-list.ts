import type { Edit } from './edit.ts';
import { matchAt, quoted, readQuoted } from './quoted.ts';

/** The kinds of points, each by the words before its quotations, the most specific first. */
const FORMS = [
  { words: ['Replace everything from', 'to', 'with'], edit: (find, through, replace) => ({ find, through, replace }) },
  { words: ['Delete everything from', 'to'], edit: (find, through) => ({ find, through, replace: '' }) },
  { words: ['After', ', add'], edit: (find, added) => ({ find, through: null, replace: find + added }) },
  { words: ['Before', ', add'], edit: (find, added) => ({ find, through: null, replace: added + find }) },
  { words: ['Replace', 'with'], edit: (find, replace) => ({ find, through: null, replace }) },
  { words: ['Delete'], edit: (find) => ({ find, through: null, replace: '' }) },
] as const satisfies { words: string[]; edit: (...quotations: [string, string, string]) => Edit }[];

type Form = (typeof FORMS)[number];

/** Edits as feedback that a crew can follow: a list in Markdown, one point an edit. `parseEdits` reads it. */
export function editsAsFeedback(edits: readonly Edit[]): string {
  const what = edits.length === 1 ? 'this edit' : 'these edits';
  return `Make ${what}, word for word:\n\n${edits.map(editPoint).join('\n')}`;
}

/** One edit as a point of a list. */
export function editPoint({ find, through, replace }: Edit): string {
  if (through !== null)
    return replace === ''
      ? pointOf(['Delete everything from', find], ['to', through])
      : pointOf(['Replace everything from', find], ['to', through], ['with', replace]);
  if (replace === '') return pointOf(['Delete', find]);
  if (replace.length > find.length && replace.startsWith(find))
    return pointOf(['After', find], [', add', replace.slice(find.length)]);
  if (replace.length > find.length && replace.endsWith(find))
    return pointOf(['Before', find], [', add', replace.slice(0, -find.length)]);
  return pointOf(['Replace', find], ['with', replace]);
}

type Phrase = [words: string, quotation: string];

function pointOf(...phrases: Phrase[]): string {
  let point = '';
  let last: 'none' | 'inline' | 'block' = 'none';
  for (const [words, quotation] of phrases) {
    const { text, isBlock } = quoted(quotation);
    point += `${joining(last, words)}${text}`;
    last = isBlock ? 'block' : 'inline';
  }
  return last === 'block' ? point : `${point}.`;
}

/** The words before a quotation, with what joins them to what comes before them. */
function joining(last: 'none' | 'inline' | 'block', words: string): string {
  if (last === 'none') return `- ${words}`;
  if (last === 'block') return `\n  ${words.replace(', ', '')}`;
  return words.startsWith(',') ? words : ` ${words}`;
}

/** The edits among the points of a text; whatever else it says is passed over. */
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
  for (const form of FORMS) {
    const read = readForm(text, at, form);
    if (read) return read;
  }
  return null;
}

const POINT_END = /\.?(?=\n|$)/y;

function readForm(text: string, start: number, { words, edit }: Form): { edit: Edit; end: number } | null {
  const quotations: string[] = [];
  let at = start;
  let last: 'none' | 'inline' | 'block' = 'none';
  for (const each of words) {
    const before = joining(last, each);
    const read = text.startsWith(before, at) ? readQuoted(text, at + before.length) : null;
    if (!read || read.text === '') return null;
    quotations.push(read.text);
    at = read.end;
    last = read.isBlock ? 'block' : 'inline';
  }
  const end = matchAt(POINT_END, text, at);
  const [first = '', second = '', third = ''] = quotations;
  return end ? { edit: edit(first, second, third), end: at + end[0].length } : null;
}
