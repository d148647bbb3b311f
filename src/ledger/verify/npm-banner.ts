import type { FileLine } from './file-lines.ts';

/** What npm writes before the output of a script, unless it is told to be silent. */
const BANNER = [/^$/, /^> signoff@\S+ audit$/, /^> node src\/setup\/run\.mjs dist\/audit\.js( .*)?$/, /^$/];

/** The lines of a file with their numbers, but for npm's banner at its beginning, which is no part of an export. */
export async function* numberedLines(lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine & { number: number }> {
  const held: FileLine[] = [];
  let number = 0;
  for await (const line of lines) {
    if (number === 0 && isBanner([...held, line])) {
      held.push(line);
      if (held.length < BANNER.length) continue;
      number = held.splice(0).length;
      continue;
    }
    for (const each of [...held.splice(0), line]) {
      number += 1;
      yield { ...each, number };
    }
  }
  for (const each of held) {
    number += 1;
    yield { ...each, number };
  }
}

function isBanner(lines: readonly FileLine[]): boolean {
  return lines.every(({ bytes, isEnded }, i) => isEnded && BANNER[i]?.test(bytes.toString('utf8')));
}
