import type { Denial } from '../../core/approval/policy/permits.ts';

/** For people of other organisations, in shared channels. They learn why, not who could. */
export const STRANGERS_MAY_NOT =
  'Only people of the workspace that Signoff is installed in can do this. Nothing was changed; please ask somebody there.';

/** Whom a denial is about, seen by the person who acted. */
export interface DenialDetails {
  /** The id of the person who acted. */
  you: string;
  starterId: string | null;
  /** The name of the crew, escaped; null if it isn't known. */
  crew: string | null;
  /** What the approver of a policy is called, escaped. */
  approver: (name: string) => string;
  /** Those who can decide it, escaped, in the form `@leads and Aiko`; null where nobody is to be named. */
  whoCan: string | null;
}

/** Why the policy says no to a person, and who can; mrkdwn. */
export function denialText(denial: Denial, details: DenialDetails): string {
  const others = details.whoCan === null ? '' : ` ${details.whoCan} can.`;
  switch (denial.kind) {
    case 'stranger':
      return 'Only people of the workspace that Signoff is installed in can decide this.';
    case 'guest':
      return `You are a guest in this workspace, and guests can’t decide this.${others}`;
    case 'bot':
      return 'Apps can’t decide this.';
    case 'deactivated':
      return 'Your account is deactivated.';
    case 'self-approval':
      return `You started this run, so somebody else has to decide.${others}`;
    case 'not-approver':
      return `You aren’t one of those who can decide this.${others}`;
    case 'no-token':
      return noTokenText(details.crew);
    case 'unsure':
      return unsureText(denial, details);
  }
}

function noTokenText(crew: string | null): string {
  return crew === null
    ? 'This crew takes decisions only with your own access token. Please connect it with `/kickoff connect`, then click again.'
    : `*${crew}* takes decisions only with your own access token. Please type \`/kickoff connect ${crew}\`, then click again.`;
}

function unsureText(
  { personId, approver }: Extract<Denial, { kind: 'unsure' }>,
  { you, starterId, approver: nameOf }: DenialDetails,
): string {
  if (personId !== you) {
    return personId === starterId
      ? `Slack can’t say whether it was you who started this run. ${TRY_AGAIN}`
      : `Slack can’t say whether everybody who approved this may still decide it. ${TRY_AGAIN}`;
  }
  return approver === null
    ? `Slack can’t say who you are right now. ${TRY_AGAIN}`
    : `Slack can’t say whether you are ${placeIn(approver, nameOf)} right now; please try again in a minute.`;
}

const TRY_AGAIN = 'Please try again in a minute.';

function placeIn(approver: string, nameOf: (name: string) => string): string {
  if (approver === 'channel') return 'in this channel';
  const isEmail = !approver.startsWith('@') && approver.includes('@');
  return isEmail ? nameOf(approver) : `in ${nameOf(approver)}`;
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
      return `${who} hasn’t connected an access token of their own, which this crew wants from everybody who decides.`;
    case 'unsure':
      return `Slack can’t say right now whether ${who} may decide this. ${TRY_AGAIN}`;
  }
}
