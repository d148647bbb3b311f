/** A decline, and what people say with their verdicts. */
export const DECLINE = `
approvers: [@leads]
  Maria     | undecided                      | decline             | declined
  Maria     | undecided                      | decline without a word | refused: reason-missing
  Anna      | undecided                      | decline             | refused: not-approver
  Stranger  | undecided                      | decline             | refused: stranger
  Maria     | Maria declined                 | decline             | nothing changes
  Tom       | Maria declined                 | decline             | refused: Maria has decided
  Tom       | Maria declined                 | approve             | refused: Maria has decided
  Maria     | Maria declined                 | reject              | refused: Maria has decided
  Maria     | Maria declined                 | undo                | refused: Maria has decided
  Maria     | Maria declined                 | send again          | refused: Maria has decided
  Maria     | Maria declined                 | hand over to Anna   | refused: Maria has decided
  Anna      | Maria declined                 | ask                 | refused: Maria has decided
  Anna      | Maria declined                 | approve             | refused: not-approver
  Maria     | Maria declined; it is being sent | undo              | refused: Maria has decided
  Tom       | Maria declined; a newer round came | approve         | refused: Maria has decided
  Tom       | Maria declined; the run failed | approve             | refused: Maria has decided
  Maria     | Maria approved                 | decline             | refused: Maria has decided
  Maria     | Maria rejected                 | decline             | refused: Maria has decided
  Maria     | a newer round came             | decline             | refused: newer-round
  Maria     | the run failed                 | decline             | refused: ended

approvers: [@leads], self_approval: false
  Sam       | Sam joined @leads              | decline             | refused: own run

approvers: [@leads], quorum: 2
  Maria     | undecided                      | decline             | declined
  Tom       | Maria approved                 | decline             | declined

approvers: [@leads], undo: 10s
  Maria     | undecided                      | decline             | declines, can be undone
  Maria     | Maria declined                 | undo                | waits again
  Tom       | Maria declined                 | undo                | waits again
  Anna      | Maria declined                 | undo                | refused: not-approver
  Maria     | Maria declined; 9s passed      | undo                | waits again
  Maria     | Maria declined; 10s passed     | undo                | refused: Maria has decided
  Maria     | Maria declined; it is being sent | undo              | waits again
  Maria     | Maria declined; a newer round came | undo            | refused: Maria has decided
  Maria     | Maria declined; the run failed | undo                | refused: Maria has decided
  Maria     | Maria declined; Sam stopped following | undo         | superseded
  Tom       | Maria declined; Maria undid it | approve             | approves, can be undone

approvers: [@leads], on_decline: reject
  Maria     | undecided                      | decline             | declines
  Maria     | undecided                      | decline without a word | refused: reason-missing
  Tom       | Maria declined; it is being sent | approve           | refused: Maria has decided
  Tom       | Maria declined; the crew refused it | send again     | sent again
  Anna      | Maria declined; the crew refused it | send again     | refused: not-approver
  Maria     | Maria declined; the crew took it | decline           | nothing changes
  Tom       | Maria declined; the crew refused it; a newer round came | send again | refused: Maria has decided

approvers: [@leads], on_decline: reject, undo: 10s
  Maria     | undecided                      | decline             | declines, can be undone
  Maria     | Maria declined                 | undo                | waits again
  Maria     | Maria declined; 10s passed; it is being sent | undo  | refused: Maria has decided

approvers: [@leads], comment: { approve: required, reject: optional }
  Maria     | undecided                      | approve             | refused: note-missing
  Maria     | undecided                      | approve with a note | approves
  Maria     | undecided                      | reject without a word | rejects
  Maria     | undecided                      | reject              | rejects
  Maria     | undecided                      | decline without a word | refused: reason-missing
  Anna      | undecided                      | approve             | refused: not-approver

approvers: [@leads], quorum: 2, comment: { approve: required, reject: required }
  Maria     | undecided                      | approve             | refused: note-missing
  Maria     | undecided                      | approve with a note | 1 of 2
  Maria     | undecided                      | reject without a word | refused: feedback-missing

approvers: [@leads], comment: { approve: none, reject: none }
  Maria     | undecided                      | approve             | approves
  Maria     | undecided                      | approve with a note | refused: notes-not-taken
  Maria     | undecided                      | reject without a word | rejects
  Maria     | undecided                      | reject              | refused: feedback-not-taken
  Maria     | undecided                      | decline             | refused: feedback-not-taken
  Maria     | undecided                      | decline without a word | declined

approvers: [@leads], tasks: [{ match: "Draft", comment: { approve: required, reject: required } }]
  Maria     | undecided                      | approve             | refused: note-missing
`;
