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
  const found = await ports.executions.load(ref);
  if (!found || !isHeld(found.execution)) return { kind: 'released' };
  const unanswered = await ports.executions.unanswered(found.execution.crew);
  const owner = await ownRunOf(ports.executions, found.execution);
  if (owner !== null) {
    const merged = await merge(ports, found.execution, owner);
    if (merged === 'removed') return { kind: 'merged', into: owner };
    if (merged === 'kept') return { kind: 'waiting' };
  }
  const awaited = unanswered > 0 ? 'awaited' : 'settled';
  const isOver = !isHeld(checkAdoptionHold(found.execution, awaited, found.now));
  const isRefused = ports.rulesOf(found.execution.crew).startedElsewhere === 'refused';
  if (!isOver || !isRefused) return release(ports, found.execution, awaited);
  return { kind: (await removeHeld(ports, found.execution)) === 'removed' ? 'refused' : 'waiting' };
}

async function ownRunOf(
  store: ExecutionStore,
  { crew, ref, kickoffIds, executionId }: Execution,
): Promise<string | null> {
  const ids = executionId === null ? kickoffIds : [executionId, ...kickoffIds];
  const refs = await Promise.all(ids.map((id) => store.findById(crew, id)));
  return refs.find((each) => each !== null && each !== ref) ?? null;
}

async function merge(ports: AdoptionPorts, held: Execution, owner: string): Promise<'removed' | 'kept' | 'no-owner'> {
  const { executions, outputs, rulesOf, addresses } = ports;
  for (const approval of held.requests) {
    const request = {
      ...requestOf(held, approval),
      destination: moved(addresses, approval, { from: held.ref, to: owner }),
    };
    const transition: Transition<unknown> = (execution, now) => ask(execution, request, now, rulesOf(execution.crew));
    const text = await outputs.get(held.ref, approval.question.output.hash);
    const asked = await (text === null
      ? executions.change(owner, transition)
      : changeWithText({ executions, outputs }, { ref: owner, text }, () => transition));
    if (asked.kind === 'absent') return 'no-owner';
  }
  return removeHeld(ports, held);
}

/** Keeps the held execution if a request arrives meanwhile: its next check sees that request as well. */
function removeHeld({ executions }: AdoptionPorts, held: Execution): Promise<'removed' | 'kept'> {
  return executions.remove(held.ref, ({ requests }) => requests.length === held.requests.length);
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
  const asked = { hop, kickoffId, executionId, taskId, taskName, output, heading, attachesFile };
  return { ...asked, outcomes, limitMs, requestId, inputs };
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
