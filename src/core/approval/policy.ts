import type { Execution } from '../execution/execution.ts';

/** Who may decide a crew's requests: a person who matches at least one approver. */
export interface Policy {
  approvers: readonly Approver[];
}

/** `workspace`: every member of the workspace that the app is installed in. */
type Approver = 'workspace';

/** The policy of a crew without its own, and of one that has left the crews file. */
export const DEFAULT_POLICY: Policy = { approvers: ['workspace'] };

/** What Slack vouches for about a person at the moment of their click; null is unknown. */
export interface PersonFacts {
  teamId: string | null;
  installedTeamId: string | null;
}

/** What a transition needs to ask the policy itself. */
export interface Permission {
  policy: Policy;
  facts: PersonFacts;
}

type Evaluation = { kind: 'allowed' } | { kind: 'refused'; reason: 'stranger' };

/** Whether a person may decide the requests of this execution. What isn't known counts against them. */
export function evaluate({ approvers }: Policy, { facts }: { execution: Execution; facts: PersonFacts }): Evaluation {
  return approvers.some((approver) => matches(approver, facts))
    ? { kind: 'allowed' }
    : { kind: 'refused', reason: 'stranger' };
}

/** People from other organisations see the messages of a shared channel and can click in them. */
export function isMember({ teamId, installedTeamId }: PersonFacts): boolean {
  return teamId !== null && installedTeamId !== null && teamId === installedTeamId;
}

function matches(approver: Approver, facts: PersonFacts): boolean {
  switch (approver) {
    case 'workspace':
      return isMember(facts);
  }
}
