/** Somebody who may decide lets somebody else decide, too; what bars people whoever they are still does. */
export const HAND_OVER = `
approvers: [@leads]
  Maria     | undecided                      | hand over to Anna   | handed over
  Anna      | Maria handed it to Anna        | approve             | approves
  Anna      | Maria handed it to Anna        | reject              | rejects
  Maria     | Maria handed it to Anna        | approve             | approves
  Tom       | Maria handed it to Anna        | approve             | approves
  Carl      | Maria handed it to Anna        | approve             | refused: not-approver
  Maria     | Maria handed it to Anna        | hand over to Anna   | nothing changes
  Maria     | undecided                      | hand over to Maria  | nothing changes
  Anna      | Maria handed it to Anna        | hand over to Carl   | handed over
  Carl      | Maria handed it to Anna; Anna handed it to Carl | approve | approves
  Anna      | Maria handed it to Anna; Maria left @leads | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria was deactivated | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads | reject | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads | hand over to Carl | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Maria left @leads; Maria joined @leads | approve | approves
  Anna      | Maria handed it to Anna; Tom handed it to Anna; Maria left @leads | approve | approves
  Anna      | Maria handed it to Anna; Maria left @leads; Anna joined @leads | approve | approves
  Carl      | Maria handed it to Anna; Anna handed it to Carl; Maria left @leads | approve | refused: UANNA may no longer
  Carl      | Maria handed it to Anna; Anna handed it to Carl; Anna was deactivated | approve | refused: UANNA may no longer
  Carl      | Maria handed it to Anna; Anna handed it to Carl; Anna became a guest | approve | refused: UANNA may no longer
  Anna      | Maria handed it to Anna; Anna handed it to Carl; Carl handed it to Anna; Maria left @leads | approve | refused: UMARIA may no longer
  Anna      | Maria handed it to Anna; Anna became a guest | approve | refused: guest
  Anna      | Maria handed it to Anna; Anna was deactivated | approve | refused: deactivated
  Anna      | Maria handed it to Anna; now approvers: [@heads] | approve | refused: UMARIA may no longer
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

approvers: [@leads], guests: true
  Maria     | undecided                      | hand over to Guest  | refused: Guest is barred, guest

approvers: [@leads, UGUEST], guests: true
  Maria     | undecided                      | hand over to Guest  | handed over
  Guest     | undecided                      | hand over to Anna   | handed over

approvers: [@leads], quorum: 2
  Anna      | Maria approved; Maria handed it to Anna | approve    | refused: UMARIA has used that right
  Maria     | Maria handed it to Anna; Anna approved | approve     | refused: UANNA has used that right
  Maria     | Maria handed it to Anna; Anna approved; Maria left @leads; Maria joined @heads; now approvers: [@leads, @heads], quorum: 2 | approve | refused: UANNA has used that right
  Maria     | Maria handed it to Anna; Anna approved | reject      | rejects
  Carl      | Maria handed it to Anna; Anna handed it to Carl; Anna approved | approve | refused: UANNA has used that right
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

approvers: [@leads], self_approval: false
  Maria     | Maria handed it to Anna; now approvers: [@leads], quorum: 2 | approve | 1 of 2
  Anna      | Maria handed it to Anna        | approve             | approves
`;
