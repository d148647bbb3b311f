/** A code block that a text has opened: the marks that close it, and the line that opened it. */
export interface CodeFence {
  marks: string;
  opening: string;
}

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,100}(?!`)|~{3,100}(?!~))(.*)$/;

/** The code block that is open at the end of a text, given the one that was open at its beginning. */
export function openFenceAfter(text: string, before: CodeFence | null = null): CodeFence | null {
  let open = before;
  for (const line of text.split('\n')) open = fenceAfterLine(line, open);
  return open;
}

/** Line by line as CommonMark does: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function fenceAfterLine(line: string, open: CodeFence | null): CodeFence | null {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
  if (marks === '') return open;
  if (open) return closes(marks, rest, open) ? null : open;
  if (marks.startsWith('`') && rest.includes('`')) return null;
  return { marks, opening: `${marks}${rest.trimEnd()}` };
}

function closes(marks: string, rest: string, open: CodeFence): boolean {
  return marks[0] === open.marks[0] && marks.length >= open.marks.length && rest.trim() === '';
}

/** The text with its last code block closed. */
export function closeFence(text: string, before: CodeFence | null = null): string {
  const open = openFenceAfter(text, before);
  return open ? `${text}${text.endsWith('\n') ? '' : '\n'}${open.marks}` : text;
}
