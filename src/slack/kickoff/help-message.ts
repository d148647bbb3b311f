import type { Say } from '../language/say.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

const MOST_CREWS = 20;

/** How to use `/kickoff`. */
export function helpMessage(crews: readonly string[], say: Say): Rendered {
  const crew = escapedLine(crews[0] ?? 'crew', 60);
  const commands = [
    say('help.form'),
    say('help.start', { crew }),
    say('help.of-crew', { crew }),
    say('help.status'),
    say('help.who'),
    say('help.stats'),
    say('help.connect'),
    say('help.shortcuts'),
    say('help.help'),
  ];
  const text = [say('help.what'), '', ...commands.map((command) => `• ${command}`)].join('\n');
  return rendered(`${text}\n${crewLine(crews, say)}`, [section(text), context(crewLine(crews, say))]);
}

/** The crews that can be started, escaped. */
export function crewLine(crews: readonly string[], say: Say): string {
  if (crews.length === 0) return say('help.no-crews');
  const shown = crews.slice(0, MOST_CREWS).map((crew) => escapedLine(crew, 60));
  const more = crews.length - shown.length;
  return say('help.crews', {
    count: crews.length,
    crews: more > 0 ? say.list([...shown, say('list.more', { count: more })]) : shown.join(', '),
  });
}
