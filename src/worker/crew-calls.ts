import type { Logger } from 'pino';
import type { ResumeAnswer, StatusReading } from '../core/execution/events.ts';
import { claimKickoff, settleKickoff } from '../core/execution/start.ts';
import { claimPoll, isRecorded, recordStatus } from '../core/execution/tracking.ts';
import {
  type AskerPort,
  type CrewPort,
  type ExecutionStore,
  isOutage,
  type OnBehalf,
  type OutputStore,
  type ToldDecision,
} from '../core/ports.ts';
import { withEditedText } from '../core/request/edits.ts';
import { claimResume, settleResume } from '../core/request/resume.ts';
import { type Execution, findRequest, starterOf } from '../core/state/execution.ts';
import { editsToSend, hasStatus, isOpenInFlow } from '../core/state/request.ts';
import { type ClaimCall, change, changeAt, soon, storeOutcome } from './change.ts';

// The calls to crews and programs that the worker makes: kickoffs, resumes and polls.

export interface CrewCallPorts {
  store: ExecutionStore;
  outputs: OutputStore;
  crews: CrewPort;
  askers: AskerPort;
  claimCall: ClaimCall;
  log: Logger;
}

export async function kickoff({ store, crews, claimCall }: CrewCallPorts, ref: string): Promise<void> {
  const claimed = await claimCall(ref, { kind: 'kickoff' }, claimKickoff);
  if (!claimed) return;
  const { crew, inputs } = claimed.execution;
  const answer = await crews.kickoff(crew, { ref, hop: 0, inputs, as: starterAs(claimed.execution) });
  const kickoffId = answer.kind === 'accepted' ? answer.kickoffId : null;
  if (kickoffId !== null) await storeOutcome(() => store.linkId(crew, kickoffId, ref));
  await storeOutcome(() => change(store, ref, (execution, now) => settleKickoff(execution, answer, now)));
}

/** Returns the person for whom a run starts; null for a workflow: it says itself who has started it, so it gets nobody's own token. */
function starterAs(execution: Execution): OnBehalf | null {
  const starter = execution.origin.kind === 'step' ? null : starterOf(execution);
  return starter && { personId: starter.id, ownTokenOnly: false };
}

/** Sends a decision to the crew or program that asked for it. */
export async function resume(ports: CrewCallPorts, ref: string, approvalId: string): Promise<void> {
  const { store, claimCall, log } = ports;
  const claimed = await claimCall(ref, { kind: 'resume', approvalId }, (execution, process, now) =>
    claimResume(execution, approvalId, process, now),
  );
  const request = claimed && findRequest(claimed.execution, approvalId);
  if (!claimed || !hasStatus(request, 'sending')) return;
  const { execution } = claimed;
  const attempt = request.state.attempts.length;
  const send = request.question.edited === null ? callWith : sendEdited;
  const answer = await send(ports, execution, { request: request, editedText: null });
  const kickoffId = answer.kind === 'accepted' ? answer.kickoffId : null;
  if (kickoffId !== null) await storeOutcome(() => store.linkId(execution.crew, kickoffId, ref));
  await storeOutcome(() => change(store, ref, (each, now) => settleResume(each, { approvalId, attempt, answer }, now)));
  log.info({ ref, approvalId, kickoffId, attempt, answer: answer.kind }, 'resume answered');
}

type Told = Pick<ToldDecision, 'request' | 'editedText'>;

/** Sends the edited text, and nothing as long as the approved text isn't there. */
async function sendEdited(ports: CrewCallPorts, execution: Execution, decision: Told): Promise<ResumeAnswer> {
  const edits = editsToSend(decision.request);
  if (edits === null) return callWith(ports, execution, decision);
  try {
    const editedText = await ports.outputs.get(execution.ref, edits.hash);
    return editedText === null ? NO_TEXT : await callWith(ports, execution, { ...decision, editedText });
  } catch (error) {
    if (isOutage(error)) return { kind: 'unavailable', reason: 'unreachable', waitMs: null };
    throw error;
  }
}

const NO_TEXT: ResumeAnswer = {
  kind: 'refused',
  failure: { kind: 'refused', code: 'other', status: 0, detail: 'The edited text is no longer stored.' },
};

function callWith({ crews, askers }: CrewCallPorts, execution: Execution, decision: Told): Promise<ResumeAnswer> {
  const { ref, crew } = execution;
  const { request, editedText } = decision;
  const { taskId, destination } = request.question;
  switch (destination?.kind) {
    case undefined: {
      const decision =
        editedText === null ? request.state.decision : withEditedText(request.state.decision, editedText);
      return crews.resume(crew, {
        ref,
        hop: execution.hop,
        as: decision.by && { personId: decision.by.id, ownTokenOnly: decision.ownTokenOnly },
        executionId: execution.executionId ?? execution.kickoffIds[0] ?? '',
        taskId,
        feedback: decision.text,
        isApprove: decision.verdict === 'approve',
      });
    }
    case 'flow':
    case 'callback':
      return askers.tell(destination, { ref, crew, ...decision });
    case 'poll':
      return Promise.resolve({ kind: 'accepted', kickoffId: null });
  }
}

/** Polls find little, so that many may be stored together. */
const POLLS_MS = 14_000;

export async function poll({ store, crews, outputs, log }: CrewCallPorts, ref: string): Promise<void> {
  const stored = await store.load(ref, { mostAgeMs: Number.POSITIVE_INFINITY });
  if (!stored) return;
  const claimed = await changeAt(isEvidence(stored.execution) ? store : soon(store, POLLS_MS), ref, claimPoll);
  const id = claimed && polledId(claimed.execution);
  if (!claimed || !id) return;
  const raw = await crews.status(claimed.execution.crew, id);
  log.debug({ ref, kickoffId: id, status: raw.kind }, 'polled');
  const reading: StatusReading =
    raw.kind === 'completed'
      ? { kind: 'completed', result: raw.text === null ? null : await outputs.put(ref, raw.text) }
      : raw;
  if (isRecorded(claimed.execution, reading, claimed.now)) return;
  // A run that was resumed meanwhile has a new id or is polled from the beginning: the status of before no longer applies.
  await change(store, ref, (execution, now) =>
    polledId(execution) === id && execution.poll.count >= claimed.execution.poll.count
      ? recordStatus(execution, reading, now, claimed.now)
      : execution,
  );
}

/** Returns true if two polls in a row prove something: then two processes must not poll at the same moment. */
function isEvidence({ requests, possibleRepeats }: Execution): boolean {
  return possibleRepeats.length > 0 || requests.some(isOpenInFlow);
}

function polledId({ kickoffIds, executionId }: Execution): string | null {
  return kickoffIds.at(-1) ?? executionId;
}
