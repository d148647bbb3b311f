import type { Denial } from '../../core/approval/policy/permits.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** For people of other organisations, in shared channels. They learn why, not who could. */
export const STRANGERS_MAY_NOT =
  'Only people of the workspace that Signoff is installed in can do this. Please ask somebody there.';

/** What a denial is about, seen by the person who acted. */
export interface DenialDetails {
  /** What they can't do: `decide this`; mrkdwn. */
  what: string;
  /** The id of the person who acted; null where nobody else's rights matter. */
  you: string | null;
  starterId: string | null;
  /** The name of the crew, escaped; null if it isn't known. */
  crew: string | null;
  /** Those who can do it, escaped, in the form `@leads and Aiko`; null where nobody is to be named. */
  whoCan: string | null;
}

/** Why the rules say no to a person, and who can; mrkdwn. Wherever people are told, it is in these words. */
export function denialText(denial: Denial, details: DenialDetails): string {
  const { what, crew } = details;
  const others = details.whoCan === null ? '' : ` ${details.whoCan} can.`;
  switch (denial.kind) {
    case 'stranger':
      return STRANGERS_MAY_NOT;
    case 'guest':
      return `You are a guest in this workspace, and guests can’t ${what}.${others}`;
    case 'bot':
      return `Apps can’t ${what}.`;
    case 'deactivated':
      return `Your account is deactivated, so you can’t ${what}.`;
    case 'self-approval':
      return `You started this run, so somebody else has to decide.${others}`;
    case 'not-approver':
      return `You aren’t one of those who can ${what}.${others}`;
    case 'no-token':
      return `To ${what}, you need an access token of your own. Connect it with \`/kickoff connect${crew === null ? '' : ` ${crew}`}\`, then try again.`;
    case 'unsure':
      return `Slack can’t say ${unsureOf(denial, details)}. ${TRY_AGAIN}`;
  }
}

function unsureOf(
  { personId, approver }: Extract<Denial, { kind: 'unsure' }>,
  { what, you, starterId }: DenialDetails,
): string {
  if (you !== null && personId !== you) {
    return personId === starterId
      ? 'whether it was you who started this run'
      : 'whether everybody who approved this can still decide it';
  }
  return approver === null ? 'who you are' : `whether you are ${placeIn(approver, what)}`;
}

const TRY_AGAIN = 'Please try again in a minute.';

function placeIn(approver: string, what: string): string {
  if (approver === 'channel') return 'in this channel';
  if (/^S[A-Z0-9]+$/.test(approver)) return `in one of the groups that can ${what}`;
  const isEmail = !approver.startsWith('@') && approver.includes('@');
  return `${isEmail ? '' : 'in '}${escapedLine(approver, 80)}`;
}

/** Why a person can't take over a request; `who` is their name. */
export function takeOverText(denial: Denial, who: string): string {
  switch (denial.kind) {
    case 'stranger':
      return `${who} is from another organisation, so they can’t decide this.`;
    case 'guest':
      return `${who} is a guest in this workspace, and guests can’t decide this.`;
    case 'bot':
      return `${who} is an app. Only people can decide this.`;
    case 'deactivated':
      return `The account of ${who} is deactivated.`;
    case 'self-approval':
      return `${who} started this run, so somebody else has to decide.`;
    case 'not-approver':
      return `${who} can’t decide this.`;
    case 'no-token':
      return `${who} needs an access token of their own to decide this, and hasn’t connected one.`;
    case 'unsure':
      return `Slack can’t say whether ${who} can decide this. ${TRY_AGAIN}`;
  }
}
