/** What comes of the same person acting again, of their other accounts and lent rights, and of edits between stages. */
export const AGAIN = `
stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Carl      | Carl approved                  | approve with a note | refused: not-approver
  Carl      | Carl approved                  | reject              | refused: not-approver
  Carl      | Carl approved                  | approve with edits  | refused: not-approver
  Carl      | Carl approved with edits       | approve with edits  | nothing changes
  Carl      | Carl approved with edits       | approve with other edits | refused: not-approver
  Carl      | Carl approved with edits       | withdraw            | refused: no-vote
  Tom       | Carl approved                  | approve with edits  | next stage: Peer for the text of Tom
  Carl      | Carl approved; Tom approved with edits | approve     | next stage: Release for the text of Tom
  Maria     | Carl approved                  | approve with edits  | next stage: Release for the text of Maria
  Olga      | Carl approved                  | approve with edits  | refused: not-approver
  Carl      | Carl approved; Tom rejected    | withdraw            | refused: Tom has decided
  Tom       | Carl approved; Slack can't tell who Carl is | approve | refused: Slack can't tell who UCARL is
  Carl      | Carl approved; Slack can't tell who Carl is | approve | nothing changes
  Maria2    | Maria approved                 | approve             | refused: UMARIA has used that right
  Tom       | Maria approved; Maria left channel | approve         | approves

stages: [{ name: Peer, approvers: [channel], escalate_after: 1h, escalate_to: [@heads] }, { name: Release, approvers: [@leads], escalate_after: 1h, escalate_to: [@heads] }]
  Olga      | 1h passed                      | approve             | next stage: Release
  Olga      | 1h passed; Carl approved       | approve             | refused: not-approver
  Olga      | 1h passed; Olga approved       | approve             | nothing changes
  Olga      | 1h passed; Carl approved; 1h passed | approve        | approves
  Tom       | 1h passed; Olga approved       | approve             | approves

approvers: [@leads], delegation: anyone, quorum: 2
  Anna      | Maria handed it to Anna; Anna approved; Anna withdrew | approve | 1 of 2
  Maria2    | Maria handed it to Anna; Anna approved | approve     | refused: UANNA has used that right
  Sam2      | Sam handed it to Anna; Anna approved | approve       | refused: UANNA has used that right
  Anna      | Maria approved; Maria handed it to Anna | approve    | refused: UMARIA has used that right
  Anna      | Maria handed it to Anna; Tom handed it to Anna; Maria approved | approve | approves
  Anna      | Maria handed it to Anna; Maria was deactivated; Tom handed it to Anna | approve | 1 of 2
  Maria     | Maria approved; Maria withdrew; Tom approved; Lea approved | withdraw | nothing changes

self_approval: false, approvers: [@leads], delegation: anyone
  Anna      | Maria handed it to Anna; Slack can't tell who Sam is | approve | refused: Slack can't tell who USAM is

all_of: [@legal, @security], approvers: [@leads], quorum: 2
  Anna      | Maria approved                 | approve             | 2 of 2
  Carl      | Maria approved; Anna approved  | approve             | 3 of 2
  Carl      | Lea approved; Maria approved   | approve             | approves
  Tom       | Lea approved; Maria approved   | approve             | 3 of 2
  Carl      | Anna approved; Slack can't tell who is in @legal | approve | refused: Slack can't tell who is in @legal

approvers: [@leads], expire_after: 1h, escalate_after: 30m, escalate_to: [@heads]
  Olga      | Maria handed it to Olga        | hand over to Anna   | refused: Maria lent that right
  Maria     | undecided                      | hand over to Anna   | refused: Anna is barred, not named
  Anna      | 40m passed                     | ask                 | asks @leads @heads
  Tom       | 40m passed; Olga rejected      | undo                | refused: Olga has decided

approvers: [@leads], undo: 1h, quorum: 2
  Maria     | Maria approved; Tom approved   | undo                | waits again
  Tom       | Maria approved; Tom approved; Maria undid it | approve | approves, can be undone
  Tom       | Maria approved; Tom approved; Tom undid it | undo    | nothing changes
  Maria     | Maria approved; Tom approved; Tom undid it | withdraw | 0 of 2
  Tom       | Maria approved; Tom approved; 2h passed | undo       | refused: Tom has decided

approvers: [@leads], when: [{ if: "inputs.amount > 5000", stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }] }] // env: some
  Maria     | Maria approved                 | withdraw            | refused: no-vote
  Olga      | Maria approved                 | approve             | approves
  Olga      | Maria approved; Maria left @leads | approve          | 1 of 1 in B, 0 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", self_approval: false }] // env: some
  Sam       | undecided                      | approve             | 0 of 1, 1 of 1
  Sam       | undecided                      | decline             | refused: own run
  Tom       | Sam approved                   | approve             | approves
`;
