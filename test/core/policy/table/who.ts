/** Whom an approver stands for. */
export const WHO = `
approvers: [workspace]
  Maria     | undecided                      | approve             | approves
  Anna      | undecided                      | approve             | approves
  Sam       | undecided                      | approve             | approves
  Anna      | undecided                      | reject              | rejects
  Anna      | undecided                      | reject without a word | refused: feedback-missing
  Guest     | undecided                      | approve             | refused: guest
  Stranger  | undecided                      | approve             | refused: stranger
  Robot     | undecided                      | approve             | refused: bot
  Leaver    | undecided                      | approve             | refused: deactivated
  Guest     | undecided                      | reject              | refused: guest
  Stranger  | undecided                      | reject              | refused: stranger
  Stranger  | undecided                      | reject without a word | refused: stranger
  Robot     | undecided                      | reject              | refused: bot
  Leaver    | undecided                      | reject              | refused: deactivated

approvers: [@leads]
  Maria     | undecided                      | approve             | approves
  Maria     | undecided                      | approve with a note | approves
  Maria     | undecided                      | reject              | rejects
  Anna      | undecided                      | approve             | refused: not-approver
  Anna      | undecided                      | reject              | refused: not-approver
  Olga      | undecided                      | approve             | refused: not-approver
  Guest     | undecided                      | approve             | refused: guest
  Stranger  | undecided                      | approve             | refused: stranger
  Robot     | undecided                      | approve             | refused: bot
  Leaver    | undecided                      | approve             | refused: deactivated
  Maria     | Maria left @leads              | approve             | refused: not-approver
  Anna      | Anna joined @leads             | approve             | approves
  Maria     | Maria was deactivated          | approve             | refused: deactivated
  Maria     | Maria became a guest           | approve             | refused: guest

approvers: [UANNA]
  Anna      | undecided                      | approve             | approves
  Maria     | undecided                      | approve             | refused: not-approver
  Anna      | Anna was deactivated           | approve             | refused: deactivated
  Anna      | Anna became a guest            | approve             | refused: guest

approvers: [maria@example.com]
  Maria     | undecided                      | approve             | approves
  Tom       | undecided                      | approve             | refused: not-approver

approvers: [channel]
  Carl      | undecided                      | approve             | approves
  Anna      | undecided                      | approve             | refused: not-approver
  Guest     | undecided                      | approve             | refused: guest
  Stranger  | undecided                      | approve             | refused: stranger
  Anna      | Anna joined channel            | approve             | approves
  Carl      | Carl left channel              | approve             | refused: not-approver

approvers: [@heads, UANNA]
  Olga      | undecided                      | approve             | approves
  Anna      | undecided                      | approve             | approves
  Maria     | undecided                      | approve             | refused: not-approver

approvers: [@nobody]
  Maria     | undecided                      | approve             | refused: not-approver
  Sam       | undecided                      | reject              | refused: not-approver

approvers: [UMARIA]
  Maria2    | undecided                      | approve             | approves

approvers: [@leads], tasks: [{ match: "DRA*", approvers: [@heads] }, { match: "*", approvers: [UANNA] }]
  Olga      | undecided                      | approve             | approves
  Maria     | undecided                      | approve             | refused: not-approver
  Anna      | undecided                      | approve             | refused: not-approver

approvers: [@leads], tasks: [{ match: "publish*", approvers: [@heads] }]
  Maria     | undecided                      | approve             | approves
  Olga      | undecided                      | approve             | refused: not-approver

approvers: [@leads], tasks: [{ match: "draft", quorum: 2 }]
  Maria     | undecided                      | approve             | 1 of 2
  Anna      | undecided                      | approve             | refused: not-approver
`;
