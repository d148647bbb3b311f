import type { Translated } from './message-values.ts';

/** Words for the changes between two rounds. */
export const COMPARE_WORDS = {
  'compare.button': 'Compare',
  'compare.title': 'What changed',
  'compare.whole': 'Whole text',
  'compare.rounds': '{task} · round {before} → round {after}',
  'compare.legend': '− removed · + added · within a line ~removed~ *added*',
  'compare.approved': '{task} · approved text → output',
  'compare.edited': '{task} · text of the crew → edited text',
  'compare.same-as': 'Same text as round {round}',
  'compare.same': 'Nothing changed.',
  'compare.unseen': 'Only spaces, line ends or other characters that can’t be seen changed.',
  'compare.layout': 'Only the layout changed.',
  'compare.too-large':
    'These two texts are too long or too different to be compared here. Read each of them in full on its card.',
  'compare.too-large-for-card': 'Too much changed to be compared with round {round}.',
  'compare.gone': 'One of the two texts is no longer stored, so they can’t be compared.',
  'compare.left-out': '… {count, plural, one {# unchanged line} other {# unchanged lines}} …',
  'compare.cut': 'More changed than can be shown here. Read the whole text on its card.',
  'compare.since-round': 'Changed since round {round}',
  'compare.more': '{count, plural, one {# more change} other {# more changes}}',
  'compare.moved': 'Moved:',
} as const;

export const COMPARE_WORDS_DE: Translated<typeof COMPARE_WORDS> = {
  'compare.button': 'Vergleichen',
  'compare.title': 'Was sich geändert hat',
  'compare.whole': 'Ganzer Text',
  'compare.rounds': '{task} · Runde {before} → Runde {after}',
  'compare.legend': '− entfernt · + neu · in einer Zeile ~entfernt~ *neu*',
  'compare.approved': '{task} · freigegebener Text → Ergebnis',
  'compare.edited': '{task} · Text der Crew → bearbeiteter Text',
  'compare.same-as': 'Derselbe Text wie in Runde {round}',
  'compare.same': 'Nichts hat sich geändert.',
  'compare.unseen': 'Nur Leerzeichen, Zeilenenden oder andere unsichtbare Zeichen haben sich geändert.',
  'compare.layout': 'Nur das Layout hat sich geändert.',
  'compare.too-large':
    'Die beiden Texte sind zu lang oder zu verschieden für einen Vergleich. Lies sie ganz auf ihren Karten.',
  'compare.too-large-for-card': 'Zu viel hat sich seit Runde {round} geändert, um es hier zu vergleichen.',
  'compare.gone': 'Einer der beiden Texte ist nicht mehr gespeichert, darum lassen sie sich nicht vergleichen.',
  'compare.left-out': '… {count, plural, one {# unveränderte Zeile} other {# unveränderte Zeilen}} …',
  'compare.cut': 'Mehr hat sich geändert, als hier Platz hat. Lies den ganzen Text auf seiner Karte.',
  'compare.since-round': 'Geändert seit Runde {round}',
  'compare.more': '{count, plural, one {# weitere Änderung} other {# weitere Änderungen}}',
  'compare.moved': 'Verschoben:',
};
