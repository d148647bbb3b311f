import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** All of these are mrkdwn. */

export function checkingText(say: Say, crew: string): string {
  return `⏳ ${say('token.checking', { crew: escapedLine(crew, 80) })}`;
}

export function connectedText(say: Say, crew: string): string {
  return `✅ ${say('token.connected', { crew: escapedLine(crew, 80), command: typed('disconnect', crew) })}`;
}

export function disconnectedText(say: Say, crew: string): string {
  return say('token.disconnected', { crew: escapedLine(crew, 80) });
}

/** `crew` is null for one that isn't set up here. */
export function notConnectedText(say: Say, crew: string | null): string {
  return crew === null ? say('token.none-such') : say('token.none-of-crew', { crew: escapedLine(crew, 80) });
}

export function whichTokenText(say: Say, crews: string[]): string {
  const commands = crews.slice(0, 20).map((crew) => typed('disconnect', crew));
  return say('token.which', { commands: commands.join(', ') });
}

/** For the person whose decision a crew did not take. */
export function ownTokenNeededText(say: Say, code: 'user-token-refused' | 'no-user-token', crew: string): string {
  return `🔑 ${say(NEEDED[code], { crew: escapedLine(crew, 80), command: typed('connect', crew) })}`;
}

const NEEDED = {
  'user-token-refused': 'token.refused-with-decision',
  'no-user-token': 'token.needed-for-decision',
} as const;

function typed(word: 'connect' | 'disconnect', crew: string): string {
  return `\`/kickoff ${word} ${escapedLine(crew, 80)}\``;
}
