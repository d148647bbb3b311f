import type { Confirm, KnownBlock } from '@slack/types';
import type { Decision, ResumeFailure } from '../../core/approval/approval.ts';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import { button, buttons, confirm, context, quote, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { mention, type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';
import { CREW_UNREACHABLE, resumeFailureDetail, resumeFailureText } from './resume-failure-text.ts';

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

function verdictLabel(decision: Decision): string {
  return `${decision.verdict === 'approve' ? '✅' : '↩️'} ${verdictWord(decision)}`;
}

function verdictWord({ verdict }: Decision): string {
  return verdict === 'approve' ? 'Approved' : 'Rejected';
}

/** The request and its state on one line, for notifications and screen readers; mrkdwn without mentions. */
export function cardSummary(model: CardModel, name: NameOf): string {
  const task = model.taskName ? ` for “${escapedLine(model.taskName, 120)}”` : '';
  const crew = escapedLine(model.crew, 80);
  const round = model.round > 1 ? `, round ${model.round}` : '';
  return `${stateLabel(model.state)}: ${crew} asks for approval${task}${round}. ${stateSentence(model, name)}`.trim();
}

function stateSentence({ crew, state }: CardModel, name: NameOf): string {
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable':
      return `${attributed(state.decision, name)}. It can still be undone.`;
    case 'expired':
      return EXPIRED;
    case 'telling':
      return `${attributed(state.decision, name)}. ${tellingSentence(state.tries)}`;
    case 'told':
      return `${attributed(state.decision, name)}. The crew has been told.`;
    case 'failed':
      return `${attributed(state.decision, name)}. ${failureText({ crew, ...state }, name)}`;
    case 'superseded':
      return supersededSentence(state, name);
  }
}

/** Who decided what and when, their feedback, whether the crew has been told, and what is left to do. */
export function cardStateBlocks(model: CardModel, name: NameOf): KnownBlock[] {
  const { state } = model;
  switch (state.kind) {
    case 'pending':
      return [];
    case 'undoable':
      return [
        ...decided(state.decision, name),
        context(`⏳ The crew is told ${slackDate(state.undoUntil)}.`),
        ...buttons(button('undo', 'Undo', { value: approvalValue(model) })),
      ];
    case 'expired':
      return [section(`*⌛ ${EXPIRED}* · ${slackDate(state.expiredAt)}`)];
    case 'telling':
      return [...decided(state.decision, name), context(`⏳ ${tellingSentence(state.tries)}`)];
    case 'told':
      return [...decided(state.decision, name), context('✔️ The crew has been told.')];
    case 'failed':
      return [...decided(state.decision, name), ...failed(model, state, name)];
    case 'superseded':
      return [
        ...(state.decision ? decided(state.decision, name) : []),
        context(`⏹️ ${supersededSentence(state, name)}`),
      ];
  }
}

function decided(decision: Decision, name: NameOf): KnownBlock[] {
  const { feedback, by, at } = decision;
  const who = by ? `by ${mention(name, by)}` : 'since nobody decided in time';
  const line = section(`*${verdictLabel(decision)}* ${who} · ${slackDate(at)}`);
  // In full, so that people see exactly what the crew was told.
  return feedback?.trim() ? [line, quote(feedback, TYPED_TEXT_LIMIT)] : [line];
}

function attributed(decision: Decision, name: NameOf): string {
  return decision.by
    ? `${verdictWord(decision)} by ${nameIn(name, decision.by)}`
    : `${verdictWord(decision)}, since nobody decided in time`;
}

const EXPIRED = 'Nobody decided in time, and the crew was not told.';

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

function confirmSendAgain(failure: ResumeFailure): Confirm {
  switch (failure.kind) {
    case 'refused':
      return confirm({
        title: 'Send the decision again?',
        text: 'The crew said no to it last time. Send it again once the reason is gone.',
        yes: 'Send again',
        no: 'Not now',
      });
    case 'unconfirmed':
      return confirm({
        title: 'Send the decision again?',
        text:
          'Nobody knows whether the crew got it. If it did, sending it again may decide the crew’s next question before ' +
          'anybody has read it. Please check the crew’s control panel if you can.',
        yes: 'Send again',
        no: 'Not now',
        style: 'danger',
      });
  }
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
