import type { Translated } from './message-values.ts';

/** What changed between two rounds. */
export const COMPARE_WORDS = {
  'compare.button': 'Compare',
  'compare.title': 'What changed',
  'compare.whole': 'Whole text',
  'compare.rounds': '{task} · round {before} → round {after}',
  'compare.legend': '− removed · + added · ± changed within the line',
  'compare.approved': '{task} · approved text → output',
  'compare.same-as': 'Same text as round {round}',
  'compare.same': 'Nothing changed.',
  'compare.unseen': 'Only spaces, line ends or other characters that can’t be seen changed.',
  'compare.empty-lines': 'only empty lines changed',
  'compare.too-large':
    'These two texts are too long or too different to be compared here. Read each of them in full on its card.',
  'compare.too-large-for-card': 'Too much changed to be compared with round {round}.',
  'compare.gone': 'One of the two texts is no longer stored, so they can’t be compared.',
  'compare.left-out': '… {count, plural, one {# unchanged line} other {# unchanged lines}} …',
  'compare.cut': 'More changed than can be shown here. Read the whole text on its card.',
  'compare.lines-changed': '{count, plural, one {# line changed} other {# lines changed}}',
  'compare.lines-added': '{count, plural, one {# line added} other {# lines added}}',
  'compare.lines-removed': '{count, plural, one {# line removed} other {# lines removed}}',
  'compare.added': '{count, number} added',
  'compare.removed': '{count, number} removed',
  'compare.since-round': 'Since round {round}: {what}',
} as const;

export const COMPARE_WORDS_DE: Translated<typeof COMPARE_WORDS> = {
  'compare.button': 'Vergleichen',
  'compare.title': 'Was sich geändert hat',
  'compare.whole': 'Ganzer Text',
  'compare.rounds': '{task} · Runde {before} → Runde {after}',
  'compare.legend': '− entfernt · + neu · ± in der Zeile geändert',
  'compare.approved': '{task} · freigegebener Text → Ergebnis',
  'compare.same-as': 'Derselbe Text wie in Runde {round}',
  'compare.same': 'Nichts hat sich geändert.',
  'compare.unseen': 'Nur Leerzeichen, Zeilenenden oder andere unsichtbare Zeichen haben sich geändert.',
  'compare.empty-lines': 'nur Leerzeilen geändert',
  'compare.too-large':
    'Die beiden Texte sind zu lang oder zu verschieden für einen Vergleich. Lies sie ganz auf ihren Karten.',
  'compare.too-large-for-card': 'Zu viel hat sich seit Runde {round} geändert, um es hier zu vergleichen.',
  'compare.gone': 'Einer der beiden Texte ist nicht mehr gespeichert, darum lassen sie sich nicht vergleichen.',
  'compare.left-out': '… {count, plural, one {# unveränderte Zeile} other {# unveränderte Zeilen}} …',
  'compare.cut': 'Mehr hat sich geändert, als hier Platz hat. Lies den ganzen Text auf seiner Karte.',
  'compare.lines-changed': '{count, plural, one {# Zeile geändert} other {# Zeilen geändert}}',
  'compare.lines-added': '{count, plural, one {# neue Zeile} other {# neue Zeilen}}',
  'compare.lines-removed': '{count, plural, one {# Zeile entfernt} other {# Zeilen entfernt}}',
  'compare.added': '{count, number} neu',
  'compare.removed': '{count, number} entfernt',
  'compare.since-round': 'Seit Runde {round}: {what}',
};
