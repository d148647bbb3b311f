import type { COMPARE as ENGLISH } from '../en/compare.ts';
import type { Translated } from '../message-values.ts';

export const COMPARE: Translated<typeof ENGLISH> = {
  'compare.button': 'Vergleichen',
  'compare.title': 'Was sich geändert hat',
  'compare.rounds': '{task} · Runde {before} → Runde {after}',
  'compare.legend': '− entfernt · + neu · ± in der Zeile geändert',
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
  'compare.sections-added': '{titles} neu',
  'compare.sections-removed': '{titles} entfernt',
  'compare.since-round': 'Seit Runde {round}: {what}',
};
