import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { findApproval, hasEnded, starterOf } from '../execution/execution.ts';
import { missesCrew } from '../execution/missing-crew.ts';
import type { Inputs, Json } from '../json.ts';
import { tsOf } from '../messages/post.ts';
import { shortened } from '../text.ts';
import type { DecidedRecord, OpenRequest, OpenRun } from './snapshot.ts';

/** Ten thousand summaries are held at once, and a list shows little more. */
const MOST_OF_INPUT = 200;

/** What lists show of a run in progress. */
export interface RunSummary {
  /** Null if it has ended, or nobody tracks it. */
  run: OpenRun | null;
  requests: readonly OpenRequest[];
}

export const NOTHING_OPEN: RunSummary = { run: null, requests: [] };

export function summaryOf(execution: Execution): RunSummary {
  if (execution.unfollowed || hasEnded(execution)) return NOTHING_OPEN;
  const { ref, crew, channel, createdAt } = execution;
  const starter = starterOf(execution);
  const inputs = cutInputs(execution.inputs);
  const rootTs = tsOf(execution.root);
  const run: OpenRun = {
    ...{ ref, crew, channel, starter, inputs, createdAt, status: execution.run.status, rootTs },
    ...(missesCrew(execution) && { crewMissing: true }),
  };
  return { run, requests: execution.approvals.flatMap((approval) => requestOf(run, approval)) };
}

/** Null if the record has no such request. */
export function decidedRecordOf(execution: Execution, approvalId: string): DecidedRecord | null {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const { taskId, taskName, handedOver, times, card } = approval;
  return {
    ...{ channel: execution.channel, starterId: starterOf(execution)?.id ?? null },
    ...{ taskId, taskName, handedOver, isEscalated: times.escalatedAt !== null, cardTs: tsOf(card) },
  };
}

function requestOf(run: OpenRun, approval: Approval): OpenRequest[] {
  if (approval.status !== 'pending') return [];
  const { id: approvalId, taskId, taskName, round, askedAt, output, repeatsRound, handedOver } = approval;
  const isEscalated = approval.times.escalatedAt !== null;
  const voters = approval.votes.map(({ by }) => by.id);
  const cardTs = tsOf(approval.card);
  const asked = { taskId, taskName, round, askedAt, output, repeatsRound };
  return [{ run, approvalId, ...asked, isEscalated, handedOver, voters, cardTs }];
}

function cutInputs(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, cutValue(value)]));
}

function cutValue(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A slice would keep the whole text in memory.
  return text.length <= MOST_OF_INPUT ? value : [...shortened(text, MOST_OF_INPUT)].join('');
}
