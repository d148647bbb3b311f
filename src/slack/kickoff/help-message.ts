import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

const MOST_CREWS = 20;

/** How to use `/kickoff`. */
export function helpMessage(crews: string[]): Rendered {
  const example = escapedLine(crews[0] ?? 'crew', 60);
  const text = [
    '*/kickoff* starts a crew of AI agents here and follows it in a thread. When the crew needs a decision, it asks in ' +
      'that thread, where you approve or reject.',
    '',
    '• `/kickoff` opens a form',
    `• \`/kickoff ${example} name=value other="two words"\` starts at once, or opens the form if something is missing`,
    '• `/kickoff status` shows what is running and waiting here',
    '• `/kickoff who` says who can decide what waits here; with the name of a crew, who can start it and decide its requests',
    '• `/kickoff connect` connects your own access token of a crew: what you start and decide is then sent as yours; `/kickoff disconnect` removes it',
    '• `/kickoff help` shows this',
  ].join('\n');
  return rendered(`${text}\n${crewLine(crews)}`, [section(text), context(crewLine(crews))]);
}

/** The crews that can be started, escaped. */
export function crewLine(crews: string[]): string {
  if (crews.length === 0) return 'No crew is set up yet. Whoever runs Signoff can add one.';
  const shown = crews.slice(0, MOST_CREWS).map((crew) => escapedLine(crew, 60));
  const more = crews.length > shown.length ? ` and ${crews.length - shown.length} more` : '';
  return `${crews.length === 1 ? 'Crew' : 'Crews'}: ${shown.join(', ')}${more}`;
}
