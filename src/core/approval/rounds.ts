import type { HumanInputRequest } from '../execution/events.ts';
import type { Execution } from '../execution/execution.ts';
import type { Approval } from './approval.ts';

/** Whether a request for human input is one that we already have, or the next round of its task. */
export type Placement =
  | { kind: 'duplicate'; of: Approval }
  | { kind: 'new-round'; round: number; repeatsRound: number | null };

/**
 * Tells a repeated notification from a new round. A rejected task comes back under the same task id, perhaps with the same
 * text, and any notification may arrive twice and late. Kickoff id and hop decide if they differ from what was seen before;
 * otherwise the text does.
 */
export function placeRequest(execution: Execution, request: HumanInputRequest): Placement {
  const rounds = execution.approvals.filter((approval) => approval.taskId === request.taskId);
  const last = rounds.at(-1);
  if (!last) return { kind: 'new-round', round: 1, repeatsRound: null };
  const next = { kind: 'new-round', round: last.round + 1, repeatsRound: null } as const;
  switch (compareAge(execution, rounds, request)) {
    case 'older':
      return { kind: 'duplicate', of: sameText(rounds, request) ?? last };
    case 'newer':
      return next;
    case 'same':
      return placeByText(rounds, last, request) ?? next;
  }
}

function placeByText(rounds: Approval[], last: Approval, request: HumanInputRequest): Placement | null {
  const same = sameText(rounds, request);
  if (!same) return null;
  if (!isRejectedAndDelivered(last)) return { kind: 'duplicate', of: same };
  return { kind: 'new-round', round: last.round + 1, repeatsRound: same.round };
}

/** Only a rejection that the crew accepted makes it ask again, perhaps with the same text. */
function isRejectedAndDelivered(approval: Approval): boolean {
  return approval.status === 'delivered' && approval.decision.verdict === 'reject';
}

/** The request of the same task one round before. */
export function roundBefore({ approvals }: Execution, { taskId, round }: Approval): Approval | null {
  return approvals.findLast((each) => each.taskId === taskId && each.round === round - 1) ?? null;
}

/** The latest round before that had exactly the same text. */
export function roundOfSameText({ approvals }: Execution, { taskId, round, output }: Approval): number | null {
  const before = approvals.filter((each) => each.taskId === taskId && each.round < round);
  return before.findLast((each) => each.output.hash === output.hash)?.round ?? null;
}

function sameText(rounds: Approval[], request: HumanInputRequest): Approval | undefined {
  return rounds.findLast((round) => round.output.hash === request.output.hash);
}

type Age = 'older' | 'same' | 'newer';

/**
 * A repeated notification carries the kickoff id and hop of a known round, so neither is ever newer. If either is newer, the
 * request is new, even if the service left the other as it was.
 */
function compareAge({ kickoffIds }: Execution, rounds: Approval[], request: HumanInputRequest): Age {
  const ages = [ageByKickoffId(kickoffIds, rounds, request), ageByHop(rounds, request)];
  if (ages.includes('newer')) return 'newer';
  return ages.includes('older') ? 'older' : 'same';
}

/** An unknown id counts as the newest. */
function ageByKickoffId(kickoffIds: string[], rounds: Approval[], { kickoffId }: HumanInputRequest): Age {
  if (kickoffId === null) return 'same';
  const known = kickoffIds.indexOf(kickoffId);
  const position = known === -1 ? kickoffIds.length : known;
  const asked = newest(
    kickoffIds,
    rounds.map((round) => round.kickoffId),
  );
  const resumed = newest(
    kickoffIds,
    rounds.map((round) => (round.status === 'delivered' ? round.resumedAs : null)),
  );
  if (asked === -1) return 'same';
  if (position < Math.max(asked, resumed)) return 'older';
  return position > asked ? 'newer' : 'same';
}

function ageByHop(rounds: Approval[], { hop }: HumanInputRequest): Age {
  const asked = Math.max(...rounds.map((round) => round.hop));
  if (hop < asked) return 'older';
  return hop > asked ? 'newer' : 'same';
}

function newest(kickoffIds: string[], ids: (string | null)[]): number {
  return Math.max(...ids.map((id) => (id === null ? -1 : kickoffIds.indexOf(id))));
}
