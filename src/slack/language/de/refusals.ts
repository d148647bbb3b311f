import type { REFUSALS as ENGLISH } from '../en/refusals.ts';
import type { Translated } from '../message-values.ts';

export const REFUSALS: Translated<typeof ENGLISH> = {
  'refusal.unsure': 'Slack kann gerade nicht sagen, wer das entscheiden kann. Versuch es in einer Minute noch einmal.',
  'refusal.approved-already': '{name} hat das schon freigegeben ({when}).',
  'refusal.rejected-already': '{name} hat schon Änderungen angefordert ({when}).',
  'refusal.rejected-by-time': 'Niemand hat rechtzeitig entschieden, deshalb hat Signoff Änderungen angefordert.',
  'refusal.newer-round':
    'Die Crew hat inzwischen noch einmal gefragt. Entscheide über die neueste Anfrage in diesem Thread.',
  'refusal.other-text':
    'Das ist nicht mehr der Text, der wartet. Entscheide auf der Karte der Anfrage: Sie zeigt den, der wartet.',
  'refusal.ended': 'Dieser Lauf ist zu Ende, es gibt nichts mehr zu entscheiden.',
  'refusal.unfollowed': 'Dieser Lauf wird nicht mehr verfolgt, deshalb lässt sich hier nichts mehr entscheiden.',
  'refusal.expired': 'Niemand hat rechtzeitig entschieden, deshalb ist diese Freigabe geschlossen.',
  'refusal.too-soon': 'Die Crew hat erst vor Kurzem gefragt ({time}). Bestätige, dass du das freigeben willst.',
  'refusal.voted-title': 'Schon freigegeben',
  'refusal.voted-already': 'Deine Freigabe zählt schon. Bevor die Crew weitermacht, müssen noch andere freigeben.',
  'refusal.no-vote': 'Du hast hier keine Stimme, die du zurückziehen könntest.',
  'refusal.no-decision': 'Hier gibt es keine Entscheidung, die sich zurücknehmen ließe.',
  'refusal.asked-lately': 'Sie wurden schon gefragt ({when}). Eine Stunde danach kannst du noch einmal fragen.',
  'refusal.feedback-missing': 'Die Crew braucht Feedback, um zu wissen, was sie ändern soll. Ein kurzer Satz genügt.',
  'refusal.feedback-missing-here': 'Schreib, was besser werden soll.',
  'refusal.notes-not-taken':
    'Diese Crew kann keine Freigaben mit Notiz annehmen: Sie würde die Notiz als Feedback lesen. Nimm *Freigeben*, oder *Änderungen anfordern…* mit Feedback.',
  'refusal.nothing-to-send':
    'Es gibt nichts noch einmal zu senden: Die Crew hat die Entscheidung, oder sie ist unterwegs.',
};
