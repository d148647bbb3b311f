import type { Decision } from '../../core/approval/approval.ts';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { listed } from '../ui/listed.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { slackTime } from '../ui/text/moment.ts';
import { cardHeading, taskIn } from './card-names.ts';
import { missingCrewText } from './missing-crew-blocks.ts';
import { resumeFailureText } from './resume-failure-text.ts';
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
