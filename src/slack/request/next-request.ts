// Finds the request that waits next for a person who goes through their inbox in a window.

import { type Execution, findRequest } from '../../core/state/execution.ts';
import { allVotes, type HumanRequest } from '../../core/state/request.ts';
import { within } from '../directory/directory.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { InboxPlace, RequestKey } from '../ui/button-value.ts';

type Ports = Pick<ListenerContext, 'inbox' | 'store' | 'log' | 'person'>;

/** The next request, and where the person is on their way once they see it. */
export interface Next {
  execution: Execution;
  request: HumanRequest;
  /** The rule that lets the person decide. Null if nobody has just asked the policy. */
  rule: string | null;
  inbox?: InboxPlace | undefined;
}

/** Lists may be seconds old. After so many requests that no longer wait, we give up. */
const MOST_LOOKED_UP = 5;
const MOST_WAIT_MS = 1_500;

/**
 * Returns the first request that still waits for the person and that the window hasn't shown yet. The facts behind the inbox are good
 * enough to show a request: the decision itself asks again. Never throws.
 */
export async function findNext(context: Ports, previous: RequestKey): Promise<Next | 'none' | 'unknown'> {
  const { log, person } = context;
  return (
    (await within(MOST_WAIT_MS, firstWaiting(context, previous), { log, about: { person: person.id } })) ?? 'unknown'
  );
}

async function firstWaiting(context: Ports, previous: RequestKey): Promise<Next | 'none' | 'unknown'> {
  const { store, person } = context;
  const { others, unsure } = await othersWaiting(context, previous);
  const before = previous.inbox ?? BEGINNING;
  for (const [i, { request: waiting, rule }] of others.slice(0, MOST_LOOKED_UP).entries()) {
    const execution = (await store.load(waiting.run.ref))?.execution;
    const request = execution ? findRequest(execution, waiting.approvalId) : null;
    if (!execution || request?.state.status !== 'pending' || request.question.output.hash !== waiting.output.hash)
      continue;
    if (allVotes(request.discussion).some(({ by }) => by.id === person.id)) continue;
    const inbox = { ...before, place: before.place + 1, of: before.place + others.length - i, seen: seenBy(previous) };
    return { execution, request, rule, inbox };
  }
  return others.length > MOST_LOOKED_UP || unsure > 0 ? 'unknown' : 'none';
}

const BEGINNING: InboxPlace = { place: 1, of: 1, skipped: 0, seen: [] };

/** A window can't open later. */
const BEGINNING_WAIT_MS = 700;

/** Returns the place of a person who begins with this request. Undefined if we can't tell in time. Never throws. */
export async function findBeginning(context: Ports, first: RequestKey): Promise<InboxPlace | undefined> {
  const { log, person } = context;
  const waiting = await within(BEGINNING_WAIT_MS, othersWaiting(context, first), { log, about: { person: person.id } });
  return waiting ? { ...BEGINNING, of: 1 + waiting.others.length } : undefined;
}

async function othersWaiting({ inbox, person }: Ports, previous: RequestKey) {
  const { waiting, unsure } = await inbox.of(person.id);
  const ids = new Set(seenBy(previous));
  const others = waiting.filter(({ request: { run, approvalId, output } }) => {
    return !run.crewMissing && !ids.has(shortId({ ref: run.ref, approvalId, hash: output.hash }));
  });
  return { others, unsure };
}

/** The value of a button has room for so many and the rest of its key. */
const MOST_SEEN = 80;

function seenBy(key: RequestKey): string[] {
  return [...(key.inbox?.seen ?? []), shortId(key)].slice(-MOST_SEEN);
}

/** Distinguishes the requests of one inbox, and their texts. */
function shortId({ ref, approvalId, hash }: Pick<RequestKey, 'ref' | 'approvalId' | 'hash'>): string {
  return `${ref.slice(-6)}${approvalId.slice(-6)}${hash?.slice(0, 4)}`;
}
