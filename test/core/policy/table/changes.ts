/** The policy in force when somebody acts is the one that counts. */
export const CHANGES = `
approvers: [@leads]
  Maria     | now approvers: [@heads]        | approve             | refused: not-approver
  Olga      | now approvers: [@heads]        | approve             | approves
  Maria     | now approvers: [@leads], quorum: 2 | approve         | 1 of 2
  Sam       | now approvers: [@leads], self_approval: false | approve | refused: own run
  Guest     | now approvers: [UGUEST], guests: true | approve      | approves
  Tom       | Maria approved; now approvers: [@leads], quorum: 2 | approve | refused: Maria has decided
  Maria     | Maria approved; now approvers: [@heads]; the crew refused it | send again | refused: not-approver
  Olga      | Maria approved; now approvers: [@heads]; the crew refused it | send again | sent again
  Maria     | Maria approved; now approvers: [@heads] | approve    | refused: not-approver
  Maria     | now approvers: [@leads], undo: 10s | approve         | approves, can be undone
  Maria     | now approvers: [@leads], min_review: 20s | approve   | refused: too-soon
  Maria     | now approvers: [@leads], tasks: [{ match: draft, approvers: [@heads] }] | approve | refused: not-approver
  Maria     | 2d passed; now approvers: [@leads], expire_after: 3d | approve | approves
  Maria     | 2d passed; now approvers: [@leads], expire_after: 3d; 1d passed | approve | refused: expired
  Maria     | 4d passed; now approvers: [@leads], expire_after: 3d | approve | refused: expired
  Olga      | 4h passed; now approvers: [@leads], escalate_after: 4h, escalate_to: [@heads] | approve | approves
  Olga      | 3h passed; now approvers: [@leads], escalate_after: 4h, escalate_to: [@heads] | approve | refused: not-approver

approvers: [@leads], quorum: 2
  Tom       | Maria approved; now approvers: [@leads], quorum: 3 | approve | 2 of 3
  Maria     | Maria approved; now approvers: [@leads] | approve    | approves
  Tom       | Maria approved; now approvers: [@leads] | approve    | approves
  Olga      | Maria approved; now approvers: [@heads], quorum: 2 | approve | 1 of 2
  Olga      | Maria approved; now approvers: [@heads] | approve    | approves
  Tom       | Maria approved; now approvers: [UTOM, UANNA], quorum: 2 | approve | 1 of 2
  Anna      | Maria approved; now approvers: [workspace], quorum: 2 | approve | approves
  Maria     | Maria approved; now approvers: [@heads], quorum: 2 | withdraw | 0 of 2
  Maria     | Maria approved; now approvers: [@heads], quorum: 2 | approve | refused: not-approver
  Tom       | Maria approved; now approvers: [@leads], quorum: 2, min_review: 20s | approve | refused: too-soon

approvers: [@leads], undo: 10s
  Maria     | Maria approved; now approvers: [@leads] | undo       | waits again
  Maria     | Maria approved; now approvers: [@heads], undo: 10s | undo | waits again
  Tom       | Maria approved; now approvers: [@heads], undo: 10s | undo | refused: not-approver
  Olga      | Maria approved; now approvers: [@heads], undo: 10s | undo | waits again
  Olga      | Maria approved; now approvers: [@leads], undo: 1m; 10s passed; now approvers: [@heads] | undo | refused: Maria has decided
`;
