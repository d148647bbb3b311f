// The card of a request that is closed, in three lines, with what there is left to do.
import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel, CardState } from '../../../core/messages/view-models.ts';
import { isAboutUserToken, type Person, type ResumeFailure } from '../../../core/state/approval.ts';
import type { Say } from '../../language/say.ts';
import { answerOnCard } from '../../request/answer-text.ts';
import type { CardDetails } from '../../request/card-details.ts';
import {
  cardSummary,
  cardTitle,
  endLabel,
  laterRound,
  missingCrewText,
  reviewButton,
  stateSentence,
  stateSymbol,
  toldText,
  votesOn,
} from '../../request/card-state.ts';
import { compareEdits } from '../../request/last-round.ts';
import { quotedPoints } from '../../request/quoted-points.ts';
import { aboutText, inputsLine, runEntries, startedBy } from '../../request/status-text.ts';
import {
  button,
  buttons,
  confirm,
  context,
  contextLine,
  linkButton,
  type Rendered,
  rendered,
  section,
  sectionWith,
} from '../../ui/blocks.ts';
import { approvalValue, keyOf, menu } from '../../ui/button-value.ts';
import { cut, escapedLine, textProof } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';

/** The crew receives all of it, and so does everybody who reads the full text. */
const TOLD_LENGTH = 100;
const TOLD_LINES = 4;

/** The first lines that say something: a list stays one. */
function beginning(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, TOLD_LINES).join('\n');
  return cut(lines.length > TOLD_LINES ? `${shown}\n…` : shown, TOLD_LENGTH);
}

/** What a closed card shows besides its model: nothing of the text, and of people only those who have decided. */
export interface DecidedDetails extends Pick<CardDetails, 'name' | 'labelOf' | 'say'> {
  /** Where people can end the run; left out where the crew isn't configured. */
  controlUrl?: string | undefined;
}

/** The people whom a closed card names. */
export function peopleOnDecided(model: CardModel): (Person | null | undefined)[] {
  const decision = 'decision' in model.state ? model.state.decision : null;
  const all = [...(decision ? [decision] : []), ...votesOn(model)];
  return [model.starter, ...all.flatMap(({ by, for: holder }) => [by, holder])];
}

/** What became of a request, and what proves which text it was about if that is about to expire. */
export function decidedCard(model: CardModel, details: DecidedDetails): Rendered {
  const { output, textGoneAt } = model;
  const blocks = decidedBlocks(model, details);
  if (textGoneAt === undefined) return rendered(cardSummary(model, details), blocks);
  const proof = context(textProof({ hash: output.hash, goneAt: textGoneAt }, details.say));
  return rendered(cardSummary(model, details), [...blocks, proof]);
}

/** What a closed card that can't be updated any more would show. */
export function decidedCardFollowUp(model: CardModel, details: DecidedDetails): Rendered {
  const { text, blocks } = decidedCard(model, details);
  return rendered(text, [...blocks, context(details.say('follow-up.card'))]);
}

/** The verdict, its feedback, and whether the crew has it; then what is left to do. */
function decidedBlocks(model: CardModel, details: DecidedDetails): KnownBlock[] {
  const { name, say } = details;
  const { state } = model;
  const decision = 'decision' in state ? state.decision : null;
  const told = decision && toldText(decision, votesOn(model));
  const title = `${stateSymbol(state)} *${cardTitle(model, { name, say })}*`;
  const about = model.inputs ? '' : aboutText(model.about);
  const at = state.kind === 'expired' ? state.expiredAt : decision?.at;
  const line = [
    laterRound(model, say),
    escapedLine(model.crew, 40),
    ...(at === undefined ? [] : [slackDate(at, say)]),
    ...(state.kind === 'failed' || model.crewMissing ? [] : [stateSentence(model, { name, say })]),
  ];
  return [
    sectionWith(about === '' ? title : `${title} · ${about}`, reviewButton(model, say)),
    ...(decision?.answer ? answerOnCard(decision.answer, model.fields ?? [], say) : []),
    ...(told === null ? [] : [quotedPoints(beginning(told), TOLD_LENGTH)]),
    ...contextLine([line.filter(Boolean).join(' · '), ...askedLines(model, details)].filter(Boolean).join('\n')),
    ...(model.edited && decision?.verdict === 'approve' ? buttons(compareEdits(model, model.edited, say)) : []),
    ...nextBlocks(model, details),
    ...(model.isAsk ? buttons(menu(runEntries(say), model.ref)) : []),
  ];
}

/** Who asked without a run, and what they said beside the text: no other message of the thread tells it. */
function askedLines(model: CardModel, { name, labelOf = String, say }: DecidedDetails): string[] {
  if (!model.isAsk) return [];
  return [startedBy(model, { name, say }), inputsLine(model.inputs ?? {}, labelOf, say)].filter(Boolean);
}

function nextBlocks(model: CardModel, words: DecidedDetails): KnownBlock[] {
  const { state } = model;
  const { say } = words;
  if (model.crewMissing) return [section(`🔌 ${missingCrewText(model, say)}`)];
  switch (state.kind) {
    case 'undoable':
      return buttons(button('undo', say('card.undo'), { value: approvalValue(keyOf(model)) }));
    case 'failed':
      return failedBlocks(model, state, words);
    case 'declined':
      return state.isOver ? [] : endElsewhere(words);
    case 'pending':
    case 'telling':
    case 'told':
    case 'superseded':
    case 'expired':
      return [];
  }
}

/** Where people can end a run, which Signoff can't. Nothing where that isn't known. */
function endElsewhere({ controlUrl, say }: DecidedDetails): KnownBlock[] {
  return controlUrl === undefined ? [] : buttons(linkButton(endLabel(controlUrl, say), controlUrl));
}

type Failed = Extract<CardState, { kind: 'failed' }>;

function failedBlocks(
  model: CardModel,
  { failure }: Failed,
  { name, say }: Pick<CardDetails, 'name' | 'say'>,
): KnownBlock[] {
  const detail = resumeFailureDetail(model, failure, say);
  const value = approvalValue(keyOf(model));
  return [
    section(stateSentence(model, { name, say })),
    ...(detail === null ? [] : [context(detail)]),
    ...buttons(
      button('send_again', say('send-again.yes'), { value, confirm: confirmSendAgain(model, failure, say) }),
      meetsNoRun(model, failure) ? button('run_again', say('reply.run-again'), { value: model.ref }) : null,
    ),
  ];
}

/** Whether the crew's service doesn't know the run. What asks without a run has none that could be started again. */
function meetsNoRun({ isAsk }: CardModel, failure: ResumeFailure): boolean {
  return !isAsk && failure.kind === 'refused' && failure.code === 'not-found';
}

/** Asked before a decision that didn't arrive, or may have, is sent again. */
function confirmSendAgain(model: CardModel, failure: ResumeFailure, say: Say): Confirm {
  const { isAsk } = model;
  const common = { title: say('send-again.title'), yes: say('send-again.yes'), no: say('send-again.no') };
  switch (failure.kind) {
    case 'refused':
      if (meetsNoRun(model, failure)) return confirm({ ...common, text: say('send-again.run-unknown') });
      return confirm({ ...common, text: say(isAsk ? 'asked.again-refused' : 'send-again.refused') });
    case 'not-confirmed':
      return confirm({
        ...common,
        text: say(isAsk ? 'asked.again-not-confirmed' : 'send-again.not-confirmed'),
        style: 'danger',
      });
  }
}

/** What the crew’s service itself said, for those who can make something of it; escaped mrkdwn. */
function resumeFailureDetail({ isAsk }: CardModel, failure: ResumeFailure, say: Say): string | null {
  // About a person's own token, our own sentence says all that others need to know.
  if (failure.kind === 'not-confirmed' || isAboutUserToken(failure.code)) return null;
  const said = escapedLine(failure.detail, 300);
  if (failure.status > 0)
    return say(isAsk ? 'asked.said-with-status' : 'sending.crew-said-with-status', {
      status: String(failure.status),
      said: said || say('sending.crew-said-nothing'),
    });
  return said === '' ? null : say(isAsk ? 'asked.said' : 'sending.crew-said', { said });
}
