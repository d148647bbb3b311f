import type { BATCH as ENGLISH } from '../en/batch.ts';
import type { Translated } from '../message-values.ts';

export const BATCH: Translated<typeof ENGLISH> = {
  'batch.title': 'Ausgewählte freigeben',
  'batch.submit': '{count, number} freigeben',
  'batch.loading': 'Lädt, was du ausgewählt hast…',
  'batch.none':
    'Hak unter *Wartet auf dich* Anfragen an, und nimm dann *Ausgewählte freigeben…*: Du siehst, worum es jeweils geht, und wirst einmal gefragt.',
  'batch.failed':
    'Was du ausgewählt hast, lässt sich gerade nicht nachschlagen. Es wurde nichts freigegeben. Versuch es in einer Minute noch einmal.',
  'batch.intro':
    '{count, plural, one {Diese # Anfrage wird} other {Diese # Anfragen werden}} so freigegeben, wie sie hier stehen, jede nach ihren eigenen Regeln:',
  'batch.intro-none': 'Davon lässt sich nichts zusammen mit anderem freigeben:',
  'batch.first': 'Hier stehen nur die ersten {most, number} von dem, was du ausgewählt hast. Der Rest bleibt angehakt.',
  'batch.left-out': '*Ausgelassen*',
  'batch.unnamed': 'Eine Anfrage',
  'batch.votes': 'dann {count, number} von {quorum, number}',
  'batch.shown': '{total, number} Zeichen, {share, number} % davon hier',
  'batch.other-text': 'Die Crew hat inzwischen noch einmal gefragt, mit einem anderen Text.',
  'batch.repeats': 'Vielleicht eine wiederholte Meldung von Runde {round, number}: Entscheide einzeln darüber.',
  'batch.too-soon': 'Die Crew hat erst vor {time} gefragt: Entscheide einzeln darüber.',
  'batch.approved-before': 'Du hattest das schon freigegeben.',
  'batch.no-answer': 'Warum, lässt sich gerade nicht sagen.',

  'batch.done-title': 'Freigegeben',
  'batch.none-title': 'Nichts freigegeben',
  'batch.approved': '✅ {names}: freigegeben. Die Crew macht weiter.',
  'batch.counts': '✅ {names}: Deine Freigabe zählt, {count, number} von {quorum, number}.',
  'batch.open': '*Noch offen*, da das Speichern der anderen zu lange dauerte:',
  'batch.still-open': 'noch nicht freigegeben',
  'batch.unclear': 'vielleicht freigegeben, da rechtzeitig keine Antwort kam',
};
