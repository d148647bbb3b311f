import { LANGUAGES, type Language } from '../../core/language.ts';
import { sayIn } from '../language/say.ts';
import type { Edit } from './edit.ts';
import { type EditWords, editOf, editWordsIn, POINT_KINDS, type PointKind } from './edit-words.ts';
import { matchAt, quoted, readQuoted } from './quoted.ts';

/** Edits as feedback that a crew can follow: a list in Markdown, one point an edit. `parseEdits` reads it. */
export function editsAsFeedback(edits: readonly Edit[], language: Language): string {
  const points = edits.map((edit) => editPoint(edit, language));
  return `${sayIn(language)('edits.intro', { count: edits.length })}\n\n${points.join('\n')}`;
}

/** One edit as a point of a list. */
export function editPoint(edit: Edit, language: Language): string {
  const words = editWordsIn(language);
  const { kind, quotations } = pointOf(edit);
  let point = '';
  let last: Last = 'none';
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

type Last = 'none' | 'inline' | 'block';

/** The words before a quotation, with what joins them to the one before. */
function joining(last: Last, words: string): string {
  if (last === 'none') return `- ${words}`;
  if (last === 'block') return `\n  ${words.replace(/^, /, '')}`;
  return words.startsWith(',') ? words : ` ${words}`;
}

/** The edits among the points of a text, in whatever language; what else it says is passed over. */
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

type ReadPoint = { edit: Edit; end: number } | null;

function readPoint(text: string, at: number): ReadPoint {
  if (!text.startsWith('- ', at)) return null;
  for (const words of LANGUAGES.map(editWordsIn))
    for (const kind of POINT_KINDS) {
      const read = readPointOf(text, at, { kind, words });
      if (read) return read;
    }
  return null;
}

const POINT_END = /\.?(?=\n|$)/y;

function readPointOf(text: string, start: number, { kind, words }: { kind: PointKind; words: EditWords }): ReadPoint {
  const quotations: string[] = [];
  let at = start;
  let last: Last = 'none';
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
