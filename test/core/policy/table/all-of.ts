/** Of each of these groups, another person has to approve, beside the quorum of the approvers. */
export const ALL_OF = `
all_of: [@legal, @security]
  Anna      | undecided                      | approve             | 1 of 2
  Carl      | undecided                      | approve             | 1 of 2
  Lea       | undecided                      | approve             | 1 of 2
  Carl      | Anna approved                  | approve             | approves
  Anna      | Carl approved                  | approve             | approves
  Lea       | Anna approved                  | approve             | approves
  Lea       | Carl approved                  | approve             | approves
  Carl      | Lea approved                   | approve             | approves
  Anna      | Lea approved                   | approve             | approves
  Tom       | undecided                      | approve             | refused: not-approver
  Olga      | Anna approved                  | approve             | refused: not-approver
  Anna      | undecided                      | reject              | rejects
  Carl      | Anna approved                  | reject              | rejects
  Lea       | Anna approved                  | decline             | declined
  Anna      | Anna approved                  | approve             | nothing changes
  Anna      | Anna approved                  | withdraw            | 0 of 2
  Carl      | Anna approved; Anna withdrew   | approve             | 1 of 2
  Carl      | Anna approved; Anna left @legal | approve            | 1 of 2
  Carl      | Anna approved; Anna was deactivated | approve        | 1 of 2
  Carl      | Anna approved; Slack can't tell who is in @legal | approve | refused: Slack can't tell who is in @legal
  Carl      | Slack can't tell who is in @legal | approve          | refused: Slack can't tell who is in @legal
  Carl      | Slack can't tell who is in @security | approve       | refused: Slack can't tell who is in @security
  Carl      | Slack can't tell who is in @legal | reject           | rejects
  Guest     | Anna approved                  | approve             | refused: guest
  Lea       | Anna approved; Lea left @security | approve          | 2 of 2
  Carl      | Anna approved; Lea left @security; Lea approved | approve | approves
  Carl      | Tom joined @legal; Tom approved | approve            | approves
  Tom       | Anna handed it to Lea; Lea approved | approve        | refused: not-approver

approvers: [@leads], all_of: [@legal]
  Maria     | undecided                      | approve             | 1 of 1
  Anna      | undecided                      | approve             | 1 of 1
  Lea       | undecided                      | approve             | approves
  Anna      | Maria approved                 | approve             | approves
  Maria     | Anna approved                  | approve             | approves
  Tom       | Maria approved                 | approve             | 2 of 1
  Lea       | Maria approved                 | approve             | approves
  Lea       | Anna approved                  | approve             | approves
  Olga      | undecided                      | approve             | refused: not-approver
  Anna      | undecided                      | reject              | rejects
  Maria     | undecided                      | reject              | rejects
  Anna      | Maria approved; Maria left @leads | approve          | 1 of 1
  Tom       | Anna approved; Anna left @legal | approve            | 1 of 1

approvers: [@leads], quorum: 2, all_of: [@legal, @security]
  Maria     | undecided                      | approve             | 1 of 2
  Tom       | Maria approved                 | approve             | 2 of 2
  Anna      | Maria approved; Tom approved   | approve             | 3 of 2
  Carl      | Maria approved; Tom approved; Anna approved | approve | approves
  Lea       | Maria approved; Anna approved  | approve             | approves
  Lea       | Maria approved; Carl approved  | approve             | approves
  Lea       | Anna approved; Carl approved   | approve             | 3 of 2
  Maria     | Anna approved; Carl approved; Lea approved | approve | approves
  Maria2    | Maria approved; Anna approved; Carl approved | approve | 3 of 2
  Tom       | Maria approved; Anna approved; Carl approved | approve | approves
  Tom       | Maria approved; Anna approved; Carl approved | reject  | rejects

approvers: [@leads], all_of: [@leads, @legal]
  Lea       | undecided                      | approve             | 1 of 2
  Maria     | Lea approved                   | approve             | approves
  Anna      | Lea approved                   | approve             | approves
  Tom       | Maria approved                 | approve             | 2 of 2
  Anna      | Maria approved                 | approve             | approves

all_of: [UANNA, UCARL], self_approval: false
  Anna      | Carl approved                  | approve             | approves
  Lea       | Carl approved                  | approve             | refused: not-approver
  Carl      | Carl approved                  | approve             | nothing changes

all_of: [@leads, @legal], self_approval: false
  Sam       | Anna approved                  | approve             | refused: own run
  Tom       | Anna approved                  | approve             | approves

all_of: [@legal, @security], delegation: anyone
  Olga      | Anna handed it to Olga         | approve             | 1 of 2
  Olga      | Anna handed it to Olga; Carl approved | approve      | approves
  Olga      | Anna approved; Anna handed it to Olga | approve      | refused: UANNA has used that right
  Anna      | Anna handed it to Olga; Olga approved | approve      | refused: UOLGA has used that right
  Olga      | Anna handed it to Olga; Anna left @legal | approve   | refused: UANNA may no longer

all_of: [@legal], escalate_after: 1h, escalate_to: [@heads]
  Olga      | undecided                      | approve             | refused: not-approver
  Olga      | 2h passed                      | approve             | 1 of 1
  Anna      | 2h passed; Olga approved       | approve             | approves

approvers: [@heads], quorum: 2, all_of: [@legal], escalate_after: 1h, escalate_to: [workspace]
  Lea       | Olga approved                  | approve             | 2 of 2
  Lea       | 2h passed; Olga approved       | approve             | approves
  Lea       | Anna approved; 2h passed       | approve             | approves
`;
