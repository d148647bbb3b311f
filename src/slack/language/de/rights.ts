import type { RIGHTS as ENGLISH } from '../en/rights.ts';
import type { Translated } from '../message-values.ts';

export const RIGHTS: Translated<typeof ENGLISH> = {
  'right.can':
    '*Du kannst {what, select, start {{crew} hier starten} requests {über die Anfragen entscheiden} others {über die Anfragen entscheiden, außer du hast den Lauf gestartet} other {das entscheiden}}*',
  'right.plain': '{can}.',
  'right.handed-over': '{can}: Es wurde dir übergeben.',
  'right.group': '{can}: Du bist in {group}.',
  'right.channel': '{can}: Du bist in diesem Channel.',
  'right.closed': 'Diese Freigabe ist geschlossen, niemand muss mehr entscheiden.',
  'right.voted': 'Du hast das schon freigegeben und kannst deine Stimme zurückziehen, bis entschieden ist.',
  'who.title': 'Wer kann entscheiden?',
  'who.unnamed':
    'Die Crew hat diese Aufgabe noch nicht benannt, deshalb gelten ihre allgemeinen Regeln. Sobald sie sie benennt, gelten die Regeln für diese Aufgabe, auch für die Freigaben bis dahin.',
  'who.nothing-waits': 'Hier wartet nichts auf eine Freigabe.',
  'who.waiting': '{count, plural, one {# wartet} other {# warten}} hier auf eine Freigabe:',
  'who.more':
    '{count, plural, one {…und # weitere, die hier nicht mehr hineinpasst} other {…und # weitere, die hier nicht mehr hineinpassen}}',
  'who.round': '(Runde {round})',
  'who.approved-so-far': 'Bisher freigegeben, {count} von {quorum}: {people}',
  'who.handed-over': 'Übergeben an {people}',
  'who.starting': '*{crew} starten*',
  'who.deciding': '*Über die Anfragen entscheiden*',
  'who.deciding-tasks': '*Über Aufgaben namens „{match}“ entscheiden*',
  'who.same-rules': 'Dieselben Regeln.',
  'ask.button': 'Um Entscheidung bitten',
  'ask.done-title': 'Gefragt',
  'ask.done': 'Sie wurden im Thread dieser Anfrage gefragt. Dort siehst du die Antwort.',
  'ask.failed-title': 'Niemand wurde gefragt',
  'start.refused-title': 'Nicht gestartet',
  'start.crew-gone': 'Diese Crew ist nicht mehr eingerichtet, deshalb wurde nichts gestartet.',
  'start.none-for-you': 'Du kannst hier keine Crew starten. Das können:',
};
