import type { KnownBlock, ModalView } from '@slack/types';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { starterStatement } from '../../core/approval/policy/sentences.ts';
import type { Crew } from '../../core/crew.ts';
import { denialText } from '../approval/denial-text.ts';
import { canAsk } from '../approval/next-step.ts';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import { approverMention } from '../ui/approver-mention.ts';
import type { Rendered } from '../ui/blocks.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { StartRefusal } from './why-not-start.ts';

/** The title of a modal that says why a crew can't be started. */
export const NOT_STARTED = 'Not started';

/** Shown in place of a form. */
export function startRefusalModal(refusal: StartRefusal): ModalView {
  return answerModal(NOT_STARTED, startRefusalText(refusal), connectButton(refusal));
}

export function startRefusalMessage(refusal: StartRefusal): Rendered {
  return answerMessage(startRefusalText(refusal), connectButton(refusal));
}

function connectButton({ crew, denial }: StartRefusal): KnownBlock[] {
  return denial?.kind === 'no-token' && crew ? nextStepButtons({ kind: 'connect', crew: crew.name }) : [];
}

/** Why nothing was started, and who can start it; mrkdwn. Strangers learn why, not who. */
export function startRefusalText({ crew, denial }: StartRefusal): string {
  if (denial === null) return 'This crew isn’t set up any more, so nothing was started.';
  const name = crew && escapedLine(crew.name, 80);
  const what = name === null ? 'start this' : `start *${name}*`;
  const text = denialText(denial, { what, you: null, starterId: null, crew: name, whoCan: null });
  return crew && canAsk(denial) ? `${text} ${whoMayStart(crew)}` : text;
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
  return answerMessage(['There is no crew that you can start here.', ...lines, ...more].join('\n'));
}
