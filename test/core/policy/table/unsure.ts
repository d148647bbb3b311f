/** What Slack can't tell counts against people, unless it makes no difference. */
export const UNSURE = `
approvers: [@leads], delegation: anyone
  Maria     | Slack can't tell who Maria is       | approve        | refused: Slack can't tell who UMARIA is
  Maria     | Slack can't tell who is in @leads   | approve        | refused: Slack can't tell who is in @leads
  Maria     | Slack can't tell who is in @leads   | reject         | refused: Slack can't tell who is in @leads
  Stranger  | Slack can't tell who is in @leads   | approve        | refused: stranger
  Robot     | Slack can't tell who is in @leads   | approve        | refused: bot
  Maria     | Slack can't tell who is in @heads   | approve        | approves
  Tom       | Slack can't tell who Maria is       | approve        | approves
  Maria     | Slack can't tell who Anna is        | hand over to Anna | refused: Anna is barred, Slack can't tell who UANNA is
  Maria     | Slack can't tell who is in @leads   | hand over to Anna | refused: Slack can't tell who is in @leads
  Maria     | Slack can't tell who is in @leads   | stop following | refused: Slack can't tell who is in @leads
  Sam       | Slack can't tell who is in @leads   | stop following | stops following
  Sam       | Slack can't tell who Sam is         | stop following | stops following
  Anna      | Slack can't tell who is in @leads   | ask            | asks @leads
  Anna      | Slack can't tell who Anna is        | ask            | refused: Slack can't tell who UANNA is
  Anna      | Maria handed it to Anna; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Anna      | Maria handed it to Anna; Slack can't tell who Maria is | approve | refused: Slack can't tell who UMARIA is

approvers: [@leads, UANNA]
  Anna      | Slack can't tell who is in @leads   | approve        | approves
  Maria     | Slack can't tell who is in @leads   | approve        | refused: Slack can't tell who is in @leads

approvers: [workspace]
  Maria     | Slack can't tell who Maria is       | approve        | refused: Slack can't tell who UMARIA is
  Maria     | Slack can't tell who is in @leads   | approve        | approves

approvers: [channel]
  Carl      | Slack can't tell who is in channel  | approve        | refused: Slack can't tell who is in channel

approvers: [maria@example.com]
  Maria     | Slack can't tell who is in maria@example.com | approve | refused: Slack can't tell who is in maria@example.com

approvers: [@leads], quorum: 2
  Tom       | Maria approved; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Maria     | Maria approved; Slack can't tell who Maria is | withdraw | 0 of 2

approvers: [@leads], undo: 10s
  Maria     | Maria approved; Slack can't tell who Maria is | undo | waits again
  Tom       | Maria approved; Slack can't tell who is in @leads | undo | refused: Slack can't tell who is in @leads

approvers: [workspace]
  Maria     | only Maria has a token         | approve             | approves
  Tom       | only Maria has a token         | approve             | refused: no-token
  Tom       | only Maria has a token         | reject              | refused: no-token
  Maria     | only Maria has a token         | hand over to Tom    | refused: Tom is barred, no-token

approvers: [@leads], escalate_after: 4h, escalate_to: [@heads]
  Olga      | Maria handed it to Olga        | approve             | approves
  Olga      | Maria handed it to Olga; Slack can't tell who is in @heads | approve | refused: Slack can't tell who is in @heads
  Olga      | Maria handed it to Olga; Maria left @leads; Slack can't tell who is in @heads | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Olga; Slack can't tell who is in @heads | approve | refused: not-approver

approvers: [@leads], delegation: anyone
  Anna      | Maria handed it to Anna; now approvers: [@leads], delegation: none | approve | refused: delegation is none
  Anna      | Maria handed it to Anna; now approvers: [@leads], delegation: none; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Anna      | Maria handed it to Anna; now approvers: [@leads]; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Anna      | Maria handed it to Anna; Tom handed it to Anna; Slack can't tell who Maria is | approve | approves
  Anna      | Maria handed it to Anna; only Maria has a token | approve | refused: no-token
`;
