/** Whoever approves with edits has the others decide about the edited text. A vote is for one text. */
export const EDITS = `
approvers: [@leads], self_approval: false
  Maria     | undecided                      | approve with edits  | approves the text of Maria
  Anna      | undecided                      | approve with edits  | refused: not-approver
  Stranger  | undecided                      | approve with edits  | refused: stranger
  Sam       | Sam joined @leads              | approve with edits  | refused: own run
  Maria     | Maria approved with edits      | approve with edits  | nothing changes
  Tom       | Maria approved with edits      | approve with edits  | refused: Maria has decided
  Tom       | Maria approved with edits      | approve             | refused: Maria has decided
  Tom       | Maria rejected                 | approve with edits  | refused: Maria has decided
  Maria     | a newer round came             | approve with edits  | refused: newer-round

approvers: [@leads], undo: 10s
  Maria     | undecided                      | approve with edits  | approves the text of Maria, can be undone
  Maria     | Maria approved with edits      | undo                | waits again about the text of the crew
  Tom       | Maria approved with edits      | undo                | waits again about the text of the crew
  Anna      | Maria approved with edits      | undo                | refused: not-approver
  Maria     | Maria approved with edits      | undo the old text   | refused: other-text
  Maria     | Maria approved with edits; Maria undid it | undo the edits | nothing changes
  Tom       | Maria approved with edits; Maria undid it | undo the edits | refused: other-text
  Maria     | Maria approved with edits; Maria undid it | approve  | approves, can be undone
  Maria     | Maria approved with edits; Maria undid it | approve with edits | approves the text of Maria, can be undone

approvers: [@leads], quorum: 2, undo: 10s
  Maria     | undecided                      | approve with edits  | 1 of 2 for the text of Maria
  Maria     | Maria approved                 | approve with edits  | 1 of 2 for the text of Maria
  Maria     | Tom approved                   | approve with edits  | 1 of 2 for the text of Maria
  Maria     | Tom approved                   | approve             | approves, can be undone
  Maria     | Maria approved with edits      | approve with edits  | nothing changes
  Maria     | Maria approved with edits      | approve             | nothing changes
  Tom       | Maria approved with edits      | approve             | approves the text of Maria, can be undone
  Tom       | Tom approved; Maria approved with edits | approve    | approves the text of Maria, can be undone
  Tom       | Tom approved; Maria approved with edits | withdraw   | refused: no-vote
  Tom       | Maria approved with edits      | approve with edits  | approves the text of Maria, can be undone
  Tom       | Maria approved with edits      | approve with other edits | 1 of 2 for the text of Tom
  Tom       | Maria approved with edits      | approve without the edits | 1 of 2 for the text of the crew
  Maria     | Maria approved with edits; Tom approved with other edits | approve | approves the text of Tom, can be undone
  Tom       | Maria approved with edits      | approve the old text | refused: other-text
  Tom       | Maria approved with edits      | reject the old text | refused: other-text
  Tom       | Maria approved with edits      | reject              | rejects the text of Maria, can be undone
  Tom       | Maria approved with edits      | decline             | declines the text of Maria, can be undone
  Maria     | Maria approved with edits; Tom rejected | undo       | waits again about the text of Maria
  Maria     | Maria approved with edits; Tom rejected; Tom undid it | withdraw | 0 of 2 for the text of the crew
  Maria     | Maria approved with edits      | withdraw            | 0 of 2 for the text of the crew
  Maria     | Maria approved with edits; Maria withdrew | withdraw the edits | nothing changes
  Tom       | Maria approved with edits; Maria withdrew | approve  | 1 of 2
  Tom       | Maria approved with edits; Tom approved | undo       | waits again about the text of Maria
  Maria     | Maria approved with edits; Maria left @leads | undo  | refused: not-approver
  Lea       | Maria approved with edits; Maria left @leads | approve | 1 of 2 for the text of Maria

approvers: [@leads], quorum: 3
  Lea       | Tom approved; Maria approved with edits; Tom approved | approve | approves the text of Maria
  Tom       | Maria approved with edits; Tom approved | withdraw   | 1 of 3 for the text of Maria
  Maria     | Maria approved with edits; Tom approved | withdraw   | 0 of 3 for the text of the crew

approvers: [@leads], comment: { approve: none }
  Maria     | undecided                      | approve with edits  | refused: notes-not-taken

approvers: [@leads], comment: { approve: required }
  Maria     | undecided                      | approve with edits  | approves the text of Maria

approvers: [@leads], quorum: 2, min_review: 1m
  Maria     | undecided                      | approve with edits  | 1 of 2 for the text of Maria
  Tom       | 1m passed; Maria approved with edits | approve       | refused: too-soon
  Tom       | 1m passed; Maria approved with edits; 1m passed | approve | approves the text of Maria

stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads], quorum: 2 }]
  Carl      | undecided                      | approve with edits  | next stage: Release for the text of Carl
  Maria     | Maria approved with edits      | approve with edits  | nothing changes
  Maria     | Maria approved with edits      | approve with other edits | next stage: Release for the text of Maria
  Tom       | Carl approved with edits       | approve             | 1 of 2 in Release for the text of Carl
  Tom       | Carl approved with edits       | approve with other edits | next stage: Peer for the text of Tom
  Tom       | undecided                      | approve with edits  | refused: not-approver
  Tom       | Carl approved                  | approve with edits  | next stage: Peer for the text of Tom
  Carl      | Carl approved; Tom approved with edits | approve     | next stage: Release for the text of Tom
  Tom       | Carl approved; Tom approved with edits | approve     | refused: not-approver
  Tom       | Carl approved; Tom approved with edits; Carl approved | approve | 1 of 2 in Release for the text of Tom
  Maria     | Carl approved; Tom approved with edits; Carl approved; Tom approved | approve | approves the text of Tom
  Maria     | Carl approved; Lea approved    | approve with edits  | next stage: Release for the text of Maria
  Lea       | Carl approved; Lea approved; Maria approved with edits | approve | 1 of 2 in Release for the text of Maria

approvers: [@leads], quorum: 2, escalate_after: 1h, escalate_to: [@heads]
  Olga      | 1h passed; Maria approved with edits | approve       | approves the text of Maria
  Olga      | 1h passed                      | approve with edits  | 1 of 2 for the text of Olga

approvers: [@leads], expire_after: 1h, on_expiry: reject, quorum: 2
  Tom       | Maria approved with edits; 1h passed | approve       | refused: nobody has decided in time
`;
