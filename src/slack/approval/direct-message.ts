import type { Say } from '../language/say.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { plainWords } from '../ui/text/plain-words.ts';

/** Tells one person of a request that they should decide. */
interface DirectMessageModel {
  crew: string;
  /** Null where it isn't known, or isn't shown. */
  taskName: string | null;
  round: number;
  /** The text that is asked about; null where it isn't stored, or isn't shown. */
  output: string | null;
  /** The address of the card. */
  link: string;
  say: Say;
}

const GIST_LIMIT = 200;

/** The crew, the task and the first line of the text, which is what a locked phone shows, and the way to the card. */
export function directMessage({ crew, taskName, round, output, link, say }: DirectMessageModel): Rendered {
  const asked = taskName === null ? say('direct.unnamed-task') : escapedLine(taskName, 120);
  const what = round === 1 ? asked : say('direct.round', { what: asked, round });
  const head = say('direct.head', { what, crew: escapedLine(crew, 80) });
  const [first = ''] = plainWords(cut(output ?? '', 600)).split('\n');
  const gist = escapedLine(first, GIST_LIMIT);
  const lines = gist === '' ? [head] : [head, gist];
  const open = `<${escapeMrkdwn(link)}|${say('alert.open')}>`;
  return rendered(lines.join('\n'), [section([`✋ *${head}*`, ...lines.slice(1), open].join('\n'))]);
}
