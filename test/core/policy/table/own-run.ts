/** Sam has started the run; `self_approval: false` bars every account of Sam from deciding it, and from nothing else. */
export const OWN_RUN = `
approvers: [@leads]
  Sam       | undecided                      | approve             | approves
  Sam2      | undecided                      | approve             | approves

approvers: [@leads], self_approval: false
  Sam       | undecided                      | approve             | refused: own run
  Sam       | undecided                      | reject              | refused: own run
  Sam2      | undecided                      | approve             | refused: own run
  Sam2      | undecided                      | reject              | refused: own run
  Maria     | undecided                      | approve             | approves
  Sam       | undecided                      | hand over to Anna   | refused: own run
  Maria     | undecided                      | hand over to Sam    | refused: Sam is barred, own run
  Maria     | undecided                      | hand over to Sam2   | refused: Sam2 is barred, own run
  Sam       | undecided                      | stop following      | stops following
  Sam2      | undecided                      | stop following      | refused: own run
  Sam       | undecided                      | ask                 | asks @leads
  Sam       | Maria approved                 | undo                | refused: own run
  Sam       | Maria approved; the crew refused it | send again     | refused: own run
  Maria     | Maria approved; the crew refused it | send again     | sent again
  Maria     | Slack can't tell who Sam is    | approve             | refused: Slack can't tell who USAM is
  Sam       | Slack can't tell who Sam is    | approve             | refused: Slack can't tell who USAM is

approvers: [USAM, USAM2], self_approval: false
  Sam       | undecided                      | approve             | refused: own run
  Sam2      | undecided                      | approve             | refused: own run

approvers: [@leads], quorum: 2, self_approval: false
  Sam       | Maria approved                 | approve             | refused: own run
  Tom       | Maria approved                 | approve             | approves

approvers: [@heads], escalate_after: 4h, escalate_to: [@leads], self_approval: false
  Sam       | 4h passed                      | approve             | refused: own run
  Maria     | 4h passed                      | approve             | approves

approvers: [@leads], quorum: 2
  Maria     | Sam approved; now approvers: [@leads], quorum: 2, self_approval: false | approve | 1 of 2
  Maria     | Sam approved                   | approve             | approves

approvers: [@leads], self_approval: false // elsewhere as UMARIA
  Maria     | undecided                      | approve             | refused: own run
  Maria2    | undecided                      | approve             | refused: own run
  Tom       | undecided                      | approve             | approves
  Tom       | Slack can't tell who Maria is  | approve             | refused: Slack can't tell who UTOM is

approvers: [@leads], self_approval: false // elsewhere as sam@example.com
  Sam       | undecided                      | approve             | refused: own run
  Sam2      | undecided                      | approve             | refused: own run
  Tom       | undecided                      | approve             | refused: Slack can't tell who UTOM is

approvers: [@leads], self_approval: false // elsewhere as tom@example.com
  Tom       | undecided                      | approve             | refused: own run
  Maria     | undecided                      | approve             | approves
  Maria     | Slack can't tell who is in tom@example.com | approve | refused: Slack can't tell who UMARIA is

approvers: [@leads], self_approval: false // elsewhere as nobody@example.com
  Maria     | undecided                      | approve             | refused: Slack can't tell who UMARIA is

approvers: [@leads], self_approval: false // elsewhere as tom@example.com Sam@Example.com
  Tom       | undecided                      | approve             | refused: own run
  Sam       | undecided                      | approve             | refused: own run

approvers: [@leads] // elsewhere as tom@example.com
  Tom       | undecided                      | approve             | approves
`;
