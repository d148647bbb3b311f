import { JON, MARIA } from './clicks.ts';

/** Crews that differ only in who may decide. The group is that of the stub's Slack: Jon and Maria are in it. */
export const POLICED_CREWS = {
  /** Everybody in the workspace. */
  default: {},
  policy: { approvers: ['U0NOBODY01', MARIA, '@deciders'], quorum: 1, self_approval: false },
  /** Two people have to approve. */
  quorum: { approvers: [JON, MARIA, '@deciders'], quorum: 2 },
};

export type PolicedCrew = keyof typeof POLICED_CREWS;
