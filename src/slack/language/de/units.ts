import type { UNITS as ENGLISH } from '../en/units.ts';
import type { Translated } from '../message-values.ts';

export const UNITS: Translated<typeof ENGLISH> = {
  'date.at': '{date} um {time}',
  'date.unknown': 'zu unbekannter Zeit',
  'duration.day': '{count, plural, one {# Tag} other {# Tage}}',
  'duration.hour': '{count, number} Std.',
  'duration.minute': '{count, number} Min.',
  'duration.second': '{count, number} s',
  'duration.instant': 'weniger als eine Sekunde',
  'duration.a-few-seconds': 'ein paar Sekunden',
  'duration.about': 'etwa {duration}',
  'duration.days-in-words': '{count, plural, one {# Tag} other {# Tage}}',
  'duration.hours-in-words': '{count, plural, one {# Stunde} other {# Stunden}}',
  'duration.minutes-in-words': '{count, plural, one {# Minute} other {# Minuten}}',
  'duration.seconds-in-words': '{count, plural, one {# Sekunde} other {# Sekunden}}',
  'list.more': '{count, number} weitere',
  'list.and-more': '…und {count, number} weitere',
  'text.quoted': '„{text}“',
  'text.refused': '_Slack nimmt diesen Text in einer Nachricht nicht an._ *Ganzen Text lesen* zeigt ihn.',
  'text.left-out': 'Slack nimmt den Text nicht an, der hierher gehört, deshalb fehlt er.',
};
