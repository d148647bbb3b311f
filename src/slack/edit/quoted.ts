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

/**
 * A text as an edit quotes it: on one line between quotation marks, or else as a code block within a point of a list. With the
 * end of its last line it is called a line, or lines.
 */
export function quoted(text: string): Quotation {
  const lines = text.split('\n');
  const isWhole = lines.length > 1 && lines.at(-1) === '';
  const shown = isWhole ? lines.slice(0, -1) : lines;
  const [line = ''] = shown;
  const marks = shown.length > 1 ? undefined : MARKS.find((pair) => pair.every((mark) => !line.includes(mark)));
  if (marks) return { text: ` ${isWhole ? LINE : ''}${marks[0]}${line}${marks[1]}`, isBlock: false };
  const fence = `  ${'`'.repeat(longestRun(text) + 1)}`;
  const block = shown.map((each) => (each === '' ? '' : `  ${each}`));
  return { text: [isWhole ? LINES : '', fence, ...block, fence].join('\n'), isBlock: true };
}

const LINE = 'the line ';
const LINES = ' the lines';

/** At least 2, so that a fence is longer than the runs and has three marks. */
function longestRun(text: string): number {
  return Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 2);
}

const INLINE = MARKS.map(([open, close]) => new RegExp(` (${LINE})?${open}([^\\n${open}${close}]*)${close}`, 'y'));
const BLOCK = new RegExp(`(${LINES})?\\n {2}(\`{3,})\\n`, 'y');

/** Reads what `quoted` has written; null if there is nothing of the kind. */
export function readQuoted(text: string, at: number): (Quotation & { end: number }) | null {
  for (const inline of INLINE) {
    const [whole, line, words = ''] = matchAt(inline, text, at) ?? [];
    if (whole !== undefined) return { text: line ? `${words}\n` : words, isBlock: false, end: at + whole.length };
  }
  const [opening, whole, fence = ''] = matchAt(BLOCK, text, at) ?? [];
  if (opening === undefined) return null;
  const from = at + opening.length;
  const close = text.indexOf(`\n  ${fence}`, from - 1);
  const lines = text.slice(from, Math.max(from, close)).split('\n');
  if (close === -1 || !lines.every((line) => line === '' || line.startsWith('  '))) return null;
  const words = lines.map((line) => line.slice(2)).join('\n');
  return { text: whole ? `${words}\n` : words, isBlock: true, end: close + 3 + fence.length };
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
