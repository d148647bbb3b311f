import type { STATS as ENGLISH } from '../en/stats.ts';
import type { Translated } from '../message-values.ts';

export const STATS: Translated<typeof ENGLISH> = {
  'stats.of-all': '*Entscheidungen aller Crews*',
  'stats.of-crew': '*Entscheidungen von {crew}*',
  'stats.open':
    '{count, plural, =0 {Gerade wartet nichts auf eine Entscheidung.} one {Seit {age} wartet # Anfrage auf eine Entscheidung.} other {Gerade warten # Anfragen auf eine Entscheidung, die älteste seit {age}.}}',
  'stats.count-of-crew': '{crew} {count, number}',
  'stats.nothing-yet':
    'In den letzten {days, number} Tagen wurde nichts entschieden. Sobald das geschieht, siehst du hier, wie oft freigegeben wurde und wie oft Änderungen angefordert wurden, wie lange das gedauert hat, wie viele Runden eine Freigabe gebraucht hat und wer am meisten entschieden hat.',
  'stats.last-days': '*Letzte {days, number} Tage*',
  'stats.decided':
    'Entschieden: {count, number} ({approved, number}-mal freigegeben, {rejected, number}-mal Änderungen angefordert)',
  'stats.none-decided': 'Entschieden: nichts',
  'stats.expired': 'Abgelaufen, weil niemand rechtzeitig entschieden hat: {count, number}',
  'stats.time': 'Zeit bis zur Entscheidung: Median {median}, 90. Perzentil {p90}',
  'stats.rounds': 'Runden je Freigabe: {rounds, number, ::.0}',
  'stats.at-first': 'In der ersten Runde freigegeben: {share, number, percent} ({count, number} von {of, number})',
  'stats.deciders': 'Die meisten Entscheidungen: {people}',
  'stats.decider': '{name} {count, number}',
  'stats.chart': 'Entscheidungen pro Tag',
  'stats.chart-series': 'Entscheidungen',
  'stats.chart-words':
    '{count, plural, =0 {Keine Entscheidung in den letzten {days, number} Tagen.} one {# Entscheidung in den letzten {days, number} Tagen, am {date}.} other {# Entscheidungen in den letzten {days, number} Tagen, die meisten am {date}: {most, number}.}}',
  'stats.meaning':
    'Die Hälfte der Entscheidungen hat höchstens so lange gedauert wie der Median, neun von zehn höchstens so lange wie das 90. Perzentil, gerechnet ab der Anfrage. Runden zählen ab dem Beginn einer Aufgabe oder ihrer letzten Freigabe. Eine Entscheidung zählt für alle, die daran beteiligt waren, auch wenn sie die Crew nie erreicht hat, aber nicht, wenn sie zurückgenommen wurde. Tage sind die in {zone}.',
};
