// Sentences about the state of a request: on its card, in windows, notifications and lists.
import type { Button } from '@slack/types';
import type { CardModel, CardState } from '../../core/messages/view-models.ts';
import type { ApprovedStage } from '../../core/policy/progress.ts';
import { allVotes, type CrewRefusal, type Decision, type Verdict, type Vote } from '../../core/state/request.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { listed, nameIn, type Words } from '../ui/person.ts';
import { toolInWords } from '../ui/structure.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { slackTime, withDate } from '../ui/text/moment.ts';
import { aboutText } from './status-text.ts';

// A heading holds 150 characters.
const LONGEST_TASK = 80;
const LONGEST_CREW = 40;

type Names = Pick<CardModel, 'crew' | 'taskName' | 'call' | 'round' | 'fields' | 'outcomes'>;

/** Returns the heading of an open card as plain text. `tool`: the tool that the text calls, whose action then names the task. */
export function cardHeading(model: Names, say: Say, tool: string | null = null): string {
  const { taskName, call, fields, outcomes } = model;
  const task = tool === null ? taskName : toolInWords(tool);
  const needed = say(fields || outcomes ? 'card.answer-needed' : 'card.approval-needed');
  if (task === null) return needed;
  return say('card.needed', { needed, task: withCall(cutLine(task, LONGEST_TASK), call, say) });
}

/** Adds which of several calls of the task is meant. */
function withCall(task: string, call: Names['call'], say: Say): string {
  return call === undefined ? task : say('card.one-of-calls', { task, ...call });
}

/** Returns task, crew and round on one line of mrkdwn. */
export function cardNames({ crew, taskName, round }: Names, say: Say): string {
  const names = [escapedLine(taskName ?? '', LONGEST_TASK), escapedLine(crew, LONGEST_CREW)];
  return [...names, laterRound({ round }, say)].filter(Boolean).join(' · ');
}

/** Returns which round it is. Empty for the first one. */
export function laterRound({ round }: Pick<Names, 'round'>, say: Say): string {
  return round > 1 ? say('card.round', { round }) : '';
}

/** Returns a request on one line of escaped mrkdwn. The task comes first, because a screen reader begins with it. */
export function requestTitle(
  { crew, taskName, about, round }: Pick<CardModel, 'crew' | 'taskName' | 'about' | 'round'>,
  say: Say,
): string {
  const names = [escapedLine(taskName ?? '', LONGEST_TASK), escapedLine(crew, 60), aboutText(about)];
  const [first = '', ...others] = [...names, laterRound({ round }, say)].filter(Boolean);
  return [`*${first}*`, ...others].join(' · ');
}

/** Returns the task in quotation marks, for a sentence of mrkdwn. */
export function taskText({ taskName, call }: Pick<Names, 'taskName' | 'call'>, say: Say): string {
  if (taskName === null) return say('card.unnamed-task');
  return withCall(say('text.quoted', { text: escapedLine(taskName, LONGEST_TASK) }), call, say);
}

/** Returns the request and its state on one line of mrkdwn without mentions, for notifications and screen readers. */
export function cardSummary(model: CardModel, words: Words): string {
  const what = [cardTitle(model, words), runNames(model), laterRound(model, words.say)].filter(Boolean).join(' · ');
  return `${stateSymbol(model.state)} ${what}. ${stateSentence(model, words)}`;
}

/** Returns the crew and what its run is about, as escaped mrkdwn. */
export function runNames({ crew, about }: Pick<CardModel, 'crew' | 'about'>): string {
  return [escapedLine(crew, LONGEST_CREW), aboutText(about)].filter(Boolean).join(' · ');
}

export function stateSymbol(state: CardState): string {
  switch (state.kind) {
    case 'pending':
      return '✋';
    case 'undoable':
    case 'telling':
    case 'told':
    case 'declined':
      return VERDICT_SYMBOLS[state.decision.verdict];
    case 'failed':
      return '⚠️';
    case 'expired':
      return '⌛';
    case 'superseded':
      return '⏹️';
  }
}

const VERDICT_SYMBOLS = { approve: '✅', reject: '↩️', decline: '⛔' } as const satisfies Record<Verdict, string>;

/** Says what became of the request: `Maria and Jon approved publish`. Mrkdwn that notifies nobody. */
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
    case 'superseded': {
      const decision = state.kind === 'superseded' ? state.decision : null;
      return decision ? verdictTitle(model, decision, words) : say('card.closed', { task: taskText(model, say) });
    }
  }
}

function verdictTitle(
  model: CardModel,
  { by, for: holder, verdict, outcome, answer }: Decision,
  { name, say }: Words,
): string {
  const task = taskText(model, say);
  if (by === null) return say(model.isAsk ? 'card.closed' : 'card.rejected-by-nobody', { task });
  const own = { by, for: holder };
  const others = votesOn(model).filter((vote) => vote.by.id !== by.id);
  const approvals = [...others, ...(verdict === 'approve' ? [own] : [])];
  const names = actorsText(approvals, { name, say });
  if (answer) return say('card.answered', { names, task });
  if (verdict === 'approve' && model.edited) return say('card.approved-edited', { names, task });
  const who = { name: actorText(own, { name, say }), task };
  if (outcome !== undefined)
    return say('card.chose', {
      names: verdict === 'approve' ? names : who.name,
      outcome: escapedLine(outcome, LONGEST_TASK),
      task,
    });
  if (verdict === 'approve') return say('card.approved', { names, task });
  if (others.length === 0) return say(verdict === 'decline' ? 'card.declined-by' : 'card.rejected', who);
  return say(verdict === 'decline' ? 'card.declined-after' : 'card.rejected-after', { ...who, names });
}

/** Returns the name of a stage, escaped. */
export function stageName(name: string): string {
  return escapedLine(name, 40);
}

/** Returns a complete stage and the next one, named as sentences take them. */
export function stageNames({ approved, open }: ApprovedStage): { stage: string; next: string } {
  return { stage: stageName(approved), next: stageName(open) };
}

/** Returns all approvals of a request but the one that decided it, in the order of its stages. */
export function votesOn({ stages = [], votes }: Pick<CardModel, 'stages' | 'votes'>): Vote[] {
  return allVotes({ stages, votes });
}

/** Names the person who approved or rejected, and whose right they used: `Jon (for Maria)`. */
export function actorText({ by, for: holder }: Pick<Vote, 'by' | 'for'>, { name, say }: Words): string {
  return holder ? say('card.for', { name: nameIn(name, by), other: nameIn(name, holder) }) : nameIn(name, by);
}

/** Names people who have voted: `Maria and Jon (for Aiko)`. */
export function actorsText(votes: readonly Pick<Vote, 'by' | 'for'>[], words: Words): string {
  return listed(
    votes.map((vote) => actorText(vote, words)),
    words.say,
  );
}

/** Says whether the crew has the decision, or why not. Mrkdwn. */
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
      if (state.failure.kind === 'not-confirmed') return say('sending.not-confirmed');
      const { by } = state.decision;
      return refusalSentence(state.failure.code, { crew, by: by ? nameIn(name, by) : say('who.nobody'), say });
    }
    case 'superseded':
      return supersededSentence(state, { name, say });
  }
}

/** Says whether the program or workflow that asked has the decision, or why not. Mrkdwn. */
function askSentence({ state, unheard }: CardModel, { name, say }: Words): string {
  switch (state.kind) {
    case 'pending':
      return '';
    case 'undoable':
      return say('asked.undoable', { time: slackTime(state.undoUntil, say) });
    case 'telling':
      return state.giveUpAt === undefined
        ? say('asked.sending')
        : withDate(state.giveUpAt, say, (time) => say('asked.sent-again', { time }));
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

/** Says what happens to the request until the crew is configured again. Mrkdwn. */
export function missingCrewText({ crew, state: { kind } }: Pick<CardModel, 'crew' | 'state'>, say: Say): string {
  const isUnderway = kind === 'undoable' || kind === 'telling';
  const state = kind === 'failed' ? 'failed' : isUnderway ? 'decided' : 'pending';
  return say(`missing-crew.${state}`, { crew: escapedLine(crew, 80) });
}

/** Says why a decision has not reached the crew, and what to do. Mrkdwn. `by`: the escaped name of the person who decided. */
function refusalSentence(code: CrewRefusal, { crew, by, say }: { crew: string; by: string; say: Say }): string {
  switch (code) {
    case 'user-token-refused':
    case 'no-user-token':
      return say(`sending.${code}`, { by, command: `${say.kickoff} connect ${escapedLine(crew, 80)}` });
    case 'unauthorized':
    case 'not-found':
    case 'quota':
      return say(`sending.${code}`);
    case 'unreachable':
      return say('sending.gave-up');
    case 'missing-inputs':
    case 'bad-request':
    case 'busy':
    case 'other':
      return say('sending.refused');
  }
}

/** Returns the label of the button that approves at once, or asks for a note if one is required. */
export function approveLabel(notes: 'offered' | 'hidden' | 'required', say: Say): string {
  return say(notes === 'required' ? 'card.approve-asking' : 'card.approve');
}

/** Returns the label of the link to the place where people can end the run. Plain text. */
export function endLabel(controlUrl: string, say: Say): string {
  return say('card.end-at', { host: cutLine(new URL(controlUrl).host, 50) });
}

/** Returns the text that people wrote for the crew. Null for an approval without notes. */
export function sentText({ verdict, feedback, text }: Decision, votes: readonly Vote[]): string | null {
  if (verdict !== 'approve') return feedback?.trim() ? feedback : null;
  const notes = [feedback, ...votes.map((vote) => vote.feedback)];
  return notes.some((each) => each?.trim()) ? text : null;
}

/** Opens the whole text that a request asks about. */
export function reviewButton({ ref, approvalId, output }: CardModel, say: Say, spoken?: string): Button {
  return button('review', say('review.button'), {
    value: approvalValue({ ref, approvalId, hash: output.hash, isRead: true }),
    ...(spoken !== undefined && { spoken }),
  });
}
