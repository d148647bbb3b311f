// What waits next for a person who goes through their inbox in a window.
import { type Approval, allVotes } from '../../core/state/approval.ts';
import { type Execution, findApproval } from '../../core/state/execution.ts';
import { within } from '../directory/directory.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { ApprovalKey, InboxPlace } from '../ui/button-value.ts';

type Ports = Pick<ListenerContext, 'inbox' | 'store' | 'log' | 'person'>;

/** What waits next, and where the person then is on their way. */
export interface Next {
  execution: Execution;
  approval: Approval;
  /** The rule that lets the person decide it; null where nobody has just asked the policy. */
  rule: string | null;
  inbox?: InboxPlace | undefined;
}

/** Lists may be seconds old; others are then found another time. */
const MOST_LOOKED_UP = 5;
const MOST_WAIT_MS = 1_500;

/**
 * The first of what waits for a person in their lists and still does, except what the window has shown them already. The facts
 * behind those lists are enough to show it: the decision itself asks again. Never throws.
 */
export async function findNext(context: Ports, seen: ApprovalKey): Promise<Next | 'none' | 'unknown'> {
  const { log, person } = context;
  return (await within(MOST_WAIT_MS, firstWaiting(context, seen), { log, about: { person: person.id } })) ?? 'unknown';
}

async function firstWaiting(context: Ports, seen: ApprovalKey): Promise<Next | 'none' | 'unknown'> {
  const { store, person } = context;
  const { others, unsure } = await othersWaiting(context, seen);
  const before = seen.inbox ?? BEGINNING;
  for (const [i, { request, rule }] of others.slice(0, MOST_LOOKED_UP).entries()) {
    const execution = (await store.load(request.run.ref))?.execution;
    const approval = execution ? findApproval(execution, request.approvalId) : null;
    if (!execution || approval?.status !== 'pending' || approval.output.hash !== request.output.hash) continue;
    if (allVotes(approval).some(({ by }) => by.id === person.id)) continue;
    const inbox = { ...before, place: before.place + 1, of: before.place + others.length - i, seen: seenBy(seen) };
    return { execution, approval, rule, inbox };
  }
  return others.length > MOST_LOOKED_UP || unsure > 0 ? 'unknown' : 'none';
}

const BEGINNING: InboxPlace = { place: 1, of: 1, skipped: 0, seen: [] };

/** Opening a window can't wait longer for it. */
const BEGINNING_WAIT_MS = 700;

/** Where a person is who begins with this request; undefined if that isn't known in time. Never throws. */
export async function findBeginning(context: Ports, first: ApprovalKey): Promise<InboxPlace | undefined> {
  const { log, person } = context;
  const found = await within(BEGINNING_WAIT_MS, othersWaiting(context, first), { log, about: { person: person.id } });
  return found ? { ...BEGINNING, of: 1 + found.others.length } : undefined;
}

async function othersWaiting({ inbox, person }: Ports, seen: ApprovalKey) {
  const { waiting, unsure } = await inbox.of(person.id);
  const ids = new Set(seenBy(seen));
  const others = waiting.filter(({ request: { run, approvalId, output } }) => {
    return !run.crewMissing && !ids.has(shortId({ ref: run.ref, approvalId, hash: output.hash }));
  });
  return { others, unsure };
}

/** Then the value of a button still has room for the rest of its key. */
const MOST_SEEN = 80;

function seenBy(key: ApprovalKey): string[] {
  return [...(key.inbox?.seen ?? []), shortId(key)].slice(-MOST_SEEN);
}

/** Tells the requests of one inbox apart, and their texts. */
function shortId({ ref, approvalId, hash }: Pick<ApprovalKey, 'ref' | 'approvalId' | 'hash'>): string {
  return `${ref.slice(-6)}${approvalId.slice(-6)}${hash?.slice(0, 4)}`;
}
