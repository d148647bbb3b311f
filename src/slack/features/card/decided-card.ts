// The card of a closed request: three lines, and the buttons for what is left to do.
import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { isAboutUserToken, type Person, type ResumeFailure } from '../../../core/state/request.ts';
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
  sentText,
  stateSentence,
  stateSymbol,
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

/** A card shows so much of the feedback. The crew receives all of it, and *Review* shows it. */
const TOLD_LENGTH = 100;
const TOLD_LINES = 4;

/** Returns the first lines that aren't empty, so that a list stays one. */
function beginning(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const start = lines.slice(0, TOLD_LINES).join('\n');
  return cut(lines.length > TOLD_LINES ? `${start}\n…` : start, TOLD_LENGTH);
}

export interface DecidedDetails extends Pick<CardDetails, 'name' | 'labelOf' | 'say'> {
  /** Address where people can end the run. Left out if the crew isn't configured. */
  controlUrl?: string | undefined;
}

/** Returns the people whom a closed card names. */
export function peopleOnDecided(model: CardModel): (Person | null | undefined)[] {
  const decision = 'decision' in model.state ? model.state.decision : null;
  const all = [...(decision ? [decision] : []), ...votesOn(model)];
  return [model.starter, ...all.flatMap(({ by, for: holder }) => [by, holder])];
}

/** Says what became of a request. If its text is about to expire, also what proves which text it was. */
export function decidedCard(model: CardModel, details: DecidedDetails): Rendered {
  const { output, textGoneAt: goneAt } = model;
  const proof = goneAt === undefined ? [] : [context(textProof({ hash: output.hash, goneAt }, details.say))];
  return rendered(cardSummary(model, details), [...decidedBlocks(model, details), ...proof]);
}

/** Shows what a closed card would show that can't be updated any more. */
export function decidedCardFollowUp(model: CardModel, details: DecidedDetails): Rendered {
  const { text, blocks } = decidedCard(model, details);
  return rendered(text, [...blocks, context(details.say('follow-up.card'))]);
}

function decidedBlocks(model: CardModel, details: DecidedDetails): KnownBlock[] {
  const { name, say } = details;
  const { state } = model;
  const decision = 'decision' in state ? state.decision : null;
  const message = decision && sentText(decision, votesOn(model));
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
    ...(message === null ? [] : [quotedPoints(beginning(message), TOLD_LENGTH)]),
    ...contextLine([line.filter(Boolean).join(' · '), ...askedLines(model, details)].filter(Boolean).join('\n')),
    ...(model.edited && decision?.verdict === 'approve' ? buttons(compareEdits(model, model.edited, say)) : []),
    ...nextBlocks(model, details),
    ...(model.isAsk ? buttons(menu(runEntries(say), model.ref)) : []),
  ];
}

/** Says who asked without a run, and with which inputs, because no other message of the thread does. */
function askedLines(model: CardModel, { name, labelOf = String, say }: DecidedDetails): string[] {
  if (!model.isAsk) return [];
  return [startedBy(model, { name, say }), inputsLine(model.inputs ?? {}, labelOf, say)].filter(Boolean);
}

function nextBlocks(model: CardModel, words: DecidedDetails): KnownBlock[] {
  const { state } = model;
  const { say } = words;
  if (model.crewMissing) return [section(`🔌 ${missingCrewText(model, say)}`)];
  if (state.kind === 'failed') return failedBlocks(model, state.failure, words);
  if (state.kind === 'undoable')
    return buttons(button('undo', say('card.undo'), { value: approvalValue(keyOf(model)) }));
  // Signoff can't end a run itself.
  const { controlUrl } = words;
  const canEnd = state.kind === 'declined' && !state.isOver && controlUrl !== undefined;
  return canEnd ? buttons(linkButton(endLabel(controlUrl, say), controlUrl)) : [];
}

function failedBlocks(
  model: CardModel,
  failure: ResumeFailure,
  { name, say }: Pick<CardDetails, 'name' | 'say'>,
): KnownBlock[] {
  const detail = resumeFailureDetail(model, failure, say);
  const value = approvalValue(keyOf(model));
  return [
    section(stateSentence(model, { name, say })),
    ...(detail === null ? [] : [context(detail)]),
    ...buttons(
      button('send_again', say('send-again.yes'), { value, confirm: confirmSendAgain(model, failure, say) }),
      lacksRun(model, failure) ? button('run_again', say('reply.run-again'), { value: model.ref }) : null,
    ),
  ];
}

/** Returns true if the crew's service doesn't know the run, which people can then start again. An ask has no run. */
function lacksRun({ isAsk }: CardModel, failure: ResumeFailure): boolean {
  return !isAsk && failure.kind === 'refused' && failure.code === 'not-found';
}

/** Asks before a decision is sent again that didn't arrive, or may have. */
function confirmSendAgain(model: CardModel, failure: ResumeFailure, say: Say): Confirm {
  const { isAsk } = model;
  const common = { title: say('send-again.title'), yes: say('send-again.yes'), no: say('send-again.no') };
  if (lacksRun(model, failure)) return confirm({ ...common, text: say('send-again.run-unknown') });
  const text = say(isAsk ? `asked.again-${failure.kind}` : `send-again.${failure.kind}`);
  return confirm(failure.kind === 'refused' ? { ...common, text } : { ...common, text, style: 'danger' });
}

/** Quotes the crew’s service for people who understand it. Escaped mrkdwn. */
function resumeFailureDetail({ isAsk }: CardModel, failure: ResumeFailure, say: Say): string | null {
  // If it is about a person's own token, our own sentence says all that others need to know.
  if (failure.kind === 'not-confirmed' || isAboutUserToken(failure.code)) return null;
  const said = escapedLine(failure.detail, 300);
  if (failure.status > 0)
    return say(isAsk ? 'asked.said-with-status' : 'sending.crew-said-with-status', {
      status: String(failure.status),
      said: said || say('sending.crew-said-nothing'),
    });
  return said === '' ? null : say(isAsk ? 'asked.said' : 'sending.crew-said', { said });
}
