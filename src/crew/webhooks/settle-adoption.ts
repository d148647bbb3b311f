// Held executions: one that was started elsewhere may turn out to be a run of ours. The worker calls `settleAdoption` to find out.

import type { HumanInputRequest } from '../../core/execution/events.ts';
import { checkAdoptionHold } from '../../core/execution/start.ts';
import type { RulesOf } from '../../core/policy/crew.ts';
import type { ExecutionStore, OutputStore } from '../../core/ports.ts';
import { ask } from '../../core/request/ask.ts';
import { type Execution, isHeld, type Transition } from '../../core/state/execution.ts';
import { postOf } from '../../core/state/message.ts';
import type { Destination, HumanRequest } from '../../core/state/request.ts';
import { ok } from '../../core/values/result.ts';
import type { AddressSeal } from '../asks/askers.ts';
import { changeWithText, linkIds } from './context.ts';

interface AdoptionPorts {
  executions: ExecutionStore;
  outputs: OutputStore;
  rulesOf: RulesOf;
  addresses: AddressSeal;
}

type SettledAdoption =
  | { kind: 'merged'; into: string }
  | { kind: 'waiting' }
  | { kind: 'released' }
  | { kind: 'refused' };

/**
 * Checks whether a held execution is one that we started. If so, its requests move there and it is deleted. Otherwise it stays on hold
 * or is released, or deleted if its crew refuses executions started elsewhere. Throws `StoreUnavailable`.
 */
export async function settleAdoption(ports: AdoptionPorts, ref: string): Promise<SettledAdoption> {
  const stored = await ports.executions.load(ref);
  if (!stored || !isHeld(stored.execution)) return { kind: 'released' };
  const unanswered = await ports.executions.unanswered(stored.execution.crew);
  const owner = await ownRunOf(ports.executions, stored.execution);
  if (owner !== null) {
    const merged = await merge(ports, stored.execution, owner);
    if (merged === 'removed') return { kind: 'merged', into: owner };
    if (merged === 'kept') return { kind: 'waiting' };
  }
  const awaited = unanswered > 0 ? 'awaited' : 'settled';
  const isOver = !isHeld(checkAdoptionHold(stored.execution, awaited, stored.now));
  const isRefused = ports.rulesOf(stored.execution.crew).startedElsewhere === 'refused';
  if (!isOver || !isRefused) return release(ports, stored.execution, awaited);
  return { kind: (await removeHeld(ports, stored.execution)) === 'removed' ? 'refused' : 'waiting' };
}

async function ownRunOf(
  store: ExecutionStore,
  { crew, ref, kickoffIds, executionId }: Execution,
): Promise<string | null> {
  const ids = executionId === null ? kickoffIds : [executionId, ...kickoffIds];
  const refs = await Promise.all(ids.map((id) => store.findById(crew, id)));
  return refs.find((each) => each !== null && each !== ref) ?? null;
}

async function merge(
  ports: AdoptionPorts,
  adopted: Execution,
  owner: string,
): Promise<'removed' | 'kept' | 'no-owner'> {
  const { executions, outputs, rulesOf, addresses } = ports;
  for (const approval of adopted.requests) {
    const request = {
      ...requestOf(adopted, approval),
      destination: moved(addresses, approval, { from: adopted.ref, to: owner }),
    };
    const transition: Transition<unknown> = (execution, now) => ask(execution, request, now, rulesOf(execution.crew));
    const text = await outputs.get(adopted.ref, approval.question.output.hash);
    const change = await (text === null
      ? executions.change(owner, transition)
      : changeWithText({ executions, outputs }, { ref: owner, text }, () => transition));
    if (change.kind === 'absent') return 'no-owner';
  }
  return removeHeld(ports, adopted);
}

/** Keeps the held execution if a request arrives meanwhile: its next check sees that request as well. */
function removeHeld({ executions }: AdoptionPorts, adopted: Execution): Promise<'removed' | 'kept'> {
  return executions.remove(adopted.ref, ({ requests }) => requests.length === adopted.requests.length);
}

function requestOf(
  execution: Execution,
  {
    id,
    question: { hop, kickoffId, taskId, taskName, output, heading, outcomes, limitMs, requestId, inputs },
  }: HumanRequest,
): HumanInputRequest {
  const { executionId } = execution;
  const attachesFile = postOf(execution, { kind: 'file', approvalId: id }) !== null;
  const question = { hop, kickoffId, executionId, taskId, taskName, output, heading, attachesFile };
  return { ...question, outcomes, limitMs, requestId, inputs };
}

/** Seals the address anew, since a seal is valid for one execution only. */
function moved(
  addresses: AddressSeal,
  { question: { destination } }: HumanRequest,
  { from, to }: { from: string; to: string },
): Destination | null {
  if (destination === null || destination.kind === 'poll') return destination;
  const url = addresses.open(destination.sealedUrl, from);
  return url === null ? destination : { ...destination, sealedUrl: addresses.seal(url, to) };
}

/** Links the ids only on release: until then they may prove to be another execution's. */
async function release(
  { executions }: AdoptionPorts,
  { ref }: Execution,
  awaited: 'awaited' | 'settled',
): Promise<SettledAdoption> {
  const checked = await executions.change<never>(ref, (each, now) => ok(checkAdoptionHold(each, awaited, now)));
  if (checked.kind !== 'changed' || isHeld(checked.after)) return { kind: 'waiting' };
  const { executionId, kickoffIds } = checked.after;
  await linkIds(executions, checked.after, { kickoffId: null, executionId });
  for (const kickoffId of kickoffIds) await linkIds(executions, checked.after, { kickoffId });
  return { kind: 'released' };
}
