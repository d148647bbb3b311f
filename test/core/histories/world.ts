import { checkClaims } from '../../../src/core/claimed-calls.ts';
import { type DueAction, dueActionsAt } from '../../../src/core/due-actions.ts';
import type { ResumeAnswer } from '../../../src/core/execution/events.ts';
import { showExpiry } from '../../../src/core/execution/expiry.ts';
import { catchUp, recordCompletion, recordStep, recordTask, settleStatus } from '../../../src/core/execution/run.ts';
import { checkAdoptionHold, claimKickoff, settleKickoff } from '../../../src/core/execution/start.ts';
import { claimPoll, recordStatus, stopFollowing } from '../../../src/core/execution/tracking.ts';
import { claimStep, findStep, settleStep } from '../../../src/core/execution/workflow-steps.ts';
import {
  claimMessage,
  learnCopy,
  settleMessage,
  settleRefresh,
  settleStarterNotice,
} from '../../../src/core/messages/delivery.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import {
  answerTo,
  claimAnswer,
  keepAnswer,
  NO_STEP,
  settleAnswer,
} from '../../../src/core/messages/private-answers.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { listRecipients } from '../../../src/core/request/alerts.ts';
import { ask, askRepeat, followRules } from '../../../src/core/request/ask.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { decline } from '../../../src/core/request/decline.ts';
import { endHandOvers } from '../../../src/core/request/hand-over.ts';
import { judgeVotes, nameTask } from '../../../src/core/request/name-task.ts';
import { claimResume, sendAgain, settleResume } from '../../../src/core/request/resume.ts';
import { escalate, expire, remind } from '../../../src/core/request/timers.ts';
import { recordShortages } from '../../../src/core/request/undecidable.ts';
import { type Execution, findRequest, placeInThread } from '../../../src/core/state/execution.ts';
import { type Message, postOf } from '../../../src/core/state/message.ts';
import { contentOf, type Recipients } from '../../../src/core/state/post.ts';
import type { Decision } from '../../../src/core/state/request.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { frozen } from '../../support/frozen.ts';
import { JON, MARIA, output, permittedTo, textOf } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';
import { completionAnswer, kickoffAnswer, postOutcome, resumeAnswer, statusReading } from './answers.ts';
import type { Move } from './moves.ts';

const TOLD: Recipients = {
  people: [MARIA, JON].map(({ id }) => ({ to: id, reason: 'policy' })),
  untold: 0,
  isComplete: true,
};

/** A call that is under way: it is answered once, at any time, or never. */
export type Call =
  | { kind: 'kickoff' }
  | { kind: 'resume'; approvalId: string; attempt: number }
  | { kind: 'post'; message: Message; attempt: number; shown: string }
  | { kind: 'update'; message: Message; shown: string; replaced: string }
  | { kind: 'complete-step'; stepId: string; attempt: number }
  | { kind: 'poll'; begunAt: number };

/** What really happened to one approval, which the core can only know in part. */
export interface Truth {
  /** How often a person asked for the decision to be sent: by deciding, and by *Send again*. */
  sendingsAsked: number;
  accepted: number;
  /** Attempts that the service may have, in the order they were made: not answered with a no. */
  mayHaveArrived: number[];
}

export interface World {
  /** The same as long as the world lasts. */
  rules: CrewRules;
  execution: Execution;
  now: number;
  calls: Call[];
  truth: Record<string, Truth>;
  /** How many messages Slack has. */
  messages: number;
  /** By the ids of steps: how often Slack was told that one is done, and may have taken it. */
  completions: Record<string, number>;
}

/** A world in which the calls of all attempts that may have arrived are still under way. */
export function begin(execution: Execution, now: number, rules: CrewRules): World {
  const doubts = execution.requests.flatMap(({ id, state }) =>
    'attempts' in state ? [{ id, attempts: state.attempts }] : [],
  );
  const calls = doubts.flatMap(({ id, attempts }) =>
    attempts.map(({ number }): Call => ({ kind: 'resume', approvalId: id, attempt: number })),
  );
  const truth = doubts.map(({ id, attempts }): [string, Truth] => [
    id,
    { sendingsAsked: attempts.length, accepted: 0, mayHaveArrived: attempts.map(({ number }) => number) },
  ]);
  return {
    rules,
    execution: frozen(execution),
    now,
    calls,
    truth: Object.fromEntries(truth),
    messages: 0,
    completions: {},
  };
}

/** The world after one move. The execution is frozen, so that a transition that changes its input throws. */
export function after(world: World, move: Move): World {
  const next = moved(world, move);
  return { ...next, execution: frozen(next.execution) };
}

function moved(world: World, move: Move): World {
  const { execution, now } = world;
  switch (move.kind) {
    case 'time passes':
      return { ...world, now: now + move.ms };
    case 'a notification comes':
      return { ...world, execution: notified(world, move) };
    case 'a person clicks':
      return clicked(world, move);
    case 'a person sends again':
      return sentAgain(world, move.approval);
    case 'a worker begins': {
      const action = pick(dueActionsAt(execution, now), move.action);
      return action ? worked(world, action) : world;
    }
    case 'a late worker begins': {
      const request = pick(execution.requests, move.approval);
      return request ? resuming(world, request.id) : world;
    }
    case 'a call is answered': {
      const call = pick(world.calls, move.call);
      return call ? answered(world, call, move.answer) : world;
    }
    case 'a copy is clicked': {
      const request = pick(execution.requests, move.approval);
      const ts = `copy ${move.ts}`;
      return request ? { ...world, execution: learnCopy(execution, { approvalId: request.id, ts }, now) } : world;
    }
    case 'a person can’t be answered': {
      const answer = { channel: 'C1', threadTs: null, text: 'too late', next: NO_STEP };
      const to = move.person === 0 ? MARIA.id : JON.id;
      return { ...world, execution: keepAnswer(execution, { ...answer, to }, now) };
    }
    case 'a task is named': {
      const task = { taskId: `task ${move.task}`, name: NAMES[move.name] ?? null };
      return { ...world, execution: nameTask(execution, task, world.rules, now) };
    }
    case 'a person stops following':
      return { ...world, execution: valueFrom(stopFollowing(execution, permittedTo(JON), now)) };
    case 'a process starts':
      return { ...world, execution: followRules(execution, rulesWith(world, move.crew), now) };
  }
}

const NAMES = ['publish', 'draft', 'other'];

/** What a process knows of the crew. */
function rulesWith({ rules }: World, crew: 'configured' | 'missing'): CrewRules {
  return crew === 'configured' ? rules : { ...rules, policy: null };
}

function pick<Item>(items: Item[], number: number): Item | undefined {
  return items[number % Math.max(1, items.length)];
}

function notified({ rules, execution, now }: World, move: Extract<Move, { kind: 'a notification comes' }>): Execution {
  const { kickoffId, task, text } = move;
  const event = { hop: move.hop % (execution.hop + 1), kickoffId };
  switch (move.what) {
    case 'human input': {
      const asked = {
        executionId: 'e1',
        taskId: `task ${task}`,
        taskName: task === 1 && text === 2 ? 'publish' : null,
        output: output(`${text}`, text * 100_000),
        heading: 'Draft',
        attachesFile: text > 1,
        isTitled: task === 1 && text === 2,
      };
      const result = ask(execution, { ...event, ...asked }, now, rules);
      return result.ok ? result.value : execution;
    }
    case 'task':
      return recordTask(
        execution,
        { ...event, name: `task ${task}`, agent: null, summary: `${text}`, output: null },
        now,
      );
    case 'step':
      return recordStep(execution, event, now);
    case 'completion':
      return recordCompletion(execution, { ...event, result: null }, now);
  }
}

const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };
const REJECT: Choice = { verdict: 'reject', feedback: 'shorter' };

/** Most often one after which the run goes on. */
const CHOICES: Choice[] = [
  ...[APPROVE, REJECT, REJECT, APPROVE, REJECT, REJECT],
  { verdict: 'reject', feedback: null },
  { verdict: 'decline', feedback: null },
  { verdict: 'decline', feedback: 'wrong product' },
];

function clicked(world: World, move: Extract<Move, { kind: 'a person clicks' }>): World {
  const { execution, now, truth, rules } = world;
  const request = pick(execution.requests, move.approval);
  const choice = pick(CHOICES, move.choice);
  if (!request || !choice) return world;
  const by = permittedTo(move.person === 0 ? MARIA : JON);
  // Random histories of the policy undo what was decided.
  const policy = rules.policy && {
    ...rules.policy,
    undoMs: 0,
    tasks: rules.policy.tasks.map((task) => ({ ...task, undoMs: 0 })),
  };
  const permission = { ...by, policy, ...textOf(execution, request.id) };
  const result = decide(execution, request.id, { choice, ...permission }, now);
  if (!result.ok || result.value === execution) return world;
  const isDecided = findRequest(result.value, request.id)?.state.status !== 'pending';
  return { ...world, execution: result.value, truth: isDecided ? { ...truth, [request.id]: DECIDED } : truth };
}

const DECIDED: Truth = { sendingsAsked: 1, accepted: 0, mayHaveArrived: [] };

/** A rejection by the policy is to be sent once, as one by a person is. */
function expiring(world: World, approvalId: string): World {
  const execution = expire(world.execution, approvalId, world.rules, world.now);
  const isDecided = findRequest(execution, approvalId)?.state.status === 'decided';
  return { ...world, execution, truth: isDecided ? { ...world.truth, [approvalId]: DECIDED } : world.truth };
}

function sentAgain(world: World, number: number): World {
  const request = pick(world.execution.requests, number);
  const result =
    request &&
    sendAgain(
      world.execution,
      request.id,
      { ...permittedTo(MARIA), ...textOf(world.execution, request.id) },
      world.now,
    );
  if (!request || !result?.ok) return world;
  const known = { ...world, execution: result.value };
  return withTruth(known, request.id, (truth) => ({ ...truth, sendingsAsked: truth.sendingsAsked + 1 }));
}

function withTruth(world: World, approvalId: string, change: (truth: Truth) => Truth): World {
  const truth = world.truth[approvalId];
  return truth ? { ...world, truth: { ...world.truth, [approvalId]: change(truth) } } : world;
}

/** Begins one action as a worker does: claims it where it can't be repeated, and makes the call. */
export function worked(world: World, action: DueAction): World {
  const { rules, execution, now, truth } = world;
  const withCall = (next: Execution, call: Call): World =>
    next === execution ? world : { ...world, execution: next, calls: [...world.calls, call] };
  switch (action.kind) {
    case 'resume':
      return resuming(world, action.approvalId);
    case 'decline':
      return { ...world, execution: decline(execution, action.approvalId, now) };
    case 'remind':
      return { ...world, execution: remind(execution, action.approvalId, rules, now) };
    case 'escalate':
      return { ...world, execution: escalate(execution, action.approvalId, rules, now) };
    case 'expire':
      return expiring(world, action.approvalId);
    case 'tell-expiry':
      return { ...world, execution: showExpiry(execution, now) };
    case 'find-recipients':
      return { ...world, execution: listRecipients(execution, action.approvalId, TOLD, now) };
    case 'find-deciders': {
      const judged = findRequest(execution, action.approvalId);
      if (!judged) return world;
      return { ...world, execution: recordShortages(execution, { judged, shortages: [] }, rules, now) };
    }
    case 'judge-votes': {
      const permission = { ...permittedTo(MARIA), policy: rules.policy, text: 'Approved.' };
      const judged = judgeVotes(execution, action.approvalId, permission, now);
      const isDecided = findRequest(judged, action.approvalId)?.state.status === 'decided';
      return { ...world, execution: judged, truth: isDecided ? { ...truth, [action.approvalId]: DECIDED } : truth };
    }
    case 'end-hand-overs':
      return { ...world, execution: endHandOvers(execution, now) };
    case 'kickoff':
      return withCall(claimKickoff(execution, PROCESS, now), { kind: 'kickoff' });
    case 'post':
      return posting(world, action.message);
    case 'update': {
      const { message } = action;
      const replaced = contentOf(postOf(execution, message));
      const call = { kind: 'update', message, shown: wantedFor(execution, message), replaced } as const;
      return { ...world, calls: [...world.calls, call] };
    }
    case 'private-answer':
      return { ...world, execution: answeredPrivately(world, action.to) };
    case 'complete-step':
      return completing(world, action.stepId);
    case 'starter-notice':
      return { ...world, execution: settleStarterNotice(execution, 'told', now) };
    case 'check-claims':
      return { ...world, execution: checkClaims(execution, checkAt(now, ...(now % 2 === 0 ? [] : [PROCESS]))) };
    case 'catch-up':
      return { ...world, execution: settleStatus(catchUp(execution, now), now % 2 === 0 ? 'told' : 'refused') };
    case 'poll':
      return withCall(claimPoll(execution, now), { kind: 'poll', begunAt: now });
    case 'ask-repeat':
      return { ...world, execution: askRepeat(execution, rules, now) };
    case 'check-crew':
      return { ...world, execution: followRules(execution, rules, now) };
    case 'find-thread':
      return { ...world, execution: placeInThread(execution, { status: 'begins' }) };
    case 'check-adoption':
      return { ...world, execution: checkAdoptionHold(execution, 'awaited', now) };
  }
}

function answeredPrivately({ execution, now }: World, to: string): Execution {
  const claimed = claimAnswer(execution, to, now);
  const answer = answerTo(claimed, to);
  return answer ? settleAnswer(claimed, answer, now % 2 === 0 ? 'told' : 'later', now) : claimed;
}

function resuming(world: World, approvalId: string): World {
  const execution = claimResume(world.execution, approvalId, PROCESS, world.now);
  const request = findRequest(execution, approvalId);
  if (execution === world.execution || request?.state.status !== 'sending') return world;
  const attempt = request.state.attempts.length;
  const calls: Call[] = [...world.calls, { kind: 'resume', approvalId, attempt }];
  return withTruth({ ...world, execution, calls }, approvalId, (truth) => ({
    ...truth,
    mayHaveArrived: [...truth.mayHaveArrived, attempt],
  }));
}

function completing(world: World, stepId: string): World {
  const execution = claimStep(world.execution, stepId, PROCESS, world.now);
  const completion = findStep(execution, stepId)?.completion;
  if (execution === world.execution || completion?.status !== 'sending') return world;
  const calls: Call[] = [...world.calls, { kind: 'complete-step', stepId, attempt: completion.tries }];
  return { ...world, execution, calls, completions: counted(world, stepId, 1) };
}

function counted({ completions }: World, stepId: string, more: number): World['completions'] {
  return { ...completions, [stepId]: (completions[stepId] ?? 0) + more };
}

function posting(world: World, message: Message): World {
  const execution = claimMessage(world.execution, message, PROCESS, world.now);
  const post = postOf(execution, message);
  if (execution === world.execution || post?.status !== 'posting') return world;
  const call: Call = { kind: 'post', message, attempt: post.attempt, shown: wantedFor(execution, message) };
  return { ...world, execution, calls: [...world.calls, call] };
}

/** Answers a call that is under way; 0 is success, but for polls, where the last one is the end of the run. */
export function answered(world: World, call: Call, answer: number): World {
  const { execution, now } = world;
  const rest = { ...world, calls: world.calls.filter((each) => each !== call) };
  switch (call.kind) {
    case 'kickoff':
      return { ...rest, execution: settleKickoff(execution, kickoffAnswer(answer), now) };
    case 'resume':
      return resumed(rest, call, resumeAnswer(answer, `k${execution.hop + 1}`));
    case 'post': {
      const { message, attempt } = call;
      const posted = postOutcome(answer, call.shown, `ts ${world.messages}`);
      const isDirect = message.kind === 'direct-message' && posted.kind === 'posted';
      const outcome = isDirect ? { ...posted, channel: 'D1' } : posted;
      const settled = settleMessage(execution, { message, attempt, outcome }, now);
      return { ...rest, execution: settled, messages: world.messages + 1 };
    }
    case 'update': {
      const { message, replaced } = call;
      const outcome = postOutcome(answer, call.shown, 'as before');
      return { ...rest, execution: settleRefresh(execution, { message, outcome, replaced }, now) };
    }
    case 'complete-step': {
      const { stepId, attempt } = call;
      const said = completionAnswer(answer);
      const completions = counted(world, stepId, said.kind === 'later' ? -1 : 0);
      const settled = settleStep(execution, { stepId, attempt, answer: said }, now);
      return { ...rest, execution: settled, completions };
    }
    case 'poll': {
      return { ...rest, execution: recordStatus(execution, statusReading(answer), now, call.begunAt) };
    }
  }
}

function resumed(world: World, call: Extract<Call, { kind: 'resume' }>, answer: ResumeAnswer): World {
  const { approvalId, attempt } = call;
  const execution = settleResume(world.execution, { approvalId, attempt, answer }, world.now);
  return withTruth({ ...world, execution }, approvalId, (truth) => ({
    ...truth,
    accepted: truth.accepted + (answer.kind === 'accepted' ? 1 : 0),
    mayHaveArrived: truth.mayHaveArrived.filter(
      (each) => each !== attempt || answer.kind === 'accepted' || answer.kind === 'unknown',
    ),
  }));
}

/** The decisions that this execution knows, by approval. */
export function decisionsOf({ requests }: Execution): Record<string, Decision> {
  const decided = requests.flatMap((each) =>
    'decision' in each.state && each.state.decision ? [[each.id, each.state.decision]] : [],
  );
  return Object.fromEntries(decided);
}
