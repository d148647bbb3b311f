/** A decision that can be undone waits; undoing is for the one who decided, and for those who may decide. */
export const UNDO = `
approvers: [@leads], undo: 10s
  Maria     | undecided                      | approve             | approves, can be undone
  Maria     | undecided                      | reject              | rejects, can be undone
  Maria     | undecided                      | undo                | refused: no-decision
  Anna      | undecided                      | undo                | refused: not-approver
  Maria     | Maria approved                 | undo                | waits again
  Maria     | Maria rejected                 | undo                | waits again
  Tom       | Maria approved                 | undo                | waits again
  Anna      | Maria approved                 | undo                | refused: not-approver
  Stranger  | Maria approved                 | undo                | refused: stranger
  Maria     | Maria approved; Maria left @leads | undo             | waits again
  Maria     | Maria approved; Maria was deactivated | undo         | waits again
  Maria     | Maria approved; 9s passed      | undo                | waits again
  Maria     | Maria approved; 10s passed     | undo                | refused: Maria has decided
  Maria     | Maria approved; 11s passed     | undo                | refused: Maria has decided
  Tom       | Maria approved; 10s passed     | undo                | refused: Maria has decided
  Maria     | Maria approved; 10s passed; it is being sent | undo  | refused: Maria has decided
  Maria     | Maria approved; 10s passed; the crew took it | undo  | refused: Maria has decided
  Maria     | Maria approved; 10s passed; the crew refused it | undo | refused: Maria has decided
  Maria     | Maria approved; it is being sent | undo              | waits again
  Maria     | Maria approved; Maria undid it | undo                | nothing changes
  Maria     | Maria approved; Maria undid it | reject              | rejects, can be undone
  Tom       | Maria approved; Maria undid it | approve             | approves, can be undone
  Maria     | Maria approved; a newer round came | undo            | refused: Maria has decided
  Maria     | Maria approved; the run failed | undo                | refused: Maria has decided
  Maria     | Maria approved; Sam stopped following | undo         | superseded
  Tom       | Maria approved                 | approve             | refused: Maria has decided
  Maria     | Maria approved                 | approve             | nothing changes
  Maria     | Maria approved                 | hand over to Anna   | refused: Maria has decided
  Maria     | Maria approved                 | send again          | refused: Maria has decided

approvers: [@leads], quorum: 2, undo: 10s
  Maria     | undecided                      | approve             | 1 of 2
  Maria     | Maria approved                 | undo                | refused: no-decision
  Tom       | Maria approved                 | approve             | approves, can be undone
  Maria     | Maria approved; Tom approved   | undo                | waits again
  Tom       | Maria approved; Tom approved; Tom undid it | approve | approves, can be undone
  Lea       | Maria approved; Tom approved; Tom undid it | approve | approves, can be undone
  Maria     | Maria approved; Tom approved; Tom undid it | withdraw | 0 of 2
  Tom       | Maria approved; Tom approved; Tom undid it | withdraw | refused: no-vote
  Tom       | Maria approved; Tom approved; Tom undid it; Maria left @leads | approve | 1 of 2
  Maria     | Maria approved; Lea rejected; Lea undid it | withdraw | 0 of 2

approvers: [@leads]
  Maria     | Maria approved                 | undo                | refused: Maria has decided

approvers: [@leads], undo: 10s, expire_after: 1h
  Maria     | 59m passed; Maria approved; 5s passed | undo         | waits again
`;
