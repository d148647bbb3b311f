/** What time brings about: others may decide after an escalation, and nobody after an expiry. */
export const TIME = `
approvers: [@leads], escalate_after: 4h, escalate_to: [@heads]
  Olga      | undecided                      | approve             | refused: not-approver
  Olga      | 3h passed                      | approve             | refused: not-approver
  Olga      | 4h passed                      | approve             | approves
  Olga      | 4h passed                      | reject              | rejects
  Maria     | 4h passed                      | approve             | approves
  Anna      | 4h passed                      | approve             | refused: not-approver
  Stranger  | 4h passed                      | approve             | refused: stranger
  Olga      | 4h passed                      | hand over to Anna   | refused: Anna is barred, not named
  Olga      | 4h passed                      | hand over to Maria  | handed over
  Olga      | 3h passed                      | hand over to Anna   | refused: not-approver
  Olga      | 3h passed                      | stop following      | refused: not-approver
  Olga      | 4h passed                      | stop following      | stops following
  Anna      | 3h passed                      | ask                 | asks @leads
  Anna      | 4h passed                      | ask                 | asks @leads @heads
  Olga      | now approvers: [@leads]; 4h passed | approve         | refused: not-approver
  Olga      | 4h passed; now approvers: [@leads] | approve         | refused: not-approver
  Olga      | now approvers: [@leads], escalate_after: 6h, escalate_to: [@heads]; 5h passed | approve | refused: not-approver
  Olga      | now approvers: [@leads], escalate_after: 6h, escalate_to: [@heads]; 6h passed | approve | approves
  Olga      | 4h passed; Maria approved; the crew refused it | send again | sent again

approvers: [@leads], quorum: 2, escalate_after: 4h, escalate_to: [@heads]
  Olga      | Maria approved; 4h passed      | approve             | approves
  Maria     | 4h passed; Olga approved       | approve             | approves
  Maria     | 4h passed; Olga approved; Olga left @heads | approve | 1 of 2

approvers: [@leads], escalate_after: 1h, escalate_to: [UGUEST, USTRANGER], guests: true
  Guest     | undecided                      | approve             | refused: not-approver
  Guest     | 1h passed                      | approve             | approves
  Stranger  | 1h passed                      | approve             | approves

approvers: [@leads], escalate_after: 1h, escalate_to: [UGUEST, workspace]
  Guest     | 1h passed                      | approve             | refused: guest
  Anna      | 1h passed                      | approve             | approves

approvers: [@leads], expire_after: 3d
  Maria     | 2d passed                      | approve             | approves
  Maria     | 3d passed                      | approve             | refused: expired
  Maria     | 3d passed                      | reject              | refused: expired
  Maria     | 3d passed                      | undo                | refused: expired
  Maria     | 3d passed                      | send again          | refused: expired
  Maria     | 3d passed                      | hand over to Anna   | refused: expired
  Anna      | 3d passed                      | ask                 | refused: expired
  Anna      | 3d passed                      | approve             | refused: not-approver
  Stranger  | 3d passed                      | approve             | refused: stranger
  Maria     | 3d passed                      | stop following      | stops following
  Maria     | now approvers: [@leads], expire_after: 5d; 4d passed | approve | approves
  Maria     | now approvers: [@leads], expire_after: 5d; 5d passed | approve | refused: expired
  Maria     | now approvers: [@leads]; 9d passed | approve         | approves
  Tom       | Maria approved; 3d passed      | approve             | refused: Maria has decided

approvers: [@leads], quorum: 2, expire_after: 3d
  Maria     | Maria approved; 3d passed      | withdraw            | refused: expired
  Tom       | Maria approved; 3d passed      | approve             | refused: expired

approvers: [@leads], expire_after: 3d, on_expiry: reject, undo: 10s
  Maria     | 3d passed                      | approve             | refused: nobody has decided in time
  Maria     | 3d passed                      | reject              | refused: nobody has decided in time
  Maria     | 3d passed                      | undo                | refused: nobody has decided in time
  Maria     | 3d passed; the crew refused it | send again          | sent again
  Anna      | 3d passed; the crew refused it | send again          | refused: not-approver
  Maria     | Maria approved; 3d passed      | undo                | refused: Maria has decided

approvers: [@leads], remind_after: 30m
  Maria     | 30m passed                     | approve             | approves
  Anna      | 30m passed                     | approve             | refused: not-approver
  Anna      | 30m passed                     | ask                 | asks @leads

approvers: [@leads], min_review: 20s
  Maria     | undecided                      | approve             | refused: too-soon
  Maria     | undecided                      | approve with a note | refused: too-soon
  Maria     | undecided                      | approve, confirmed  | approves
  Maria     | undecided                      | reject              | rejects
  Maria     | 19s passed                     | approve             | refused: too-soon
  Maria     | 20s passed                     | approve             | approves
  Anna      | undecided                      | approve             | refused: not-approver
  Anna      | undecided                      | approve, confirmed  | refused: not-approver
`;
