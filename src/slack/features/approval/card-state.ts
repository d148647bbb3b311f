import type { Button, Confirm, KnownBlock } from '@slack/types';
import {
  type CrewRefusal,
  type Decision,
  isAboutUserToken,
  type ResumeFailure,
  type Vote,
} from '../../../core/approval/approval.ts';
import type { CardModel, CardState } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { button, buttons, confirm, context, quote, section, sectionWith } from '../../ui/blocks.ts';
import { approvalValue, keyOf, textValue } from '../../ui/button-value.ts';
import { listed, type NameOf, nameIn } from '../../ui/person.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { slackDate, slackTime } from '../../ui/text/moment.ts';
import { type CardDetails, cardHeading, missingCrewText, taskIn } from './card-details.ts';
import { actorText } from './who-decides.ts';

interface Words {
  name: NameOf;
  say: Say;
}

/** The request and its state on one line, for notifications and screen readers; mrkdwn without mentions. */
export function cardSummary(model: CardModel, words: Words): string {
  const round = words.say('card.round', { round: model.round });
  return `${stateSymbol(model.state)} ${cardTitle(model, words)} · ${escapedLine(model.crew, 80)} · ${round}. ${stateSentence(model, words)}`;
}

export function stateSymbol(state: CardState): string {
  switch (state.kind) {
    case 'pending':
      return '✋';
    case 'undoable':
    case 'telling':
    case 'told':
      return state.decision.verdict === 'approve' ? '✅' : '↩️';
    case 'failed':
      return '⚠️';
    case 'expired':
      return '⌛';
    case 'superseded':
      return '⏹️';
  }
}

/** What has become of the request: `Maria and Jon approved publish`; mrkdwn that notifies nobody. */
export function cardTitle(model: CardModel, words: Words): string {
  const { state } = model;
  const { say } = words;
  switch (state.kind) {
    case 'pending':
      return escapeMrkdwn(cardHeading(model, say));
    case 'undoable':
    case 'telling':
    case 'told':
      return verdictTitle(model, state.decision, words);
    case 'failed': {
      const what = say(state.failure.kind === 'unconfirmed' ? 'card.not-confirmed' : 'card.not-delivered');
      return `${verdictTitle(model, state.decision, words)}, ${what}`;
    }
    case 'expired':
      return say('card.closed', { task: taskIn(model, say) });
    case 'superseded':
      return state.decision
        ? verdictTitle(model, state.decision, words)
        : say('card.closed', { task: taskIn(model, say) });
  }
}

function verdictTitle(model: CardModel, { by, for: holder, verdict }: Decision, { name, say }: Words): string {
  const task = taskIn(model, say);
  if (by === null) return say('card.rejected-by-nobody', { task });
  const own = { by, for: holder };
  const others = model.votes.filter((vote) => vote.by.id !== by.id);
  const approved = [...others, ...(verdict === 'approve' ? [own] : [])];
  const names = listed(
    approved.map((each) => actorText(each, { name, say })),
    say,
  );
  if (verdict === 'approve') return say('card.approved', { names, task });
  return others.length === 0
    ? say('card.rejected', { name: actorText(own, { name, say }), task })
    : say('card.rejected-after', { name: actorText(own, { name, say }), names, task });
}

/** Whether the crew has been told, or why it isn't; mrkdwn. */
export function stateSentence(model: CardModel, { name, say }: Words): string {
  const { crew, state } = model;
  if (model.crewMissing) return missingCrewText(model, say);
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable':
      return say('card.undoable', { time: slackTime(state.undoUntil, say) });
    case 'telling':
      return say(state.tries > 0 ? 'sending.unreachable' : 'card.sending');
    case 'told':
      return say('card.sent');
    case 'expired':
      return say('card.expired');
    case 'failed': {
      const { by } = state.decision;
      const names = { crew: escapedLine(crew, 80), by: by ? nameIn(name, by) : say('who.nobody'), say };
      return resumeFailureText(state.failure, names);
    }
    case 'superseded':
      return supersededSentence(state, { name, say });
  }
}

function supersededSentence(
  { by, decision }: Extract<CardState, { kind: 'superseded' }>,
  { name, say }: Words,
): string {
  if (decision === null) return say(`card.${by}`);
  const decider = decision.by ? nameIn(name, decision.by) : say('who.nobody');
  return say(`card.${by}-before`, { name: decider });
}

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

/** Asked before a decision that didn't arrive, or may have, is sent again. */
function confirmSendAgain(failure: ResumeFailure, say: Say): Confirm {
  const common = { title: say('send-again.title'), yes: say('send-again.yes'), no: say('send-again.no') };
  switch (failure.kind) {
    case 'refused':
      return confirm({ ...common, text: say('send-again.refused') });
    case 'unconfirmed':
      return confirm({ ...common, text: say('send-again.unconfirmed'), style: 'danger' });
  }
}

/** Opens the whole text that a card asks about. */
export function readButton({ ref, approvalId, output, taskName, crew, round }: CardModel, say: Say): Button {
  const title = `${taskName ?? crew}, ${say('card.round', { round })}`;
  return button('read_all', say('text.read'), {
    value: textValue({ ref, hash: output.hash, title, rest: 'attached', approvalId }),
  });
}

interface Decided {
  /** Escaped. */
  crew: string;
  /** Escaped. */
  by: string;
  say: Say;
}

/** Why a decision has not reached the crew, and what to do; mrkdwn. */
function resumeFailureText(failure: ResumeFailure, about: Decided): string {
  switch (failure.kind) {
    case 'refused':
      return refusedSentence(failure.code, about);
    case 'unconfirmed':
      return about.say('sending.unconfirmed');
  }
}

function refusedSentence(code: CrewRefusal, { crew, by, say }: Decided): string {
  const command = `/kickoff connect ${crew}`;
  switch (code) {
    case 'unauthorized':
      return say('sending.unauthorized');
    case 'user-token-refused':
      return say('sending.user-token-refused', { by, command });
    case 'no-user-token':
      return say('sending.no-user-token', { by, command });
    case 'not-found':
      return say('sending.not-found');
    case 'quota':
      return say('sending.quota');
    case 'unreachable':
      return say('sending.gave-up');
    case 'missing-inputs':
    case 'bad-request':
    case 'other':
      return say('sending.refused');
  }
}

/** What the crew’s service itself said, for those who can make something of it; escaped mrkdwn. */
function resumeFailureDetail(failure: ResumeFailure, say: Say): string | null {
  // About a person's own token, our own sentence says all that others need to know.
  if (failure.kind === 'unconfirmed' || isAboutUserToken(failure.code)) return null;
  const said = escapedLine(failure.detail, 300);
  if (failure.status > 0)
    return say('sending.crew-said-with-status', {
      status: String(failure.status),
      said: said || say('sending.crew-said-nothing'),
    });
  return said === '' ? null : say('sending.crew-said', { said });
}

/** What people have written of what the crew receives; null for an approval without notes. */
export function toldText({ verdict, feedback, text }: Decision, votes: readonly Vote[]): string | null {
  if (verdict === 'reject') return feedback?.trim() ? feedback : null;
  const notes = [feedback, ...votes.map((vote) => vote.feedback)];
  return notes.some((each) => each?.trim()) ? text : null;
}
