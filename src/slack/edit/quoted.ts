import type { EditWords } from './edit-words.ts';

/** The first that the quoted text doesn't have is taken. */
const MARKS = [
  ['“', '”'],
  ['"', '"'],
  ['«', '»'],
] as const;

interface Quotation {
  text: string;
  isBlock: boolean;
}

type LineWords = Pick<EditWords, 'line' | 'lines'>;

/**
 * A text as an edit quotes it, with what joins it to the words before: on the same line between quotation marks, or else as a
 * code block within a point of a list. With the end of its last line it is called a line, or lines.
 */
export function quoted(text: string, words: LineWords): Quotation {
  const lines = text.split('\n');
  const isWhole = lines.length > 1 && lines.at(-1) === '';
  const shown = isWhole ? lines.slice(0, -1) : lines;
  const [line = ''] = shown;
  const marks = shown.length > 1 ? undefined : MARKS.find((pair) => pair.every((mark) => !line.includes(mark)));
  if (marks) return { text: `${isWhole ? ` ${words.line}` : ''} ${marks[0]}${line}${marks[1]}`, isBlock: false };
  const fence = `  ${'`'.repeat(longestRun(text) + 1)}`;
  const block = shown.map((each) => (each === '' ? '' : `  ${each}`));
  return { text: [isWhole ? ` ${words.lines}` : '', fence, ...block, fence].join('\n'), isBlock: true };
}

/** At least 2, so that a fence is longer than the runs and has three marks. */
function longestRun(text: string): number {
  return Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 2);
}

const INLINE = MARKS.map(([open, close]) => new RegExp(` ${open}([^\\n${open}${close}]*)${close}`, 'y'));
const OPENING = /\n {2}(`{3,})\n/y;

/** Reads what `quoted` has written; null if there is nothing of the kind. */
export function readQuoted(text: string, at: number, words: LineWords): (Quotation & { end: number }) | null {
  const [line, lines] = [` ${words.line}`, ` ${words.lines}`];
  if (text.startsWith(`${lines}\n`, at)) return withLineEnd(readBlock(text, at + lines.length));
  if (text.startsWith(`${line} `, at)) return withLineEnd(readInline(text, at + line.length));
  return readInline(text, at) ?? readBlock(text, at);
}

type Read = (Quotation & { end: number }) | null;

function withLineEnd(read: Read): Read {
  return read && { ...read, text: `${read.text}\n` };
}

function readInline(text: string, at: number): Read {
  for (const pattern of INLINE) {
    const [whole, words = ''] = matchAt(pattern, text, at) ?? [];
    if (whole !== undefined) return { text: words, isBlock: false, end: at + whole.length };
  }
  return null;
}

function readBlock(text: string, at: number): Read {
  const [opening, fence = ''] = matchAt(OPENING, text, at) ?? [];
  if (opening === undefined) return null;
  const from = at + opening.length;
  const close = text.indexOf(`\n  ${fence}`, from - 1);
  const lines = text.slice(from, Math.max(from, close)).split('\n');
  if (close === -1 || !lines.every((line) => line === '' || line.startsWith('  '))) return null;
  return { text: lines.map((line) => line.slice(2)).join('\n'), isBlock: true, end: close + 3 + fence.length };
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
