import type { KnownBlock, ModalView } from '@slack/types';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { starterStatement } from '../../core/approval/policy/sentences.ts';
import type { Crew } from '../../core/crew.ts';
import { STRANGERS_MAY_NOT } from '../approval/denial-text.ts';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import { approverMention } from '../ui/approver-mention.ts';
import { button, buttons, type Rendered } from '../ui/blocks.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import type { StartRefusal } from './why-not-start.ts';

/** The title of a modal that says why a crew can't be started. */
export const NOT_STARTED = 'Not started';

/** Shown in place of a form. */
export function startRefusalModal(refusal: StartRefusal): ModalView {
  return answerModal(NOT_STARTED, startRefusalText(refusal), nextStep(refusal));
}

export function startRefusalMessage(refusal: StartRefusal): Rendered {
  return answerMessage(startRefusalText(refusal), nextStep(refusal));
}

function nextStep({ crew, denial }: StartRefusal): KnownBlock[] {
  if (denial?.kind !== 'no-token' || !crew) return [];
  const value = crew.name.slice(0, OPTION_LIMIT);
  return buttons(button('connect_token', 'Connect your token', { value, style: 'primary' }));
}

/** Why nothing was started, and who could start it; mrkdwn. */
export function startRefusalText({ crew, denial }: StartRefusal): string {
  if (crew) return denialText(crew, denial);
  return denial ? denialOfStranger(denial) : 'This crew isn’t set up any more, so nothing was started.';
}

function denialText(crew: Crew, denial: Denial): string {
  const name = `*${escapedLine(crew.name, 80)}*`;
  switch (denial.kind) {
    case 'guest':
      return `As a guest, you can start ${name} only if it names you, so nothing was started. ${whoMayStart(crew)}`;
    case 'not-approver':
    case 'self-approval':
      return `You aren’t one of those who may start ${name}, so nothing was started. ${whoMayStart(crew)}`;
    case 'no-token':
      return `${name} is started with a person’s own access token only, and you haven’t connected yours, so nothing was started. Type \`/kickoff connect ${escapedLine(crew.name, 80)}\`, then start it again.`;
    case 'bot':
      return `Apps can’t start ${name}, so nothing was started.`;
    case 'deactivated':
      return 'Your account is deactivated, so nothing was started.';
    case 'stranger':
    case 'unsure':
      return denialOfStranger(denial);
  }
}

/** What people learn of whom it isn't known that they belong to the workspace: why, not who could. */
function denialOfStranger(denial: Denial): string {
  return denial.kind === 'unsure' ? escapeMrkdwn(unsureSentence(denial)) : STRANGERS_MAY_NOT;
}

/** Plain text. */
function unsureSentence({ approver }: Extract<Denial, { kind: 'unsure' }>): string {
  return `Slack can’t say right now ${unsureOf(approver)}, so nothing was started. Please try again in a moment.`;
}

function unsureOf(approver: string | null): string {
  if (approver === null) return 'who you are';
  if (approver === 'channel') return 'whether you are in this channel';
  return approver.includes('@', 1) ? `whether you are ${approver}` : `whether you are in ${approver}`;
}

function whoMayStart({ starters }: Crew): string {
  return starterStatement(starters, approverMention).sentence;
}

const MOST_CREWS = 20;

/** For a person who may start none of the crews. */
export function noneToStartMessage(refusals: readonly { crew: Crew; denial: Denial }[]): Rendered {
  const plainest = refusals.find(({ denial: { kind } }) => kind !== 'not-approver' && kind !== 'guest');
  if (plainest) return startRefusalMessage(plainest);
  const shown = refusals.slice(0, MOST_CREWS);
  const lines = shown.map(({ crew }) => `• *${escapedLine(crew.name, 80)}*: ${whoMayStart(crew)}`);
  const more = refusals.length > shown.length ? [`…and ${refusals.length - shown.length} more`] : [];
  return answerMessage(['There is no crew that you may start here.', ...lines, ...more].join('\n'));
}
