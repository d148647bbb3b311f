import type { Say } from '../language/say.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { plainWords } from '../ui/text/markdown.ts';

const LINES = 2;
const LINE_LIMIT = 160;

/** The beginning of an output in two lines, quoted, so that nothing in it can be taken for our words. Escaped mrkdwn. */
export function gist(text: string | null, say: Say): string {
  if (text === null) return `_${say('card.no-text')}_`;
  const lines = plainWords(cut(text, 900))
    .split('\n')
    .map((line) => escapedLine(line, LINE_LIMIT))
    .filter((line) => line !== '');
  return lines.length === 0
    ? `_${say('card.empty-text')}_`
    : lines
        .slice(0, LINES)
        .map((line) => `> ${line}`)
        .join('\n');
}
