/** The cells of each line, as https://www.rfc-editor.org/rfc/rfc4180 has it; throws for anything else. */
export function readCsv(text: string): string[][] {
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const lines: string[][] = [];
  let line: string[] = [];
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex;
    const [, quoted, plain = '', end] = CELL.exec(text) ?? [];
    if (end === undefined) throw new Error(`There is no cell at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
