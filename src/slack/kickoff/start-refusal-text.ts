import type { KnownBlock, ModalView } from '@slack/types';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { starterStatement } from '../../core/approval/policy/statements.ts';
import type { Crew } from '../../core/crew.ts';
import { denialText } from '../approval/denial-text.ts';
import { canAsk } from '../approval/next-step.ts';
import { peopleIn, policySentence } from '../approval/policy-sentences.ts';
import type { Say } from '../language/say.ts';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import { approverMention } from '../ui/approver-mention.ts';
import type { Rendered } from '../ui/blocks.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { StartRefusal } from './why-not-start.ts';

/** Shown in place of a form. */
export function startRefusalModal(refusal: StartRefusal, say: Say): ModalView {
  const title = say('start.refused-title');
  return answerModal(say, { title, text: startRefusalText(refusal, say), more: connectButton(refusal, say) });
}

export function startRefusalMessage(refusal: StartRefusal, say: Say): Rendered {
  return answerMessage(startRefusalText(refusal, say), connectButton(refusal, say));
}

function connectButton({ crew, denial }: StartRefusal, say: Say): KnownBlock[] {
  return denial?.kind === 'no-token' && crew ? nextStepButtons({ kind: 'connect', crew: crew.name }, say) : [];
}

/** Why nothing was started, and who can start it; mrkdwn. Strangers learn why, not who. */
export function startRefusalText({ crew, denial }: StartRefusal, say: Say): string {
  if (denial === null) return say('start.crew-gone');
  const name = crew && escapedLine(crew.name, 80);
  const text = denialText(denial, {
    what: 'start',
    you: null,
    starterId: null,
    crew: name,
    whoCan: null,
    other: null,
    say,
  });
  if (!crew || !canAsk(denial)) return text;
  return `${text} ${policySentence(starterStatement(crew.starters), { say, nameOf: approverMention })}`;
}

const MOST_CREWS = 20;

/** For a person who may start none of the crews. */
export function noneToStartMessage(refusals: readonly { crew: Crew; denial: Denial }[], say: Say): Rendered {
  const plainest = refusals.find(({ denial: { kind } }) => kind !== 'not-approver' && kind !== 'guest');
  if (plainest) return startRefusalMessage(plainest, say);
  const shown = refusals.slice(0, MOST_CREWS);
  const wording = { say, nameOf: approverMention };
  const lines = shown.map(({ crew }) => `• *${escapedLine(crew.name, 80)}*: ${peopleIn(crew.starters, wording)}`);
  const count = refusals.length - shown.length;
  const more = count > 0 ? [say('list.and-more', { count })] : [];
  return answerMessage([say('start.none-for-you'), ...lines, ...more].join('\n'));
}
