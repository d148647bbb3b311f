import type { Person } from '../../core/approval/approval.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { findStartPermits, isOffered, isPossible } from './start-permits.ts';
import { noneToStartMessage } from './start-refusal-text.ts';
import { refuseStart } from './why-not-start.ts';

/**
 * The crew that a form begins with, and those that it offers, for a person who named none; or why there is none. If there is
 * only one crew, they meant that one, and the refusal is in the ledger before this resolves. @throws {StoreUnavailable}
 */
export async function pickFirst(
  context: ListenerContext,
  { channel, by, say }: { channel: string | null; by: Person; say: Say },
): Promise<Result<{ crew: string; crews: string[] }, Rendered>> {
  const permits = await findStartPermits(context, [...context.crews.values()], { personId: by.id, channel });
  const permitted = permits.find(({ permit }) => permit.kind === 'permitted');
  const first = permitted ?? (channel === null ? permits.find(isPossible) : undefined);
  if (first) return ok({ crew: first.crew.name, crews: permits.filter(isOffered).map(({ crew }) => crew.name) });
  const refusals = permits.flatMap(({ crew, permit }) =>
    permit.kind === 'denied' ? [{ crew, denial: permit.denial }] : [],
  );
  const [only, ...others] = refusals;
  if (only && others.length === 0) await refuseStart(context, only, by);
  return refuse(noneToStartMessage(refusals, say));
}
