import { JON, MARIA } from './clicks.ts';

const POLICY = { approvers: ['U0NOBODY01', MARIA, '@deciders'], quorum: 1, self_approval: false };

/** Crews that differ only in who may decide. The group is that of the stub's Slack: Jon and Maria are in it. */
export const POLICED_CREWS = {
  /** Everybody in the workspace. */
  default: {},
  policy: POLICY,
  /** The same, but that it depends on the request: one condition doesn't hold, and the other does. */
  condition: {
    ...POLICY,
    when: [
      { if: "round > 5 && channel == 'C0NOWHERE'", quorum: 2 },
      { if: 'hour >= 0 && round < 100', quorum: 1 },
    ],
  },
  /** Two people have to approve. */
  quorum: { approvers: [JON, MARIA, '@deciders'], quorum: 2 },
};

export type PolicedCrew = keyof typeof POLICED_CREWS;
