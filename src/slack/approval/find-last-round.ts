import type { Approval } from '../../core/approval/approval.ts';
import { roundBefore, roundOfSameText } from '../../core/approval/rounds.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { FindChange } from '../compare/change.ts';
import type { LastRound } from './card-details.ts';

/** What became of the text of the round before; null for a first round, and for requests that need no decision any more. */
export async function findLastRound(
  findChange: FindChange,
  execution: Execution,
  approval: Approval,
): Promise<LastRound | null> {
  const before = approval.status === 'pending' ? roundBefore(execution, approval) : null;
  if (!before) return null;
  const hashes = { before: before.output.hash, after: approval.output.hash };
  const change = await findChange({ ref: execution.ref, ...hashes });
  return { ...hashes, change, sameAs: roundOfSameText(execution, approval) };
}
