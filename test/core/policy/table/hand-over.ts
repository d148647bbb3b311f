/**
 * Somebody whom the rules let decide lets somebody else decide, too, as far as the rules allow that; what bars people whoever they
 * are still does. A lent right goes one hop, also in what an older build has stored.
 */
export const HAND_OVER = `
approvers: [@leads], delegation: anyone
  Maria     | undecided                      | hand over to Anna   | handed over
  Anna      | Maria handed it to Anna        | approve             | approves
  Anna      | Maria handed it to Anna        | reject              | rejects
  Maria     | Maria handed it to Anna        | approve             | approves
  Tom       | Maria handed it to Anna        | approve             | approves
  Carl      | Maria handed it to Anna        | approve             | refused: not-approver
  Maria     | Maria handed it to Anna        | hand over to Anna   | nothing changes
  Maria     | undecided                      | hand over to Maria  | nothing changes
  Anna      | Maria handed it to Anna        | hand over to Carl   | refused: Maria lent that right
  Anna      | Maria handed it to Anna        | hand over to Tom    | refused: Maria lent that right
  Anna      | Maria handed it to Anna        | hand over to Anna   | refused: Maria lent that right
  Anna      | Maria handed it to Anna; Tom handed it to Anna; Maria left @leads | hand over to Carl | refused: Tom lent that right
  Anna      | Maria handed it to Anna; Anna joined @leads | hand over to Carl | handed over
  Carl      | Maria handed it to Anna; an older build let Anna hand it to Carl | approve | refused: UANNA may no longer
  Carl      | Maria handed it to Anna; an older build let Anna hand it to Carl | reject | refused: UANNA may no longer
  Carl      | Maria handed it to Anna; an older build let Anna hand it to Carl | hand over to Olga | refused: UANNA may no longer
  Carl      | Maria handed it to Anna; an older build let Anna hand it to Carl; Anna joined @leads | approve | approves
  Carl      | Maria handed it to Anna; an older build let Anna hand it to Carl; Tom handed it to Carl | approve | approves
  Anna      | Maria handed it to Anna; Maria left @leads | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria was deactivated | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads | reject | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads | hand over to Carl | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads; Maria joined @leads | approve | approves
  Anna      | Maria handed it to Anna; Tom handed it to Anna; Maria left @leads | approve | approves
  Anna      | Maria handed it to Anna; Maria left @leads; Anna joined @leads | approve | approves
  Anna      | Maria handed it to Anna; an older build let Anna hand it to Carl; an older build let Carl hand it to Anna; Maria left @leads | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Anna became a guest | approve | refused: guest
  Anna      | Maria handed it to Anna; Anna was deactivated | approve | refused: deactivated
  Anna      | Maria handed it to Anna; now approvers: [@heads], delegation: anyone | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna        | stop following      | stops following
  Anna      | Maria handed it to Anna; Anna approved; the crew refused it | send again | sent again
  Maria     | Maria handed it to Anna; Anna approved | approve     | refused: Anna has decided
  Anna      | undecided                      | hand over to Carl   | refused: not-approver
  Maria     | undecided                      | hand over to Guest  | refused: Guest is barred, guest
  Maria     | undecided                      | hand over to Stranger | refused: Stranger is barred, stranger
  Maria     | undecided                      | hand over to Robot  | refused: Robot is barred, bot
  Maria     | undecided                      | hand over to Leaver | refused: Leaver is barred, deactivated
  Maria     | undecided                      | hand over to Tom    | handed over
  Maria     | undecided                      | hand over to Sam    | handed over
  Maria     | Maria approved                 | hand over to Anna   | refused: Maria has decided
  Carl      | Maria handed it to Anna        | ask                 | asks @leads UANNA
  Anna      | Maria handed it to Anna; a newer round came | approve | refused: newer-round

approvers: [@leads], guests: true, delegation: anyone
  Maria     | undecided                      | hand over to Guest  | refused: Guest is barred, guest

approvers: [@leads, UGUEST], guests: true, delegation: anyone
  Maria     | undecided                      | hand over to Guest  | handed over
  Guest     | undecided                      | hand over to Anna   | handed over

approvers: [@leads], quorum: 2, delegation: anyone
  Anna      | Maria approved; Maria handed it to Anna | approve    | refused: UMARIA has used that right
  Maria     | Maria handed it to Anna; Anna approved | approve     | refused: UANNA has used that right
  Maria     | Maria handed it to Anna; Anna approved; Maria left @leads; Maria joined @heads; now approvers: [@leads, @heads], quorum: 2, delegation: anyone | approve | refused: UANNA has used that right
  Maria     | Maria handed it to Anna; Anna approved | reject      | rejects
  Carl      | Maria handed it to Anna; Maria handed it to Carl; Anna approved | approve | refused: UANNA has used that right
  Carl      | Maria handed it to Anna; Tom handed it to Carl; Anna approved | approve | approves
  Carl      | Maria handed it to Anna; Tom handed it to Anna; Maria handed it to Carl; Anna approved | approve | approves
  Tom       | Maria handed it to Anna; Anna approved | approve     | approves
  Tom       | Maria handed it to Anna; Anna approved; Maria left @leads | approve | 1 of 2
  Maria2    | Maria handed it to Anna; Anna approved | approve     | refused: UANNA has used that right
  Anna      | Maria handed it to Anna; Anna approved; Anna joined @leads | approve | nothing changes
  Maria     | Maria handed it to Anna; Anna approved; Anna joined @leads | approve | approves
  Tom       | Maria handed it to Anna; Anna approved; Anna was deactivated | approve | 1 of 2
  Maria     | Maria approved                 | hand over to Anna   | handed over

approvers: [@leads], self_approval: false, delegation: anyone
  Maria     | Maria handed it to Anna; now approvers: [@leads], quorum: 2, delegation: anyone | approve | 1 of 2
  Anna      | Maria handed it to Anna        | approve             | approves

approvers: [@leads]
  Maria     | undecided                      | hand over to Anna   | refused: Anna is barred, not named
  Maria     | undecided                      | hand over to Olga   | refused: Olga is barred, not named
  Maria     | undecided                      | hand over to Tom    | handed over
  Maria     | undecided                      | hand over to Guest  | refused: Guest is barred, guest
  Maria     | undecided                      | hand over to Maria  | nothing changes
  Anna      | undecided                      | hand over to Tom    | refused: not-approver
  Tom       | Maria handed it to Tom; Tom left @leads | approve    | refused: not named
  Tom       | Maria handed it to Tom; Tom left @leads; Tom joined @leads | approve | approves
  Anna      | now approvers: [@leads], delegation: anyone; Maria handed it to Anna; now approvers: [@leads] | approve | refused: not named

approvers: [@leads], escalate_after: 4h, escalate_to: [@heads, ULEA]
  Maria     | undecided                      | hand over to Olga   | handed over
  Olga      | undecided                      | approve             | refused: not-approver
  Olga      | Maria handed it to Olga        | approve             | approves
  Olga      | Maria handed it to Olga        | hand over to Lea    | refused: Maria lent that right
  Olga      | Maria handed it to Olga; 4h passed | hand over to Lea | handed over
  Lea       | Lea left @leads; Maria handed it to Olga; an older build let Olga hand it to Lea | approve | refused: UOLGA may no longer
  Olga      | Maria handed it to Olga; Olga left @heads | approve   | refused: not named
  Olga      | Maria handed it to Olga; Slack can't tell who is in @heads | approve | refused: Slack can't tell who is in @heads
  Maria     | Slack can't tell who is in @heads | hand over to Olga | refused: Olga is barred, Slack can't tell who is in @heads
  Olga      | Maria handed it to Olga; Maria left @leads | approve  | refused: UMARIA may no longer
  Olga      | Maria handed it to Olga; now approvers: [@leads], delegation: none, escalate_after: 4h, escalate_to: [@heads] | approve | refused: delegation is none
  Olga      | Maria handed it to Olga; now approvers: [@leads], delegation: none, escalate_after: 4h, escalate_to: [@heads] | hand over to Lea | refused: delegation is none
  Olga      | Maria handed it to Olga; now approvers: [@leads], delegation: none, escalate_after: 4h, escalate_to: [@heads]; 4h passed | approve | approves

approvers: [@leads], escalate_after: 4h, escalate_to: [workspace]
  Maria     | undecided                      | hand over to Anna   | handed over
  Anna      | Maria handed it to Anna        | approve             | approves
  Maria     | undecided                      | hand over to Guest  | refused: Guest is barred, guest

approvers: [@leads], escalate_after: 4h, escalate_to: [channel]
  Maria     | undecided                      | hand over to Carl   | handed over
  Maria     | undecided                      | hand over to Anna   | refused: Anna is barred, not named

approvers: [@leads], escalate_after: 4h, escalate_to: [@heads], quorum: 2
  Maria     | Maria handed it to Olga; Olga approved | approve     | refused: UOLGA has used that right
  Tom       | Maria handed it to Olga; Olga approved | approve     | approves
  Tom       | Maria handed it to Olga; Olga approved; now approvers: [@leads], quorum: 2, delegation: none | approve | 1 of 2
  Tom       | Maria handed it to Olga; Olga approved; Olga left @heads | approve | 1 of 2
  Tom       | Maria handed it to Olga; Olga approved; Slack can't tell who is in @heads | approve | refused: Slack can't tell who is in @heads

approvers: [@leads], delegation: none
  Maria     | undecided                      | hand over to Anna   | refused: no-delegation
  Maria     | undecided                      | hand over to Tom    | refused: no-delegation
  Maria     | undecided                      | hand over to Maria  | refused: no-delegation
  Anna      | undecided                      | hand over to Tom    | refused: not-approver
  Maria     | Maria approved                 | hand over to Tom    | refused: Maria has decided
  Anna      | now approvers: [@leads], delegation: anyone; Maria handed it to Anna; now approvers: [@leads], delegation: none | approve | refused: delegation is none
  Anna      | now approvers: [@leads], delegation: anyone; Maria handed it to Anna; now approvers: [@leads], delegation: none | reject | refused: delegation is none
  Anna      | now approvers: [@leads], delegation: anyone; Maria handed it to Anna; now approvers: [@leads], delegation: none; now approvers: [@leads], delegation: anyone | approve | approves
  Carl      | now approvers: [@leads], delegation: anyone; Maria handed it to Anna; now approvers: [@leads], delegation: none | ask | asks @leads

approvers: [@leads], delegation: none, tasks: [{ match: "draft", delegation: anyone }]
  Maria     | undecided                      | hand over to Anna   | handed over

approvers: [@leads], delegation: anyone, tasks: [{ match: "draft", delegation: none }]
  Maria     | undecided                      | hand over to Anna   | refused: no-delegation
`;
