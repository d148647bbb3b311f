import type { Logger } from 'pino';
import type { Person } from '../core/approval/approval.ts';
import { claimResume, settleResume } from '../core/approval/resume.ts';
import type { ResumeAnswer, StatusReading } from '../core/execution/events.ts';
import { type Execution, findApproval, starterOf } from '../core/execution/execution.ts';
import { claimKickoff, settleKickoff } from '../core/execution/start.ts';
import { claimPoll, isRecorded, recordStatus } from '../core/execution/tracking.ts';
import { tsOf } from '../core/messages/post.ts';
import { keepAnswer } from '../core/messages/private-answers.ts';
import type { CrewPort, ExecutionStore, OnBehalf, OutputStore } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { type ClaimCall, change, changeAt, storeOutcome } from './change.ts';

export interface CrewCallPorts {
  store: ExecutionStore;
  outputs: OutputStore;
  crews: CrewPort;
  claimCall: ClaimCall;
  ownTokenText: OwnTokenText;
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

function starterAs(execution: Execution): OnBehalf | null {
  const starter = starterOf(execution);
  return starter && { personId: starter.id, ownTokenOnly: false };
}

export async function resume(
  { store, crews, claimCall, ownTokenText, log }: CrewCallPorts,
  ref: string,
  approvalId: string,
): Promise<void> {
  const claimed = await claimCall(ref, { kind: 'resume', approvalId }, (execution, process, now) =>
    claimResume(execution, approvalId, process, now),
  );
  const approval = claimed && findApproval(claimed.execution, approvalId);
  if (!claimed || approval?.status !== 'sending') return;
  const { execution } = claimed;
  const { decision, attempts, taskId } = approval;
  const attempt = attempts.length;
  const answer = await crews.resume(execution.crew, {
    ref,
    hop: execution.hop,
    as: decision.by && { personId: decision.by.id, ownTokenOnly: decision.ownTokenOnly },
    executionId: execution.executionId ?? execution.kickoffIds[0] ?? '',
    taskId,
    feedback: decision.text,
    isApprove: decision.verdict === 'approve',
  });
  const kickoffId = answer.kind === 'accepted' ? answer.kickoffId : null;
  if (kickoffId !== null) await storeOutcome(() => store.linkId(execution.crew, kickoffId, ref));
  const text = await findOwnTokenText(ownTokenText, answer, { crew: execution.crew, by: decision.by });
  await storeOutcome(() =>
    change(store, ref, (each, now) => {
      const settled = settleResume(each, { approvalId, attempt, answer }, now);
      return explainTokenRefusal(settled, { approvalId, answer, text }, now);
    }),
  );
  log.info({ ref, approvalId, kickoffId, attempt, answer: answer.kind }, 'resume answered');
}

export async function poll({ store, crews, outputs, log }: CrewCallPorts, ref: string): Promise<void> {
  const claimed = await changeAt(store, ref, claimPoll);
  const id = claimed && polledId(claimed.execution);
  if (!claimed || !id) return;
  const raw = await crews.status(claimed.execution.crew, id);
  log.debug({ ref, kickoffId: id, status: raw.kind }, 'polled');
  const reading: StatusReading =
    raw.kind === 'completed'
      ? { kind: 'completed', result: raw.text === null ? null : await outputs.put(ref, raw.text) }
      : raw;
  if (isRecorded(claimed.execution, reading, claimed.now)) return;
  // A run that was resumed meanwhile has a new id: the status of the old one no longer applies.
  await change(store, ref, (execution, now) =>
    polledId(execution) === id ? recordStatus(execution, reading, now) : execution,
  );
}

function polledId({ kickoffIds, executionId }: Execution): string | null {
  return kickoffIds.at(-1) ?? executionId;
}

/** The words for a person whose own token a crew wants, in their language. */
type OwnTokenText = (
  code: 'user-token-refused' | 'no-user-token',
  about: { crew: string; personId: string },
) => Promise<string>;

/** What to tell the person if a crew wants their own token; null if the answer isn't about that. */
async function findOwnTokenText(
  ownTokenText: OwnTokenText,
  answer: ResumeAnswer,
  { crew, by }: { crew: string; by: Person | null },
): Promise<string | null> {
  if (answer.kind !== 'refused' || by === null) return null;
  const { code } = answer.failure;
  return code === 'user-token-refused' || code === 'no-user-token'
    ? ownTokenText(code, { crew, personId: by.id })
    : null;
}

/** The card tells everybody; the person who has to connect a token is told privately, too, once for each refusal. */
function explainTokenRefusal(
  settled: Execution,
  { approvalId, answer, text }: { approvalId: string; answer: ResumeAnswer; text: string | null },
  now: Millis,
): Execution {
  const approval = findApproval(settled, approvalId);
  // The answer counts only if it has become the state of the request.
  if (answer.kind !== 'refused' || approval?.status !== 'failed' || approval.failure !== answer.failure) return settled;
  const { by } = approval.decision;
  if (text === null || by === null) return settled;
  const { channel, root, crew } = settled;
  return keepAnswer(settled, { to: by.id, channel, threadTs: tsOf(root), text, next: { kind: 'connect', crew } }, now);
}
