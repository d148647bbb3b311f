import { setTimeout as pause } from 'node:timers/promises';
import { checkClaims, claimingProcesses, unsettledClaims } from '../core/claimed-calls.ts';
import { type DueAction, dueActionKey, dueActionsAt, LEFT_MS } from '../core/due-actions.ts';
import { showExpiry } from '../core/execution/expiry.ts';
import type { RulesOf } from '../core/policy/crew.ts';
import type { Permission } from '../core/policy/permission.ts';
import { findRules, type RequestRules } from '../core/policy/rules.ts';
import type { ProcessRegistry, StoredChange } from '../core/ports.ts';
import { askRepeat, followRules } from '../core/request/ask.ts';
import { decline } from '../core/request/decline.ts';
import { endHandOvers } from '../core/request/hand-over.ts';
import { judgeVotes } from '../core/request/name-task.ts';
import { escalate, expire, remind } from '../core/request/timers.ts';
import { recordShortages, reportedUndecidable } from '../core/request/undecidable.ts';
import { CHECK_SOON_MS, type Execution, findRequest, missCrew } from '../core/state/execution.ts';
import type { Shortage } from '../core/state/shortage.ts';
import type { Millis } from '../core/values/time.ts';
import { findThread, type ThreadPorts } from './ask-threads.ts';
import { type ClaimCall, change, createCallClaims, createOwnChanges } from './change.ts';
import { completeStep, type StepPorts } from './complete-step.ts';
import { type CrewCallPorts, kickoff, poll, resume } from './crew-calls.ts';
import {
  findRecipients,
  type MessagePorts,
  notifyStarter,
  post,
  showStatus,
  takeTurn,
  tellPrivately,
  update,
} from './slack-messages.ts';

// Carries out each kind of due action for `worker.ts`, by calling the function for it.

export interface DueActionHandler {
  /** The actions that are due although the record says that they are in progress: this process hasn't begun them. */
  unmade(execution: Execution): DueAction[];
  /** Waits for what must come before the action; resolves to false if the action was postponed instead. */
  prepare(execution: Execution, action: DueAction): Promise<boolean>;
  /** Does one action and stores the outcome. @param execution as it was when the action was prepared */
  handle(execution: Execution, action: DueAction): Promise<void>;
  /** Returns true if an action has made this change. */
  hasMade(change: StoredChange): boolean;
}

interface HandlerPorts extends Omit<CrewCallPorts & MessagePorts & StepPorts & ThreadPorts, 'claimCall'> {
  rulesOf: RulesOf;
  processes: ProcessRegistry;
  /** Finds the facts to judge voters, and the crew's text for an approval that has no note. Throws `StoreUnavailable`. */
  findJudging: (execution: Execution) => Promise<Permission & { text: string }>;
  /** Finds why a request can't be completed, as far as Slack can tell. Never throws. */
  findShortages: (rules: RequestRules) => Promise<readonly Shortage[] | 'unsure'>;
  /** Tells the operators that a request can't be completed; resolves to false if that has to be tried again. Never throws. */
  reportUndecidable: (rules: RequestRules) => Promise<boolean>;
  /** Pause between these checks at first. Default: ten minutes. */
  lookForDecidersMs?: Millis | undefined;
  /** Checks whether a held execution is one that we started ourselves, and merges or releases it. */
  settleAdoption: (ref: string) => Promise<void>;
}

/** Each action first claims in the record what can't be repeated, then makes its call, then stores the outcome. */
export function createDueActionHandler(options: HandlerPorts): DueActionHandler {
  const { store, hasMade } = createOwnChanges(options.store);
  const ports = { ...options, store };
  const { claimCall, unmadeCalls } = createCallClaims(store, ports.processes.id);
  return {
    unmade: unmadeCalls,
    async prepare(execution, action) {
      if (!(await awaitCrew(ports, execution, action))) return false;
      return 'message' in action ? takeTurn(ports, execution, action) : true;
    },
    handle: createHandle({ ...ports, claimCall }),
    hasMade,
  };
}

function createHandle(ports: HandlerPorts & { claimCall: ClaimCall }): DueActionHandler['handle'] {
  const { store, settleAdoption } = ports;
  return async (before, action) => {
    const { ref } = before;
    switch (action.kind) {
      case 'kickoff':
        return kickoff(ports, ref);
      case 'resume':
        return resume(ports, ref, action.approvalId);
      case 'decline':
        await change(store, ref, (execution, now) => decline(execution, action.approvalId, now));
        return;
      case 'remind':
      case 'escalate':
      case 'expire':
        return runTimer(ports, ref, action);
      case 'judge-votes':
        return judge(ports, ref, action.approvalId);
      case 'find-deciders':
        return lookForDeciders(ports, ref, action.approvalId);
      case 'find-recipients':
        return findRecipients(ports, ref, action.approvalId);
      case 'post':
        return post(ports, before, action.message);
      case 'update':
        return update(ports, before, action.message);
      case 'private-answer':
        return tellPrivately(ports, ref, action.to);
      case 'complete-step':
        return completeStep(ports, ref, action.stepId);
      case 'starter-notice':
        return notifyStarter(ports, ref);
      case 'check-claims':
        return endLeftClaims(ports, ref);
      case 'end-hand-overs':
        await change(store, ref, endHandOvers);
        return;
      case 'catch-up':
        return showStatus(ports, ref);
      case 'poll':
        return poll(ports, ref);
      case 'check-adoption':
        return settleAdoption(ref);
      case 'find-thread':
        return findThread(ports, ref);
      case 'ask-repeat':
        await change(store, ref, (execution, now) => askRepeat(execution, ports.rulesOf(execution.crew), now));
        return;
      case 'check-crew':
        return checkCrew(ports, ref);
      case 'tell-expiry':
        await change(store, ref, showExpiry);
        return;
    }
  };
}

/** Decides a request whose votes are complete by the rules that remain, now that more is known about it. */
async function judge(
  { store, findJudging }: Pick<HandlerPorts, 'store' | 'findJudging'>,
  ref: string,
  approvalId: string,
): Promise<void> {
  const stored = await store.load(ref);
  if (!stored) return;
  const judging = await findJudging(stored.execution);
  await change(store, ref, (execution, now) => judgeVotes(execution, approvalId, judging, now));
}

/** Notifies people and operators when a request can't be completed, or can be again. */
async function lookForDeciders(
  {
    store,
    rulesOf,
    findShortages,
    reportUndecidable,
    lookForDecidersMs: lookAgainMs,
  }: Pick<HandlerPorts, 'store' | 'rulesOf' | 'findShortages' | 'reportUndecidable' | 'lookForDecidersMs'>,
  ref: string,
  approvalId: string,
): Promise<void> {
  const stored = await store.load(ref);
  if (!stored) return;
  const { execution, now } = stored;
  const judged = findRequest(execution, approvalId);
  if (judged?.state.status !== 'pending') return;
  const shortages = await findShortages(findRules(rulesOf(execution.crew), { execution, request: judged, now }));
  const learned = await change(store, ref, (each, at) =>
    recordShortages(each, { judged, shortages, lookAgainMs }, rulesOf(each.crew), at),
  );
  if (!learned) return;
  const request = findRequest(learned, approvalId);
  if (
    request?.state.status !== 'pending' ||
    request.discussion.undecidable === null ||
    request.discussion.undecidable.isReported
  )
    return;
  if (await reportUndecidable(findRules(rulesOf(learned.crew), { execution: learned, request, now })))
    await change(store, ref, (each) => reportedUndecidable(each, approvalId));
}

type RulePorts = Pick<HandlerPorts, 'store' | 'rulesOf'>;

/** Any other process looks at the queue within this time of an action that isn't left to this one, and may know the crew. */
const OTHERS_MS = 1_000;

/**
 * Returns true if this process can do an action. If it doesn't know the crew of a run in progress, it leaves the action to
 * processes that may know it. If there are none, the record says that the run waits for its crew: nothing is sent, asked or shown by guess.
 */
async function awaitCrew({ store, rulesOf }: RulePorts, execution: Execution, action: DueAction): Promise<boolean> {
  if (rulesOf(execution.crew).policy !== null) return true;
  if (execution.missingCrew !== null) {
    if (action.kind === 'check-crew') await pause(OTHERS_MS, null, { ref: false });
    return true;
  }
  if (missCrew(execution, 0) === execution) return true;
  await pause(OTHERS_MS + (LEFT_MS.get(action.kind) ?? 0), null, { ref: false });
  const isLeft = (each: Execution, now: Millis) => dueActionsAt(each, now).some((due) => isSame(due, action));
  await change(store, execution.ref, (each, now) => (isLeft(each, now) ? missCrew(each, now, CHECK_SOON_MS) : each));
  return false;
}

function isSame(one: DueAction, other: DueAction): boolean {
  return dueActionKey(one) === dueActionKey(other);
}

/** Lets the run continue if this process knows its crew; otherwise the crew is looked for again later. */
async function checkCrew({ store, rulesOf }: RulePorts, ref: string): Promise<void> {
  await change(store, ref, (execution, now) =>
    execution.missingCrew === null ? execution : followRules(execution, rulesOf(execution.crew), now),
  );
}

/** Ends the claims whose calls can no longer be answered, such as those of processes that are gone. */
async function endLeftClaims(
  { store, processes, log }: Pick<HandlerPorts, 'store' | 'processes' | 'log'>,
  ref: string,
): Promise<void> {
  const stored = await store.load(ref);
  if (!stored) return;
  const gone = new Set<string>();
  for (const id of claimingProcesses(stored.execution, stored.now)) if (await processes.isGone(id)) gone.add(id);
  const isGone = (id: string) => gone.has(id);
  const after = await change(store, ref, (execution, now) => checkClaims(execution, { isGone, now }));
  const ended = after ? unsettledClaims(stored.execution).length - unsettledClaims(after).length : 0;
  if (ended > 0 || gone.size > 0) log.warn({ ref, ended, gone: [...gone] }, 'calls were left unanswered');
}

const TIMERS = { remind, escalate, expire };

/** Does what time brings about in a request that nobody has decided, by the policy in force now. */
async function runTimer(
  { store, rulesOf }: RulePorts,
  ref: string,
  { kind, approvalId }: { kind: keyof typeof TIMERS; approvalId: string },
): Promise<void> {
  await change(store, ref, (execution, now) => TIMERS[kind](execution, approvalId, rulesOf(execution.crew), now));
}
