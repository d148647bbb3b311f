import type { KnownBlock } from '@slack/types';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import { button, buttons, context, quote, section, sectionWith } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import { cutLine } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';
import { toldText } from '../ui/told-text.ts';
import type { CardDetails } from './card-details.ts';
import { cardTitle, stateSentence, stateSymbol } from './card-state.ts';
import { confirmSendAgain } from './confirm-send-again.ts';
import { missingCrewText } from './missing-crew-blocks.ts';
import { readButton } from './read-button.ts';
import { resumeFailureDetail } from './resume-failure-text.ts';

/** The crew receives all of it, and so does everybody who reads the full text. */
const TOLD_LENGTH = 120;

/** What became of a request in three lines: the verdict, its feedback, and whether the crew has it; then what is left to do. */
export function decidedBlocks(model: CardModel, { name, say }: Pick<CardDetails, 'name' | 'say'>): KnownBlock[] {
  const { state } = model;
  const decision = 'decision' in state ? state.decision : null;
  const told = decision && toldText(decision, model.votes);
  const title = `${stateSymbol(state)} *${cardTitle(model, { name, say })}*`;
  const at = state.kind === 'expired' ? state.expiredAt : decision?.at;
  const line = [
    say('card.round', { round: model.round }),
    escapedLine(model.crew, 40),
    ...(at === undefined ? [] : [slackDate(at, say)]),
    ...(state.kind === 'failed' || model.crewMissing ? [] : [stateSentence(model, { name, say })]),
  ];
  return [
    sectionWith(title, readButton(model, say)),
    ...(told === null ? [] : [quote(cutLine(told, TOLD_LENGTH), TOLD_LENGTH)]),
    context(line.join(' · ')),
    ...nextBlocks(model, { name, say }),
  ];
}

function nextBlocks(model: CardModel, words: Pick<CardDetails, 'name' | 'say'>): KnownBlock[] {
  const { state } = model;
  const { say } = words;
  if (model.crewMissing) return [section(`🔌 ${missingCrewText(model, say)}`)];
  switch (state.kind) {
    case 'undoable':
      return buttons(button('undo', say('card.undo'), { value: approvalValue(keyOf(model)) }));
    case 'failed':
      return failedBlocks(model, state, words);
    case 'pending':
    case 'telling':
    case 'told':
    case 'superseded':
    case 'expired':
      return [];
  }
}

type Failed = Extract<CardState, { kind: 'failed' }>;

function failedBlocks(
  model: CardModel,
  { failure }: Failed,
  { name, say }: Pick<CardDetails, 'name' | 'say'>,
): KnownBlock[] {
  const detail = resumeFailureDetail(failure, say);
  const value = approvalValue(keyOf(model));
  return [
    section(stateSentence(model, { name, say })),
    ...(detail === null ? [] : [context(detail)]),
    ...buttons(button('send_again', say('send-again.yes'), { value, confirm: confirmSendAgain(failure, say) })),
  ];
}
