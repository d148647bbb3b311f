import { escapedLine } from '../ui/text/escape.ts';

/** All of these are mrkdwn. */

export const NO_CREWS = 'No crew is set up yet. Whoever runs Signoff can add one.';

export const NO_TOKENS = 'You have no token connected.';

export const CANNOT_DISCONNECT =
  'Signoff can’t store anything right now, so nothing was disconnected. Please try again in a minute.';

export function checkingText(crew: string): string {
  return `⏳ Asking ${named(crew)} whether it accepts your token…\nYou can close this window: the answer then arrives in a private message.`;
}

export function connectedText(crew: string): string {
  return `✅ Your token of ${named(crew)} is connected: what you start and decide is sent with it from now on. To remove it, type ${typed('disconnect', crew)}.`;
}

export function disconnectedText(crew: string): string {
  return `Your token of ${named(crew)} is removed. What you start and decide is no longer sent with it.`;
}

/** `crew` is null for one that isn't set up here. */
export function notConnectedText(crew: string | null): string {
  return crew === null ? 'You have no such token connected.' : `You have no token of ${named(crew)} connected.`;
}

export function whichTokenText(crews: string[]): string {
  const commands = crews.slice(0, 20).map((crew) => typed('disconnect', crew));
  return `You have connected tokens of several crews. Please say which one to remove: ${commands.join(', ')}.`;
}

/** For the person whose decision a crew did not take. */
export function ownTokenNeededText(code: 'user-token-refused' | 'no-user-token', crew: string): string {
  return `🔑 ${whyNeeded(code, crew)} Your decision is kept, but not sent. Please type ${typed('connect', crew)}, then *Send again* on the card.`;
}

function whyNeeded(code: 'user-token-refused' | 'no-user-token', crew: string): string {
  switch (code) {
    case 'user-token-refused':
      return `${named(crew)} didn’t accept your own token.`;
    case 'no-user-token':
      return `${named(crew)} needs your own token, and you have none connected.`;
  }
}

function named(crew: string): string {
  return `*${escapedLine(crew, 80)}*`;
}

function typed(word: 'connect' | 'disconnect', crew: string): string {
  return `\`/kickoff ${word} ${escapedLine(crew, 80)}\``;
}
