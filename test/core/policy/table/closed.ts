/** What is still possible once a request is decided, sent, superseded or no longer followed. */
export const CLOSED = `
approvers: [@leads]
  Maria     | Maria approved                 | approve             | nothing changes
  Maria     | Maria approved                 | approve with a note | refused: Maria has decided
  Maria     | Maria approved                 | reject              | refused: Maria has decided
  Tom       | Maria approved                 | approve             | refused: Maria has decided
  Tom       | Maria rejected                 | reject              | refused: Maria has decided
  Maria     | Maria rejected                 | reject              | nothing changes
  Anna      | Maria approved                 | approve             | refused: not-approver
  Maria     | Maria approved                 | withdraw            | refused: Maria has decided
  Maria     | Maria approved; it is being sent | approve           | nothing changes
  Tom       | Maria approved; it is being sent | reject            | refused: Maria has decided
  Maria     | Maria approved; the crew took it | approve           | nothing changes
  Tom       | Maria approved; the crew took it | send again        | refused: Maria has decided
  Maria     | Maria approved; the crew refused it | approve        | nothing changes
  Tom       | Maria approved; the crew refused it | reject         | refused: Maria has decided
  Tom       | Maria approved; the crew refused it | send again     | sent again
  Anna      | Maria approved; the crew refused it | send again     | refused: not-approver
  Maria     | Maria approved; Maria left @leads; the crew refused it | send again | refused: not-approver
  Tom       | Maria approved; nobody knows whether it arrived | send again | sent again
  Anna      | Maria approved; nobody knows whether it arrived | send again | refused: not-approver
  Maria     | undecided                      | send again          | refused: nothing-to-send
  Maria     | a newer round came             | approve             | refused: newer-round
  Maria     | a newer round came             | reject              | refused: newer-round
  Maria     | a newer round came             | hand over to Anna   | refused: newer-round
  Anna      | a newer round came             | approve             | refused: not-approver
  Anna      | a newer round came             | ask                 | refused: newer-round
  Maria     | the run failed                 | approve             | refused: ended
  Maria     | the run failed                 | stop following      | nothing changes
  Maria     | Sam stopped following          | approve             | refused: unfollowed
  Anna      | Sam stopped following          | approve             | refused: not-approver
  Anna      | Sam stopped following          | stop following      | refused: not-approver
  Maria     | Sam stopped following          | stop following      | nothing changes
  Sam       | undecided                      | stop following      | stops following
  Maria     | undecided                      | stop following      | stops following
  Anna      | undecided                      | stop following      | refused: not-approver
  Anna      | undecided                      | withdraw            | refused: no-vote
  Anna      | undecided                      | ask                 | asks @leads
  Anna      | Tom asked                      | ask                 | refused: asked-lately
  Anna      | Anna asked; 59m passed         | ask                 | refused: asked-lately
  Anna      | Anna asked; 1h passed          | ask                 | asks @leads
  Anna      | Maria approved                 | ask                 | refused: Maria has decided

approvers: [workspace]
  Guest     | undecided                      | ask                 | asks nobody by name

approvers: [UMARIA, UTOM, ULEA], quorum: 2
  Anna      | Maria approved                 | ask                 | asks UTOM ULEA

approvers: [USAM, UMARIA], self_approval: false
  Sam       | undecided                      | ask                 | asks UMARIA

approvers: [@leads], tasks: [{ match: draft, approvers: [UOLGA, UANNA], quorum: 2 }]
  Anna      | Olga approved                  | stop following      | stops following
  Maria     | Olga approved                  | stop following      | stops following
  Carl      | Olga approved                  | stop following      | refused: not-approver
`;
