/** An input of the run names who can decide. What stands after // is what the run was started with. */
export const INPUTS = `
approvers: ["input:owner"] // owner: UMARIA
  Maria     | undecided                      | approve             | approves
  Tom       | undecided                      | approve             | refused: not-approver
  Maria     | undecided                      | reject              | rejects
  Maria2    | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: "<@UMARIA>"
  Maria     | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: "<@UMARIA|maria>"
  Maria     | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: " UMARIA "
  Maria     | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: maria@example.com
  Maria     | undecided                      | approve             | approves
  Tom       | undecided                      | approve             | refused: not-approver
  Maria     | Slack can't tell who is in maria@example.com | approve | refused: Slack can't tell who is in maria@example.com

approvers: ["input:owner"] // owner: USAM
  Sam       | undecided                      | approve             | refused: not-approver
  Sam2      | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: UGUEST
  Guest     | undecided                      | approve             | refused: guest

approvers: ["input:owner"], guests: true // owner: UGUEST
  Guest     | undecided                      | approve             | refused: guest

approvers: ["input:owner"], guests: true // owner: USTRANGER
  Stranger  | undecided                      | approve             | refused: stranger

approvers: ["input:owner", UGUEST], guests: true // owner: UMARIA
  Guest     | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: "@leads"
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: workspace
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: channel
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: "input:owner"
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: SLEADS
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // env: prod
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: 7
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // elsewhere
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: "UMARIA UTOM"
  Maria     | undecided                      | approve             | refused: not-approver

approvers: [@heads, "input:owner"], quorum: 2 // owner: UMARIA
  Maria     | undecided                      | approve             | 1 of 2
  Olga      | Maria approved                 | approve             | approves
  Tom       | Maria approved                 | approve             | refused: not-approver

all_of: [@heads, "input:owner"] // owner: UMARIA
  Maria     | undecided                      | approve             | 1 of 2
  Olga      | Maria approved                 | approve             | approves

all_of: [@heads, "input:owner"] // owner: UOLGA
  Olga      | undecided                      | approve             | 1 of 2

stages: [{ name: Owner, approvers: ["input:owner"] }, { name: Heads, approvers: [@heads] }] // owner: UTOM
  Tom       | undecided                      | approve             | next stage: Heads
  Maria     | undecided                      | approve             | refused: not-approver
  Olga      | Tom approved                   | approve             | approves

approvers: [@heads], escalate_after: 1h, escalate_to: ["input:owner"] // owner: UTOM
  Tom       | undecided                      | approve             | refused: not-approver
  Tom       | 2h passed                      | approve             | approves

approvers: ["input:owner"], delegation: anyone // owner: UTOM
  Olga      | Tom handed it to Olga          | approve             | approves

approvers: ["input:owner"] // owner: mailto:maria@example.com
  Maria     | undecided                      | approve             | approves

approvers: ["input:owner"] // owner: "x <@UMARIA>"
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: "<@UMARIA> x"
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: nobody@example.com
  Maria     | undecided                      | approve             | refused: not-approver

approvers: ["input:owner"] // owner: UMARIA
  Maria     | Slack can't tell who Sam is    | approve             | refused: Slack can't tell who is in UMARIA
  Tom       | Slack can't tell who Sam is    | approve             | refused: not-approver
`;
