/** How many have to approve: the last that is needed decides, and one rejection always does. */
export const QUORUM = `
approvers: [@leads], quorum: 2
  Maria     | undecided                      | approve             | 1 of 2
  Maria     | undecided                      | approve with a note | 1 of 2
  Maria     | undecided                      | reject              | rejects
  Tom       | Maria approved                 | approve             | approves
  Tom       | Maria approved                 | approve with a note | approves
  Tom       | Maria approved                 | reject              | rejects
  Maria     | Maria approved                 | reject              | rejects
  Maria     | Maria approved                 | approve             | nothing changes
  Maria     | Maria approved                 | approve with a note | 1 of 2
  Maria2    | Maria approved                 | approve             | 1 of 2
  Tom       | Maria approved; Maria2 approved | approve            | approves
  Maria2    | Maria approved                 | withdraw            | refused: no-vote
  Anna      | Maria approved                 | approve             | refused: not-approver
  Guest     | Maria approved                 | approve             | refused: guest
  Maria     | Maria approved                 | withdraw            | 0 of 2
  Tom       | Maria approved                 | withdraw            | refused: no-vote
  Tom       | Maria approved; Maria withdrew | approve             | 1 of 2
  Maria     | Maria approved; Maria withdrew | approve             | 1 of 2
  Maria     | Maria approved; Maria withdrew | withdraw            | nothing changes
  Maria     | Maria approved; Tom approved   | withdraw            | refused: Tom has decided
  Maria     | Maria approved; Tom approved   | approve             | nothing changes
  Tom       | Maria approved; Tom approved   | approve             | nothing changes
  Maria     | Maria approved; Tom approved   | reject              | refused: Tom has decided
  Lea       | Maria approved; Tom approved   | approve             | refused: Tom has decided
  Maria     | Maria approved; Tom rejected   | approve             | refused: Tom has decided
  Tom       | Maria approved; Maria left @leads | approve          | 1 of 2
  Lea       | Maria approved; Maria left @leads; Tom approved | approve | approves
  Tom       | Maria approved; Maria was deactivated | approve      | 1 of 2
  Tom       | Maria approved; Maria became a guest | approve       | 1 of 2
  Tom       | Maria approved; Maria left @leads; Maria joined @leads | approve | approves
  Maria     | Maria approved; Maria left @leads | withdraw         | 0 of 2
  Maria     | Maria approved; Maria left @leads | approve          | refused: not-approver
  Tom       | Maria approved; Maria left @leads | reject           | rejects
  Tom       | Maria approved; Slack can't tell who Maria is | approve | refused: Slack can't tell who UMARIA is
  Tom       | Maria approved; Slack can't tell who Maria is | reject | rejects

approvers: [UMARIA, UMARIA2, UTOM], quorum: 2, guests: true
  Maria2    | Maria approved                 | approve             | 1 of 2
  Maria     | Maria2 approved                | approve             | 1 of 2
  Tom       | Maria approved; Maria2 approved | approve            | approves

approvers: [@leads], quorum: 3
  Maria     | undecided                      | approve             | 1 of 3
  Tom       | Maria approved                 | approve             | 2 of 3
  Lea       | Maria approved; Tom approved   | approve             | approves
  Lea       | Maria approved; Tom approved   | reject              | rejects
  Lea       | Maria approved; Tom approved; Maria left @leads | approve | 2 of 3
  Lea       | Maria approved; Tom approved; Maria left @leads; Tom left @leads | approve | 1 of 3
  Lea       | Maria approved; Tom approved; Maria withdrew | approve | 2 of 3
  Maria     | Maria approved; Tom approved; Maria withdrew | approve | 2 of 3
  Tom       | Maria approved; Tom approved   | withdraw            | 1 of 3
  Maria     | Maria approved; Tom approved   | approve             | nothing changes

approvers: [workspace], quorum: 2
  Sam       | undecided                      | approve             | 1 of 2
  Anna      | Sam approved                   | approve             | approves
  Sam2      | Sam approved                   | approve             | 1 of 2
`;
