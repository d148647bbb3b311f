import type { Denial } from '../../core/approval/policy/permits.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** What a denial is about, seen by the person who acted. */
export interface DenialDetails {
  /** What they can't do: decide `this` request or a crew's `requests`, or `start` the crew. */
  what: 'this' | 'requests' | 'start';
  /** The id of the person who acted; null where nobody else's rights matter. */
  you: string | null;
  /** Null if the run was started elsewhere. */
  starterId: string | null;
  /** The name of the crew, escaped; null if it isn't known. */
  crew: string | null;
  /** What to call the other person whom the denial is about, escaped; null if it is about nobody else. */
  other: string | null;
  /** Those who can decide, escaped, in the form `@leads and Aiko`; null where nobody is to be named. */
  whoCan: string | null;
  say: Say;
}

/** Why the rules say no to a person, and who can; mrkdwn. Wherever people are told, it is in these words. */
export function denialText(denial: Denial, { what, whoCan, say, ...details }: DenialDetails): string {
  const crew = details.crew ?? '';
  const other = details.other ?? '';
  const others = whoCan === null ? '' : ` ${say('policy.approvers', { people: whoCan })}`;
  switch (denial.kind) {
    case 'stranger':
      return say('denial.stranger');
    case 'guest':
      return `${say('denial.guest', { what, crew })}${others}`;
    case 'bot':
      return say('denial.bot', { what, crew });
    case 'deactivated':
      return say('denial.deactivated', { what, crew });
    case 'self-approval':
      return `${say(details.starterId === null ? 'denial.self-approval-elsewhere' : 'denial.self-approval')}${others}`;
    case 'not-approver':
      return `${say('denial.not-approver', { what, crew })}${others}`;
    case 'giver-denied':
      return `${say('denial.giver-denied', { name: other })}${others}`;
    case 'right-used':
      return `${say('denial.right-used', { name: other })}${others}`;
    case 'no-token':
      return say('denial.no-token', { command: `\`${`/kickoff connect ${crew}`.trim()}\`` });
    case 'unsure':
      return unsureText(denial, { say, ...details });
  }
}

function unsureText(
  { personId, approver, starter }: Extract<Denial, { kind: 'unsure' }>,
  { you, starterId, say }: Pick<DenialDetails, 'you' | 'starterId' | 'say'>,
): string {
  if (starter !== undefined) return say('denial.unsure-elsewhere', { name: escapedLine(starter, 80) });
  if (you !== null && personId !== you)
    return say(personId === starterId ? 'denial.unsure-starter' : 'denial.unsure-voters');
  if (approver === null) return say('denial.unsure-you');
  if (approver === 'channel') return say('denial.unsure-channel');
  if (/^S[A-Z0-9]+$/.test(approver)) return say('denial.unsure-group');
  const name = escapedLine(approver, 80);
  const isEmail = !approver.startsWith('@') && approver.includes('@');
  return isEmail ? say('denial.unsure-email', { email: name }) : say('denial.unsure-member', { group: name });
}

/** Why a person can't take over a request; `who` is their name. */
export function takeOverText(denial: Denial, { who, say }: { who: string; say: Say }): string {
  switch (denial.kind) {
    case 'stranger':
      return say('take-over.stranger', { who });
    case 'guest':
      return say('take-over.guest', { who });
    case 'bot':
      return say('take-over.bot', { who });
    case 'deactivated':
      return say('take-over.deactivated', { who });
    case 'self-approval':
      return say('take-over.self-approval', { who });
    case 'not-approver':
    case 'giver-denied':
    case 'right-used':
      return say('take-over.not-approver', { who });
    case 'no-token':
      return say('take-over.no-token', { who });
    case 'unsure':
      return say('take-over.unsure', { who });
  }
}
