import type { Logger } from 'pino';
import { claimMessage, expireClaims, settleMessage, settleNotice, settleRefresh } from './core/deliver.ts';
import { type Duty, dutiesAt } from './core/duty.ts';
import type { StatusReading } from './core/events.ts';
import type { Execution } from './core/execution.ts';
import { findApproval } from './core/execution.ts';
import { claimKickoff, settleKickoff } from './core/kickoff.ts';
import type { Message } from './core/message.ts';
import { messageKey, postOf } from './core/message.ts';
import type { CrewPort, ExecutionStore, OutputStore, ThreadPort } from './core/ports.ts';
import { StoreUnavailable } from './core/ports.ts';
import { catchUp, claimPoll, noteStatus } from './core/progress.ts';
import { ok } from './core/result.ts';
import { claimResume, settleResume } from './core/resume.ts';
import type { Millis } from './core/time.ts';
import type { Perform } from './worker.ts';

interface Ports {
  store: ExecutionStore;
  outputs: OutputStore;
  crews: CrewPort;
  thread: ThreadPort;
  /** Looks whether a held execution turned out to be one of ours, and merges or releases it. */
  settleHold: (ref: string) => Promise<void>;
  log: Logger;
}

/** How often the store is asked to take the outcome of something that can't be repeated. */
const SETTLE_TRIES = 20;
const SETTLE_PAUSE_MS = 500;

/** How each duty is done: claimed in the record where it can't be repeated, then the call, then what it proved. */
export function createPerform(ports: Ports): Perform {
  const { log, settleHold } = ports;
  return async (ref, duty: Duty) => {
    switch (duty.kind) {
      case 'kickoff':
        return kickoff(ports, ref);
      case 'resume':
        return resume(ports, ref, duty.approvalId);
      case 'post':
        return post(ports, ref, duty.message);
      case 'update':
        return update(ports, ref, duty.message);
      case 'notice':
        return notice(ports, ref);
      case 'expire':
        await change(ports, ref, expireClaims);
        return log.warn({ ref }, 'claims without an answer expired');
      case 'catch-up':
        await change(ports, ref, catchUp);
        return;
      case 'poll':
        return poll(ports, ref);
      case 'check-hold':
        return settleHold(ref);
    }
  };
}

async function kickoff(ports: Ports, ref: string): Promise<void> {
  const claimed = await change(ports, ref, claimKickoff);
  if (!claimed) return;
  const { crew, inputs } = claimed;
  const answer = await ports.crews.kickoff(crew, { ref, hop: 0, inputs });
  const kickoffId = answer.kind === 'accepted' ? answer.kickoffId : null;
  if (kickoffId !== null) await settle(() => ports.store.linkId(crew, kickoffId, ref));
  await settle(() => change(ports, ref, (execution, now) => settleKickoff(execution, answer, now)));
}

async function resume(ports: Ports, ref: string, approvalId: string): Promise<void> {
  const claimed = await change(ports, ref, (execution, now) => claimResume(execution, approvalId, now));
  const approval = claimed && findApproval(claimed, approvalId);
  if (!claimed || approval?.status !== 'sending') return;
  const { decision, attempts, taskId } = approval;
  const attempt = attempts.length;
  const answer = await ports.crews.resume(claimed.crew, {
    ref,
    hop: claimed.hop,
    executionId: claimed.executionId ?? claimed.chain[0] ?? '',
    taskId,
    feedback: decision.text,
    isApprove: decision.verdict === 'approve',
  });
  const kickoffId = answer.kind === 'accepted' ? answer.kickoffId : null;
  if (kickoffId !== null) await settle(() => ports.store.linkId(claimed.crew, kickoffId, ref));
  await settle(() =>
    change(ports, ref, (execution, now) => settleResume(execution, { approvalId, attempt, answer }, now)),
  );
  ports.log.info({ ref, approvalId, kickoffId, attempt, answer: answer.kind }, 'resume answered');
}

async function post(ports: Ports, ref: string, message: Message): Promise<void> {
  const lookUp: { wanted: 'look-up' | 'new' } = { wanted: 'new' };
  const claimed = await changeAt(ports, ref, (execution, now) => {
    lookUp.wanted = postOf(execution, message)?.status === 'unsure' ? 'look-up' : 'new';
    return claimMessage(execution, message, now);
  });
  const claim = claimed && postOf(claimed.execution, message);
  if (!claimed || claim?.status !== 'posting') return;
  const { execution, now } = claimed;
  const outcome = await ports.thread.post(execution, message, { lookUp: lookUp.wanted, now });
  const { attempt } = claim;
  await settle(() => change(ports, ref, (each, at) => settleMessage(each, { message, attempt, outcome }, at)));
  ports.log.info({ ref, message: messageKey(message), outcome: outcome.kind }, 'posted');
}

async function update(ports: Ports, ref: string, message: Message): Promise<void> {
  const found = await ports.store.load(ref);
  if (!found || !owesUpdate(found, message)) return;
  const outcome = await ports.thread.update(found.execution, message, found.now);
  await change(ports, ref, (execution, now) => settleRefresh(execution, { message, outcome }, now));
  ports.log.debug({ ref, message: messageKey(message), outcome: outcome.kind }, 'updated');
}

/** While this waited for its turn, another process may have done it: Slack counts each update. */
function owesUpdate({ execution, now }: { execution: Execution; now: Millis }, message: Message): boolean {
  const key = messageKey(message);
  return dutiesAt(execution, now).some((duty) => duty.kind === 'update' && messageKey(duty.message) === key);
}

async function notice(ports: Ports, ref: string): Promise<void> {
  const found = await ports.store.load(ref);
  if (!found) return;
  const outcome = await ports.thread.notify(found.execution);
  await change(ports, ref, (execution, now) => settleNotice(execution, outcome, now));
}

async function poll(ports: Ports, ref: string): Promise<void> {
  const claimed = await change(ports, ref, claimPoll);
  const id = claimed && polledId(claimed);
  if (!claimed || !id) return;
  const raw = await ports.crews.status(claimed.crew, id);
  const reading: StatusReading =
    raw.kind === 'completed'
      ? { kind: 'completed', result: raw.text === null ? null : await ports.outputs.put(ref, raw.text) }
      : raw;
  // A run that was resumed meanwhile goes on under a new id: what the old one says is no longer about it.
  await change(ports, ref, (execution, now) =>
    polledId(execution) === id ? noteStatus(execution, reading, now) : execution,
  );
  ports.log.debug({ ref, kickoffId: id, status: reading.kind }, 'polled');
}

function polledId({ chain, executionId }: Execution): string | null {
  return chain.at(-1) ?? executionId;
}

/** The execution after a transition that changed it; null where there was nothing to change or nobody to change it for. */
async function change(
  ports: Ports,
  ref: string,
  transition: (execution: Execution, now: Millis) => Execution,
): Promise<Execution | null> {
  return (await changeAt(ports, ref, transition))?.execution ?? null;
}

async function changeAt(
  ports: Ports,
  ref: string,
  transition: (execution: Execution, now: Millis) => Execution,
): Promise<{ execution: Execution; now: Millis } | null> {
  let at = 0;
  const changed = await ports.store.change(ref, (execution, now) => {
    at = now;
    return ok(transition(execution, now));
  });
  return changed.kind === 'changed' ? { execution: changed.after, now: at } : null;
}

/** What came of a call that can't be repeated is worth many tries: without it a person would have to be asked. */
async function settle<Value>(store: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries >= SETTLE_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, SETTLE_PAUSE_MS));
    }
  }
}
