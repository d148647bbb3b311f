import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { cutLine } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';

// A heading holds 150 characters.
const LONGEST_TASK = 80;
const LONGEST_CREW = 40;

type Names = Pick<CardModel, 'crew' | 'taskName' | 'round'>;

/** What is asked, of which crew; plain text. */
export function cardHeading({ crew: name, taskName }: Names, say: Say): string {
  const crew = cutLine(name, LONGEST_CREW);
  return taskName === null
    ? say('card.needed-unnamed', { crew })
    : say('card.needed', { task: cutLine(taskName, LONGEST_TASK), crew });
}

/** Task, crew and round on one line; mrkdwn. */
export function cardNames({ crew: name, taskName, round }: Names, say: Say): string {
  const crew = escapedLine(name, LONGEST_CREW);
  return taskName === null
    ? say('card.names-unnamed', { crew, round })
    : say('card.names', { task: escapedLine(taskName, LONGEST_TASK), crew, round });
}

/** The task within a sentence; mrkdwn. */
export function taskIn({ taskName }: Pick<Names, 'taskName'>, say: Say): string {
  return taskName === null ? say('card.unnamed-task') : escapedLine(taskName, LONGEST_TASK);
}
