/** Several rules that may turn out to apply, since a value isn't known: what stands after // is what the run was started with. */
export const POSSIBLE = `
approvers: [@leads], when: [{ if: "inputs.amount > 5000", approvers: [@heads], may_loosen: true }] // env: some
  Maria     | undecided                      | approve             | 0 of 1, 1 of 1
  Tom       | Maria approved                 | approve             | 0 of 1, 2 of 1
  Olga      | Maria approved                 | approve             | approves
  Maria     | Olga approved                  | approve             | approves
  Maria     | Maria approved                 | approve             | nothing changes
  Anna      | undecided                      | approve             | refused: not-approver
  Stranger  | undecided                      | approve             | refused: stranger
  Maria     | undecided                      | reject              | rejects
  Olga      | Maria approved                 | reject              | rejects
  Anna      | undecided                      | reject              | refused: not-approver
  Maria     | undecided                      | decline             | refused: not-approver
  Maria     | Maria joined @heads            | decline             | declined
  Maria     | Maria joined @heads            | approve             | approves
  Maria     | Maria approved                 | withdraw            | 0 of 1, 0 of 1
  Olga      | Maria approved; Maria withdrew | approve             | 1 of 1, 0 of 1
  Olga      | Maria approved; Maria left @leads | approve          | 1 of 1, 0 of 1
  Olga      | Maria approved; Slack can't tell who is in @leads | approve | refused: Slack can't tell who is in @leads
  Maria     | Slack can't tell who is in @heads | approve          | refused: Slack can't tell who is in @heads
  Maria     | Slack can't tell who is in @heads | reject           | rejects
  Maria     | Slack can't tell who is in @heads | decline          | refused: Slack can't tell who is in @heads
  Maria2    | Maria approved                 | approve             | 0 of 1, 1 of 1
  Olga      | Maria approved; Maria2 approved | approve            | approves
  Maria     | undecided                      | hand over to Olga   | handed over
  Carl      | undecided                      | ask                 | asks @heads @leads

approvers: [@leads], undo: 10s, when: [{ if: "inputs.amount > 5000", approvers: [@heads], undo: 20s, may_loosen: true }] // env: some
  Maria     | Maria rejected                 | undo                | waits again
  Tom       | Maria rejected                 | undo                | refused: not-approver
  Olga      | Maria rejected                 | undo                | refused: not-approver
  Tom       | Maria rejected; Tom joined @heads | undo             | waits again
  Maria     | Maria rejected; 15s passed     | undo                | waits again
  Maria     | Maria rejected; 20s passed     | undo                | refused: Maria has decided
  Tom       | Maria approved; Olga approved  | undo                | waits again
  Anna      | Maria approved; Olga approved  | undo                | refused: not-approver
  Olga      | Maria approved; Olga approved; Olga undid it | approve | approves, can be undone

approvers: [@leads], quorum: 2, when: [{ if: "inputs.amount > 5000", quorum: 3 }] // env: some
  Tom       | Maria approved                 | approve             | 2 of 3, 2 of 2
  Lea       | Maria approved; Tom approved   | approve             | approves
  Tom       | Maria approved                 | decline             | declined

approvers: [@leads], when: [{ if: "inputs.amount > 5000", min_review: 20s }, { if: "inputs.env == 'prod'", min_review: 40s }] // urgent: true
  Maria     | 30s passed                     | approve             | refused: too-soon
  Maria     | 40s passed                     | approve             | approves
  Maria     | 1s passed                      | approve, confirmed  | approves
  Maria     | 1s passed                      | reject              | rejects

approvers: [@leads], when: [{ if: "inputs.amount > 5000", comment: required }, { if: "inputs.env == 'prod'", comment: none, may_loosen: true }] // urgent: true
  Maria     | undecided                      | approve             | refused: note-missing
  Maria     | undecided                      | approve with a note | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", comment: none, may_loosen: true }] // env: some
  Maria     | undecided                      | approve             | approves
  Maria     | undecided                      | approve with a note | refused: notes-not-taken

approvers: [@leads], expire_after: 1h, on_expiry: reject, when: [{ if: "inputs.amount > 5000", expire_after: 3h, on_expiry: close }] // env: some
  Maria     | 2h passed                      | approve             | approves
  Maria     | 3h passed                      | approve             | refused: expired

approvers: [@leads], expire_after: 1h, on_expiry: reject, when: [{ if: "inputs.amount > 5000", expire_after: 3h }] // env: some
  Maria     | 2h passed                      | approve             | approves
  Maria     | 3h passed                      | approve             | refused: nobody has decided in time

approvers: [@leads], expire_after: 1h, when: [{ if: "inputs.amount > 5000", expire_after: never }] // env: some
  Maria     | 9h passed                      | approve             | approves

approvers: [@leads], escalate_after: 3h, escalate_to: [@legal], when: [{ if: "inputs.amount > 5000", escalate_after: 1h, escalate_to: [@heads], may_loosen: true }] // env: some
  Olga      | undecided                      | approve             | refused: not-approver
  Olga      | 1h passed                      | approve             | 1 of 1, 0 of 1
  Maria     | 1h passed; Olga approved       | approve             | approves
  Anna      | 1h passed                      | approve             | refused: not-approver
  Anna      | 3h passed                      | approve             | 0 of 1, 1 of 1
  Olga      | 3h passed; Anna approved       | approve             | approves
  Olga      | 1h passed                      | reject              | rejects
  Olga      | 1h passed                      | decline             | refused: not-approver

approvers: [@leads], when: [{ if: "inputs.env == 'prod'", stages: [{ name: Peer, approvers: [channel] }, { name: Release }] }] // amount: 1
  Tom       | undecided                      | approve             | 0 of 1 in Peer, 1 of 1
  Carl      | Tom approved                   | approve             | approves
  Carl      | undecided                      | approve             | next stage: Release, only one
  Tom       | Carl approved                  | approve             | approves
  Tom       | Carl approved; Carl left channel | approve           | approves
  Maria     | undecided                      | approve             | next stage: Release, only one
  Maria     | Maria approved                 | approve             | nothing changes
  Tom       | Maria approved                 | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", all_of: [@legal, @security] }] // env: some
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1
  Anna      | Maria approved                 | approve             | 2 of 2, 1 of 1
  Carl      | Maria approved; Anna approved  | approve             | approves
  Lea       | Anna approved; Carl approved   | approve             | approves
  Carl      | Lea approved                   | approve             | approves

approvers: [@leads], when: [{ if: "inputs.urgent", self_approval: false }] // env: some
  Sam       | undecided                      | approve             | 0 of 1, 1 of 1
  Sam       | Sam approved                   | decline             | refused: own run
  Sam2      | Sam approved                   | approve             | 0 of 1, 1 of 1
  Tom       | Sam approved                   | approve             | approves

approvers: [@leads], delegation: none, when: [{ if: "inputs.amount > 5000", delegation: anyone, may_loosen: true }] // env: some
  Anna      | Maria handed it to Anna        | approve             | 1 of 1, 0 of 1
  Maria     | Maria handed it to Anna; Anna approved | approve     | approves
  Tom       | Maria handed it to Anna; Anna approved | approve     | approves
`;
