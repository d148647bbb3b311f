import type { KnownBlock } from '@slack/types';
import type { Decision, DeliveryFailure } from '../../core/approval/approval.ts';
import type { CardFace, CardState } from '../../core/messages/view-models.ts';
import { button, buttons, confirm, context, quote, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { inline, mention, type NameOf, nameIn, verdictWord } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';
import { CANT_BE_TOLD, deliveryDetail, deliverySentence } from './delivery-words.ts';

export const SEND_AGAIN = 'send_again';

/** Slack's limit for typed text: everyone can see afterwards on exactly what words the crew goes on. */
const FEEDBACK_LIMIT = 3_000;

/** The card's state in words and a symbol; plain text. */
export function cardHeading(face: CardFace): string {
  const round = face.round > 1 ? ` (round ${face.round})` : '';
  const task = face.taskName ?? face.crew;
  return `${stateWord(face.state)}: ${task}${round}`;
}

function stateWord(state: CardState): string {
  switch (state.kind) {
    case 'pending':
      return '✋ Please decide';
    case 'telling':
    case 'told':
      return verdictWord(state.decision);
    case 'failed':
      return `⚠️ ${bare(state.decision)}, ${state.failure.kind === 'unconfirmed' ? 'not confirmed' : 'not delivered'}`;
    case 'superseded':
      return '⏹️ No longer asked';
  }
}

function bare({ verdict }: Decision): string {
  return verdict === 'approve' ? 'Approved' : 'Rejected';
}

/** The request and its state on one line, for notifications and screen readers; mrkdwn without mentions. */
export function cardSummary(face: CardFace, name: NameOf): string {
  const task = face.taskName ? ` for “${inline(face.taskName, 120)}”` : '';
  const crew = inline(face.crew, 80);
  const round = face.round > 1 ? `, round ${face.round}` : '';
  return `${stateWord(face.state)}: ${crew} asks for approval${task}${round}. ${stateSentence(face.state, name)}`.trim();
}

function stateSentence(state: CardState, name: NameOf): string {
  switch (state.kind) {
    case 'pending':
      return '';
    case 'telling':
      return `${signed(state.decision, nameIn(name, state.decision.by))}. ${tellingWords(state.tries)}`;
    case 'told':
      return `${signed(state.decision, nameIn(name, state.decision.by))}. The crew has been told.`;
    case 'failed':
      return `${signed(state.decision, nameIn(name, state.decision.by))}. ${deliverySentence(state.failure)}`;
    case 'superseded':
      return supersededWords(state, name);
  }
}

/** Who decided what and when, what they said, whether the crew knows, and what is left to do. */
export function cardStateBlocks(face: CardFace, name: NameOf): KnownBlock[] {
  const { state } = face;
  switch (state.kind) {
    case 'pending':
      return [];
    case 'telling':
      return [...decided(state.decision, name), context(`⏳ ${tellingWords(state.tries)}`)];
    case 'told':
      return [...decided(state.decision, name), context('✔️ The crew has been told.')];
    case 'failed':
      return [...decided(state.decision, name), ...failed(face, state.failure)];
    case 'superseded':
      return [...(state.decision ? decided(state.decision, name) : []), context(`⏹️ ${supersededWords(state, name)}`)];
  }
}

function decided(decision: Decision, name: NameOf): KnownBlock[] {
  const { feedback, by, at } = decision;
  const line = section(`*${verdictWord(decision)}* by ${mention(name, by)} · ${slackDate(at)}`);
  return feedback?.trim() ? [line, quote(feedback, FEEDBACK_LIMIT)] : [line];
}

function signed(decision: Decision, who: string): string {
  return `${bare(decision)} by ${who}`;
}

function tellingWords(tries: number): string {
  return tries > 0 ? CANT_BE_TOLD : 'Telling the crew…';
}

function failed(face: CardFace, failure: DeliveryFailure): KnownBlock[] {
  const detail = deliveryDetail(failure);
  return [
    section(`⚠️ *${deliverySentence(failure)}*`),
    ...(detail === null ? [] : [context(detail)]),
    ...buttons(button(SEND_AGAIN, 'Send again', { value: approvalValue(face), confirm: sendAgainWords(failure) })),
  ];
}

function sendAgainWords(failure: DeliveryFailure) {
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

function supersededWords(state: Extract<CardState, { kind: 'superseded' }>, name: NameOf): string {
  const end = state.decision
    ? `before ${nameIn(name, state.decision.by)}’s decision reached the crew`
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
