// What a card says of its request, and of what became of it.
import type { Button } from '@slack/types';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import type { ApprovedStage } from '../../core/policy/progress.ts';
import {
  allVotes,
  type CrewRefusal,
  type Decision,
  type ResumeFailure,
  type Verdict,
  type Vote,
} from '../../core/state/approval.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { listed, type NameOf, nameIn } from '../ui/person.ts';
import { toolInWords } from '../ui/structure.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { slackDate, slackTime } from '../ui/text/moment.ts';
import { aboutText } from './status-text.ts';

// A heading holds 150 characters.
const LONGEST_TASK = 80;
const LONGEST_CREW = 40;

type Names = Pick<CardModel, 'crew' | 'taskName' | 'call' | 'round' | 'fields' | 'outcomes'>;

/** What is asked, and whether it takes an approval or another answer; plain text. The call of a tool is named after what that does. */
export function cardHeading(model: Names, say: Say, tool: string | null = null): string {
  const { taskName, call, fields, outcomes } = model;
  const task = tool === null ? taskName : toolInWords(tool);
  const needed = say(fields || outcomes ? 'card.answer-needed' : 'card.approval-needed');
  return task === null
    ? needed
    : say('card.needed', { needed, task: withCall(cutLine(task, LONGEST_TASK), call, say) });
}

/** The task, and which of several calls of it is meant. */
function withCall(task: string, call: Names['call'], say: Say): string {
  return call === undefined ? task : say('card.one-of-calls', { task, ...call });
}

/** Task, crew and round on one line; mrkdwn. */
export function cardNames({ crew, taskName, round }: Names, say: Say): string {
  const names = [
    escapedLine(taskName ?? '', LONGEST_TASK),
    escapedLine(crew, LONGEST_CREW),
    laterRound({ round }, say),
  ];
  return names.filter(Boolean).join(' · ');
}

/** Which round it is; empty for the first. */
export function laterRound({ round }: Pick<Names, 'round'>, say: Say): string {
  return round > 1 ? say('card.round', { round }) : '';
}

const LONGEST_IN_TITLE = { task: 80, crew: 60 };

interface ListedRequest {
  crew: string;
  /** Null or empty where it has no name. */
  taskName: string | null;
  /** What tells it from others of its crew, as `aboutRequest` says it; '' if nothing does. */
  about: string;
  round: number;
}

/**
 * A request on one line of a list: the task first, since a screen reader begins with it, then the crew and what it is about.
 * Escaped mrkdwn.
 */
export function requestTitle({ crew, taskName, about, round }: ListedRequest, say: Say): string {
  const [first = '', ...others] = [
    escapedLine(taskName ?? '', LONGEST_IN_TITLE.task),
    escapedLine(crew, LONGEST_IN_TITLE.crew),
    aboutText(about),
    laterRound({ round }, say),
  ].filter(Boolean);
  return [`*${first}*`, ...others].join(' · ');
}

/** The task within a sentence, in quotation marks; mrkdwn. */
export function taskIn({ taskName, call }: Pick<Names, 'taskName' | 'call'>, say: Say): string {
  if (taskName === null) return say('card.unnamed-task');
  return withCall(say('text.quoted', { text: escapedLine(taskName, LONGEST_TASK) }), call, say);
}

interface Words {
  name: NameOf;
  say: Say;
}

/** The request and its state on one line, for notifications and screen readers; mrkdwn without mentions. */
export function cardSummary(model: CardModel, words: Words): string {
  const what = [cardTitle(model, words), runNames(model), laterRound(model, words.say)].filter(Boolean).join(' · ');
  return `${stateSymbol(model.state)} ${what}. ${stateSentence(model, words)}`;
}

/** The crew, and what its run is about; escaped mrkdwn. */
export function runNames({ crew, about }: { crew: string; about: string }): string {
  return [escapedLine(crew, 40), aboutText(about)].filter(Boolean).join(' · ');
}

export function stateSymbol(state: CardState): string {
  switch (state.kind) {
    case 'pending':
      return '✋';
    case 'undoable':
    case 'telling':
    case 'told':
      return VERDICT_SYMBOLS[state.decision.verdict];
    case 'declined':
      return VERDICT_SYMBOLS.decline;
    case 'failed':
      return '⚠️';
    case 'expired':
      return '⌛';
    case 'superseded':
      return '⏹️';
  }
}

const VERDICT_SYMBOLS = { approve: '✅', reject: '↩️', decline: '⛔' } as const satisfies Record<Verdict, string>;

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
    case 'declined':
      return verdictTitle(model, state.decision, words);
    case 'failed': {
      const what = say(state.failure.kind === 'not-confirmed' ? 'card.not-confirmed' : 'card.not-delivered');
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

function verdictTitle(
  model: CardModel,
  { by, for: holder, verdict, outcome, answer }: Decision,
  { name, say }: Words,
): string {
  const task = taskIn(model, say);
  if (by === null) return say(model.isAsk ? 'card.closed' : 'card.rejected-by-nobody', { task });
  const own = { by, for: holder };
  const others = votesOn(model).filter((vote) => vote.by.id !== by.id);
  const approved = [...others, ...(verdict === 'approve' ? [own] : [])];
  const names = listed(
    approved.map((each) => actorText(each, { name, say })),
    say,
  );
  const chosen = { outcome: escapedLine(outcome ?? '', LONGEST_TASK), task };
  if (answer) return say('card.answered', { names, task });
  if (verdict === 'approve' && model.edited) return say('card.approved-edited', { names, task });
  if (verdict === 'approve')
    return outcome === undefined ? say('card.approved', { names, task }) : say('card.chose', { names, ...chosen });
  const who = { name: actorText(own, { name, say }), task };
  if (outcome !== undefined) return say('card.chose', { names: who.name, ...chosen });
  if (others.length === 0) return say(verdict === 'decline' ? 'card.declined-by' : 'card.rejected', who);
  return say(verdict === 'decline' ? 'card.declined-after' : 'card.rejected-after', { ...who, names });
}

/** The name of a stage, escaped. */
export function stageName(name: string): string {
  return escapedLine(name, 40);
}

/** A stage that is complete, and the next one, as words take them. */
export function stageNames({ approved, open }: ApprovedStage): { stage: string; next: string } {
  return { stage: stageName(approved), next: stageName(open) };
}

/** All approvals of a request but the one that decided it, in the order of its stages. */
export function votesOn({ stages = [], votes }: Pick<CardModel, 'stages' | 'votes'>): Vote[] {
  return allVotes({ stages, votes });
}

/** Who approved or rejected, and with whose right, as in `Jon (for Maria)`. */
export function actorText({ by, for: holder }: Pick<Vote, 'by' | 'for'>, { name, say }: Words): string {
  return holder ? say('card.for', { name: nameIn(name, by), other: nameIn(name, holder) }) : nameIn(name, by);
}

/** Whether the crew has been told, or why it isn't; mrkdwn. */
export function stateSentence(model: CardModel, { name, say }: Words): string {
  const { crew, state } = model;
  if (model.crewMissing) return missingCrewText(model, say);
  if (model.isAsk) return askSentence(model, { name, say });
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable': {
      const time = slackTime(state.undoUntil, say);
      return say(state.decision.text === null ? 'card.undoable-untold' : 'card.undoable', { time });
    }
    case 'telling':
      return say(state.delayedBy === null ? 'card.sending' : `sending.${state.delayedBy}`);
    case 'told':
      return say(state.decision.verdict === 'decline' ? 'card.told-declined' : 'card.sent');
    case 'declined':
      return say(state.isOver ? 'card.untold-over' : 'card.untold-open');
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

/** The same where whoever asked isn't a crew. */
function askSentence({ state, unheard }: CardModel, { name, say }: Words): string {
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable':
      return say('asked.undoable', { time: slackTime(state.undoUntil, say) });
    case 'telling':
      return state.giveUpAt === undefined
        ? say('asked.sending')
        : say('asked.sent-again', { time: slackDate(state.giveUpAt, say) });
    case 'told':
    case 'declined':
      if (state.decision.by === null) return say('asked.expired');
      if (unheard === 'unsure' || unheard === 'refused') return say(`problem.workflow-${unheard}`);
      return say(`asked.${unheard ?? 'sent'}`);
    case 'expired':
      return say('asked.expired');
    case 'failed':
      return say(state.failure.kind === 'not-confirmed' ? 'asked.not-confirmed' : 'asked.refused');
    case 'superseded':
      return supersededSentence(state, { name, say });
  }
}

function supersededSentence(
  { by, decision }: Extract<CardState, { kind: 'superseded' }>,
  { name, say }: Words,
): string {
  if (decision === null || by === 'declined' || by === 'cancelled' || by === 'replaced') return say(`card.${by}`);
  const decider = decision.by ? nameIn(name, decision.by) : say('who.nobody');
  return say(`card.${by}-before`, { name: decider });
}

/** What becomes of the request until the crew is configured again; mrkdwn. */
export function missingCrewText({ crew, state }: Pick<CardModel, 'crew' | 'state'>, say: Say): string {
  const name = { crew: escapedLine(crew, 80) };
  switch (state.kind) {
    case 'undoable':
    case 'telling':
      return say('missing-crew.decided', name);
    case 'failed':
      return say('missing-crew.failed', name);
    case 'pending':
    case 'told':
    case 'superseded':
    case 'declined':
    case 'expired':
      return say('missing-crew.pending', name);
  }
}

/** Who decided, for which crew; names are escaped. */
interface Decided {
  crew: string;
  by: string;
  say: Say;
}

/** Why a decision has not reached the crew, and what to do; mrkdwn. */
function resumeFailureText(failure: ResumeFailure, about: Decided): string {
  switch (failure.kind) {
    case 'refused':
      return refusedSentence(failure.code, about);
    case 'not-confirmed':
      return about.say('sending.not-confirmed');
  }
}

function refusedSentence(code: CrewRefusal, { crew, by, say }: Decided): string {
  const command = `${say.kickoff} connect ${crew}`;
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
    case 'busy':
    case 'other':
      return say('sending.refused');
  }
}

/** What approves at once, or asks for the note that it takes. */
export function approveLabel(notes: 'offered' | 'hidden' | 'required', say: Say): string {
  return say(notes === 'required' ? 'card.approve-asking' : 'card.approve');
}

/** Leads to where the run can be ended; plain text. */
export function endLabel(controlUrl: string, say: Say): string {
  return say('card.end-at', { host: cutLine(new URL(controlUrl).host, 50) });
}

/** What people have written of what the crew receives; null for an approval without notes. */
export function toldText({ verdict, feedback, text }: Decision, votes: readonly Vote[]): string | null {
  if (verdict !== 'approve') return feedback?.trim() ? feedback : null;
  const notes = [feedback, ...votes.map((vote) => vote.feedback)];
  return notes.some((each) => each?.trim()) ? text : null;
}

/** Opens the whole text that a card asks about. */
export function reviewButton({ ref, approvalId, output }: CardModel, say: Say, spoken?: string): Button {
  return button('review', say('review.button'), {
    value: approvalValue({ ref, approvalId, hash: output.hash, isRead: true }),
    ...(spoken !== undefined && { spoken }),
  });
}
