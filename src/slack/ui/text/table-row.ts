// Reads rows of Markdown tables. https://github.github.com/gfm/#tables-extension-

/** Each space can match only one part of the pattern. Otherwise a line of spaces would take time with the square of its length. */
const RULE = /^ {0,3}\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*(?:\|[ \t]*)?$/;

export function isTableRule(line: string): boolean {
  return line.includes('|') && RULE.test(line);
}

export function tableCells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
