/** Guests and people of other organisations decide only if they are named by their id, and guests are welcome. */
export const OUTSIDERS = `
approvers: [UGUEST, USTRANGER, UROBOT, ULEAVER]
  Guest     | undecided                      | approve             | refused: guest
  Stranger  | undecided                      | approve             | refused: stranger

approvers: [UGUEST, USTRANGER, UROBOT, ULEAVER], guests: true
  Guest     | undecided                      | approve             | approves
  Guest     | undecided                      | reject              | rejects
  Stranger  | undecided                      | approve             | approves
  Stranger  | undecided                      | reject              | rejects
  Robot     | undecided                      | approve             | refused: bot
  Leaver    | undecided                      | approve             | refused: deactivated
  Robot     | undecided                      | reject              | refused: bot

approvers: [@leads, channel, workspace], guests: true
  Guest     | undecided                      | approve             | refused: guest
  Stranger  | undecided                      | approve             | refused: stranger
  Guest     | undecided                      | reject              | refused: guest
  Stranger  | undecided                      | reject              | refused: stranger

approvers: [guest@example.com], guests: true
  Guest     | undecided                      | approve             | refused: guest

approvers: [@leads, UGUEST], guests: true, quorum: 2
  Guest     | undecided                      | approve             | 1 of 2
  Guest     | Maria approved                 | approve             | approves
  Maria     | Guest approved                 | approve             | approves
  Stranger  | Guest approved                 | approve             | refused: stranger
  Guest     | Guest approved; Maria approved | undo                | refused: Maria has decided
  Maria     | Guest approved; now approvers: [@leads, UGUEST], quorum: 2 | approve | 1 of 2

approvers: [@leads]
  Guest     | Maria approved                 | undo                | refused: guest
  Stranger  | Maria approved                 | undo                | refused: stranger
  Stranger  | Maria approved; the crew refused it | send again     | refused: stranger
  Guest     | Maria approved; the crew refused it | send again     | refused: guest
  Robot     | Maria approved; the crew refused it | send again     | refused: bot
  Leaver    | Maria approved; the crew refused it | send again     | refused: deactivated
  Stranger  | undecided                      | hand over to Anna   | refused: stranger
  Guest     | undecided                      | hand over to Anna   | refused: guest
  Robot     | undecided                      | hand over to Anna   | refused: bot
  Leaver    | undecided                      | hand over to Anna   | refused: deactivated
  Stranger  | undecided                      | stop following      | refused: stranger
  Guest     | undecided                      | stop following      | refused: guest
  Robot     | undecided                      | stop following      | refused: bot
  Leaver    | undecided                      | stop following      | refused: deactivated
  Guest     | undecided                      | ask                 | asks @leads
  Stranger  | undecided                      | ask                 | refused: stranger
  Robot     | undecided                      | ask                 | refused: bot
  Leaver    | undecided                      | ask                 | refused: deactivated
`;
