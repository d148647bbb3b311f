/** Stages are approved one after the other, each by people of its own. */
export const STAGES = `
stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads], quorum: 2 }]
  Carl      | undecided                      | approve             | next stage: Release
  Maria     | undecided                      | approve             | next stage: Release
  Tom       | undecided                      | approve             | refused: not-approver
  Olga      | undecided                      | approve             | refused: not-approver
  Guest     | undecided                      | approve             | refused: guest
  Carl      | undecided                      | reject              | rejects
  Tom       | undecided                      | reject              | refused: not-approver
  Carl      | undecided                      | decline             | declined
  Tom       | Carl approved                  | approve             | 1 of 2 in Release
  Tom       | Carl approved                  | approve with a note | 1 of 2 in Release
  Lea       | Carl approved; Tom approved    | approve             | approves
  Tom       | Carl approved                  | reject              | rejects
  Tom       | Carl approved; Lea approved    | reject              | rejects
  Carl      | Carl approved                  | approve             | nothing changes
  Carl      | Carl approved                  | reject              | refused: not-approver
  Carl      | Carl approved                  | withdraw            | refused: no-vote
  Carl      | Carl approved; Tom approved    | withdraw            | refused: no-vote
  Tom       | Carl approved; Tom approved    | withdraw            | 0 of 2 in Release
  Tom       | Carl approved; Tom approved    | approve             | nothing changes
  Maria     | Maria approved                 | approve             | nothing changes
  Maria2    | Maria approved                 | approve             | refused: UMARIA has used that right
  Maria     | Maria approved; Tom approved   | approve             | nothing changes
  Maria     | Maria approved                 | reject              | rejects
  Lea       | Maria approved; Tom approved   | approve             | approves
  Maria     | Carl approved; Tom approved    | approve             | approves
  Tom       | Carl approved; Carl left channel | approve           | 1 of 2 in Release
  Lea       | Carl approved; Carl was deactivated; Tom approved | approve | approves
  Lea       | Carl approved; Tom approved; Tom left @leads | approve | 1 of 2 in Release
  Tom       | Slack can't tell who is in channel | approve         | refused: Slack can't tell who is in channel
  Carl      | Slack can't tell who is in @leads | approve          | next stage: Release
  Tom       | Carl approved; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Tom       | Carl approved; Slack can't tell who is in channel | approve | 1 of 2 in Release
  Olga      | Carl approved                  | approve             | refused: not-approver
  Maria     | Carl rejected                  | approve             | refused: Carl has decided
  Tom       | Carl rejected                  | approve             | refused: not-approver
  Carl      | Carl approved; Tom approved; Lea approved | approve  | refused: not-approver
  Carl      | undecided                      | ask                 | asks nobody by name
  Anna      | Carl approved                  | ask                 | asks @leads
  Sam       | Carl approved; Tom approved    | approve             | approves

stages: [{ name: One, approvers: [@leads] }, { name: Two, approvers: [@leads] }, { name: Three, approvers: [@heads] }]
  Maria     | undecided                      | approve             | next stage: Two
  Tom       | Maria approved                 | approve             | next stage: Three
  Maria     | Maria approved                 | approve             | nothing changes
  Olga      | Maria approved                 | approve             | refused: not-approver
  Olga      | Maria approved; Tom approved   | approve             | approves
  Olga      | Maria approved; Tom approved   | reject              | rejects
  Lea       | Maria approved; Tom approved   | approve             | refused: not-approver
  Maria     | Maria approved; Tom approved   | withdraw            | refused: no-vote

stages: [{ name: Draft, approvers: [UCARL] }, { name: Final, all_of: [@legal, @security] }]
  Carl      | undecided                      | approve             | next stage: Final
  Anna      | undecided                      | approve             | refused: not-approver
  Anna      | Carl approved                  | approve             | 1 of 2 in Final
  Carl      | Carl approved; Anna approved   | approve             | nothing changes
  Lea       | Carl approved; Anna approved   | approve             | approves
  Lea       | Carl approved                  | approve             | 1 of 2 in Final

approvers: [@leads], quorum: 2, stages: [{ name: First }, { name: Second, approvers: [@heads], quorum: 1 }]
  Maria     | undecided                      | approve             | 1 of 2 in First
  Tom       | Maria approved                 | approve             | next stage: Second
  Olga      | Maria approved                 | approve             | refused: not-approver
  Olga      | Maria approved; Tom approved   | approve             | approves
  Tom       | Maria approved; Maria left @leads | approve          | 1 of 2 in First
  Tom       | Maria approved; Maria withdrew | approve             | 1 of 2 in First

self_approval: false, stages: [{ name: Peer, approvers: [@leads] }, { name: Release, approvers: [@heads, USAM] }]
  Sam       | undecided                      | approve             | refused: own run
  Sam       | Maria approved                 | approve             | refused: own run
  Olga      | Maria approved                 | approve             | approves

undo: 10s, stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Tom       | Carl approved                  | approve             | approves, can be undone
  Tom       | Carl approved; Tom approved    | undo                | waits again
  Carl      | Carl approved; Tom approved    | undo                | refused: not-approver
  Lea       | Carl approved; Tom approved; Tom undid it | approve  | approves, can be undone
  Carl      | Carl approved; Tom approved; Tom undid it | approve | nothing changes
  Carl      | Carl approved                  | undo                | refused: not-approver

min_review: 20s, stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Carl      | undecided                      | approve             | refused: too-soon
  Carl      | undecided                      | approve, confirmed  | next stage: Release
  Carl      | 30s passed                     | approve             | next stage: Release

delegation: anyone, stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Olga      | Carl handed it to Olga         | approve             | next stage: Release
  Olga      | Carl handed it to Olga; Olga approved | approve      | nothing changes
  Olga      | Carl approved; Tom handed it to Olga | approve       | approves
  Olga      | Maria handed it to Olga; Olga approved | approve     | nothing changes
  Maria     | Maria handed it to Olga; Olga approved | approve     | refused: UOLGA has used that right
  Tom       | Maria handed it to Olga; Olga approved | approve     | approves

stages: [{ name: Peer, approvers: [channel], expire_after: 1h }, { name: Release, approvers: [@leads], escalate_after: 1h, escalate_to: [@heads] }]
  Carl      | 2h passed                      | approve             | refused: expired
  Tom       | 50m passed; Carl approved; 2h passed | approve       | approves
  Olga      | 50m passed; Carl approved; 50m passed | approve      | refused: not-approver
  Olga      | 50m passed; Carl approved; 2h passed | approve       | approves

stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Olga      | Carl approved; now approvers: [@heads] | approve     | approves
  Carl      | Carl approved; now approvers: [UCARL] | approve      | approves
  Tom       | Carl approved; now stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@heads] }] | approve | refused: not-approver
  Olga      | Carl approved; now stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@heads] }] | approve | approves
  Carl      | Carl approved; now stages: [{ name: Peer, approvers: [channel], quorum: 2 }, { name: Release, approvers: [@heads] }] | approve | 1 of 2 in Peer
  Maria     | Carl approved; now stages: [{ name: Legal, approvers: [@legal] }, { name: Peer, approvers: [channel] }] | approve | refused: not-approver
  Anna      | Carl approved; now stages: [{ name: Legal, approvers: [@legal] }, { name: Peer, approvers: [channel] }] | approve | next stage: Peer

approvers: [@heads], tasks: [{ match: draft, stages: [{ name: A, approvers: [@leads] }, { name: B, approvers: [@heads] }] }]
  Olga      | undecided                      | approve             | refused: not-approver
  Tom       | undecided                      | approve             | next stage: B
  Olga      | Tom approved                   | approve             | approves

step_up: true, stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]
  Carl      | undecided                      | approve             | refused: sign-in-needed
  Carl      | undecided                      | reject              | rejects
  Anna      | undecided                      | approve             | refused: not-approver

approvers: [@leads], quorum: 2, step_up: true
  Maria     | undecided                      | approve             | refused: sign-in-needed

approvers: [@leads], when: [{ if: "inputs.amount > 5000", step_up: true }] // env: some
  Maria     | undecided                      | approve             | refused: sign-in-needed
`;
