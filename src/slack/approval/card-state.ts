import type { KnownBlock } from '@slack/types';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import { button, buttons, context, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { slackDate, slackTime } from '../ui/text/moment.ts';
import { confirmSendAgain } from './confirm-send-again.ts';
import { attributed, decidedBlocks, verdictLabel, verdictWord } from './decided-blocks.ts';
import { CREW_UNREACHABLE, resumeFailureDetail, resumeFailureText } from './resume-failure-text.ts';

/** After nobody decided in time; plain text. */
const STILL_WAITS = 'It may still wait: please answer it in its own control panel.';

/** The card's state as a symbol and words; plain text. */
export function cardHeading(model: CardModel): string {
  const round = model.round > 1 ? ` (round ${model.round})` : '';
  const task = model.taskName ?? model.crew;
  return `${stateLabel(model.state)}: ${task}${round}`;
}

function stateLabel(state: CardState): string {
  switch (state.kind) {
    case 'pending':
      return '✋ Please decide';
    case 'undoable':
    case 'telling':
    case 'told':
      return verdictLabel(state.decision);
    case 'expired':
      return '⌛ Nobody decided in time';
    case 'failed':
      return `⚠️ ${verdictWord(state.decision)}, ${state.failure.kind === 'unconfirmed' ? 'not confirmed' : 'not delivered'}`;
    case 'superseded':
      return '⏹️ No longer asked';
  }
}

/** The request and its state on one line, for notifications and screen readers; mrkdwn without mentions. */
export function cardSummary(model: CardModel, name: NameOf): string {
  const task = model.taskName ? ` for “${escapedLine(model.taskName, 120)}”` : '';
  const crew = escapedLine(model.crew, 80);
  const round = model.round > 1 ? `, round ${model.round}` : '';
  return `${stateLabel(model.state)}: ${crew} asks for approval${task}${round}. ${stateSentence(model, name)}`.trim();
}

function stateSentence({ crew, state, votes }: CardModel, name: NameOf): string {
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable':
      return `${attributed(state.decision, { votes, name })}. It can still be undone.`;
    case 'expired':
      return `The crew was not told. ${STILL_WAITS}`;
    case 'telling':
      return `${attributed(state.decision, { votes, name })}. ${tellingSentence(state.tries)}`;
    case 'told':
      return `${attributed(state.decision, { votes, name })}. The crew has been told.`;
    case 'failed':
      return `${attributed(state.decision, { votes, name })}. ${failureText({ crew, ...state }, name)}`;
    case 'superseded':
      return supersededSentence(state, name);
  }
}

/** Who decided what and when, what the crew is told, whether it has been, and what is left to do. */
export function cardStateBlocks(model: CardModel, name: NameOf): KnownBlock[] {
  const { state } = model;
  switch (state.kind) {
    case 'pending':
      return [];
    case 'undoable':
      return [
        ...decidedBlocks(model, state.decision, name),
        context(`⏳ The crew is told at ${slackTime(state.undoUntil)}; until then it can be undone.`),
        ...buttons(button('undo', 'Undo', { value: approvalValue(model) })),
      ];
    case 'expired':
      return [
        section(`*⌛ Nobody decided in time* · ${slackDate(state.expiredAt)}`),
        context(`The crew was not told. ${STILL_WAITS}`),
      ];
    case 'telling':
      return [...decidedBlocks(model, state.decision, name), context(`⏳ ${tellingSentence(state.tries)}`)];
    case 'told':
      return [...decidedBlocks(model, state.decision, name), context('✔️ The crew has been told.')];
    case 'failed':
      return [...decidedBlocks(model, state.decision, name), ...failed(model, state, name)];
    case 'superseded':
      return [
        ...(state.decision ? decidedBlocks(model, state.decision, name) : []),
        context(`⏹️ ${supersededSentence(state, name)}`),
      ];
  }
}

function tellingSentence(tries: number): string {
  return tries > 0 ? CREW_UNREACHABLE : 'Telling the crew…';
}

type Failed = Extract<CardState, { kind: 'failed' }>;

function failureText(
  { crew, decision, failure }: Pick<Failed, 'decision' | 'failure'> & { crew: string },
  name: NameOf,
) {
  return resumeFailureText(failure, {
    crew: escapedLine(crew, 80),
    by: decision.by ? nameIn(name, decision.by) : 'nobody',
  });
}

function failed(model: CardModel, { decision, failure }: Failed, name: NameOf): KnownBlock[] {
  const detail = resumeFailureDetail(failure);
  return [
    section(`⚠️ *${failureText({ crew: model.crew, decision, failure }, name)}*`),
    ...(detail === null ? [] : [context(detail)]),
    ...buttons(button('send_again', 'Send again', { value: approvalValue(model), confirm: confirmSendAgain(failure) })),
  ];
}

function supersededSentence(state: Extract<CardState, { kind: 'superseded' }>, name: NameOf): string {
  const end = state.decision
    ? `before ${state.decision.by ? `${nameIn(name, state.decision.by)}’s` : 'the'} decision reached the crew`
    : 'before anybody decided';
  switch (state.by) {
    case 'newer-round':
      return `The crew asked again ${end}; the newer request is the one to decide.`;
    case 'ended':
      return `The run ended ${end}.`;
    case 'unfollowed':
      return `Somebody stopped following the run ${end}. It may still wait for an answer in its own control panel.`;
  }
}
