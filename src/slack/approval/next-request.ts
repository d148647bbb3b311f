import type { KnownBlock } from '@slack/types';
import { within } from '../directory/within.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { button, sectionWith } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';
import { cardNames } from './card-names.ts';

/** A person who waits for it has already been told what they asked for. */
const MOST_WAIT_MS = 1_000;

/** Leads to what waits longest for a person, but for the text that they have just seen; nothing if that isn't known. Never throws. */
export async function nextRequestBlocks(
  { inbox, say, log }: ListenerContext,
  { personId, seen }: { personId: string; seen: ApprovalKey },
): Promise<KnownBlock[]> {
  const found = await within(MOST_WAIT_MS, inbox.of(personId), { log, about: { person: personId } });
  const next = found?.waiting
    .map(({ request }) => request)
    .find(
      ({ run, approvalId, output }) =>
        run.ref !== seen.ref || approvalId !== seen.approvalId || output.hash !== seen.hash,
    );
  if (!next) return [];
  const { run, approvalId, output } = next;
  const value = approvalValue({ ref: run.ref, approvalId, hash: output.hash, isRead: true });
  const words = await say();
  const names = `*${cardNames({ ...next, crew: run.crew }, words)}*`;
  return [sectionWith(words('review.next-is', { names }), button('review', words('review.next'), { value }))];
}
