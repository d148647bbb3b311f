import type { Translated } from './message-values.ts';

/** What several features say. */
export const COMMON_WORDS = {
  // Private answers that belong to no one thing.
  'answer.no-change': 'Nothing changed',
  'answer.not-found': 'Not found',
  'answer.no-longer-known':
    'Signoff’s database doesn’t have this, so nothing was changed. Either it ended long ago and has expired, or the database lost it. If whoever runs Signoff restores the database, this works again. If the crew still waits, decide in its control panel.',
  'answer.out-of-date': 'Out of date',
  'answer.newer-message': 'This message is out of date, so nothing was changed. Use the newest message in the thread.',
  'answer.newer-home': 'Your Home was out of date, so nothing was changed. It’s up to date now.',
  'answer.unknown-command': 'Signoff doesn’t know this command. Try `{kickoff} help`.',
  'answer.no-token':
    'Slack refuses the token of Signoff at the moment, so no window opens, and messages don’t show what changes. Tell whoever runs Signoff.',
  'answer.took-too-long': 'This took too long, so nothing could be opened. Try again.',
  'answer.slack-busy': 'Slack couldn’t open this. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  'modal.close': 'Close',

  // The pages of long texts in modals.
  'page.of': 'Page {page, number} of {count, number}',
  'page.previous': 'Previous',

  // Times, durations and lists.
  'date.at': '{date} at {time}',
  'date.unknown': 'an unknown time',
  'duration.hour': '{count, number} h',
  'duration.minute': '{count, number} min',
  'duration.second': '{count, number} s',
  'duration.instant': 'under a second',
  'duration.a-few-seconds': 'a few seconds',
  'duration.about': 'about {duration}',
  'duration.days-in-words': '{count, plural, one {# day} other {# days}}',
  'duration.hours-in-words': '{count, plural, one {# hour} other {# hours}}',
  'duration.minutes-in-words': '{count, plural, one {# minute} other {# minutes}}',
  'duration.seconds-in-words': '{count, plural, one {# second} other {# seconds}}',
  'list.more': '{count, number} more',
  'list.and-more': '…and {count, number} more',
  'text.quoted': '“{text}”',
  'text.refused': '_Slack doesn’t accept this text in a message._ *Review* shows it.',
  // What is missing below the beginning of a text.
  'text.more-paragraphs': '{count, plural, one {# more paragraph} other {# more paragraphs}}',
  'text.more-items': '{count, plural, one {# more point} other {# more points}}',
  'text.more-rows': '{count, plural, one {# more row} other {# more rows}}',
  'text.more-lines': '{count, plural, one {# more line} other {# more lines}}',
  'text.more-fields': '{count, plural, one {# more field} other {# more fields}}',
  'text.more-sentences': '{count, plural, one {# more sentence} other {# more sentences}}',
  'text.more-words': '{count, plural, one {# more word} other {# more words}}',
  'text.whole': 'Whole text · {count, plural, one {# word} other {# words}} · {more}',
  'fields.agent-says': 'The agent says:',
  'fields.program-says': '{name} says:',
  'fields.none': 'No arguments',
  'text.left-out': 'Slack doesn’t accept the text that belongs here, so it was left out.',
} as const;

export const COMMON_WORDS_DE: Translated<typeof COMMON_WORDS> = {
  'answer.no-change': 'Nichts geändert',
  'answer.not-found': 'Nicht gefunden',
  'answer.no-longer-known':
    'Die Datenbank von Signoff hat das nicht, deshalb wurde nichts geändert. Entweder ist es lange vorbei und abgelaufen, oder die Datenbank hat es verloren. Wenn sie wiederhergestellt wird, geht es hier wieder. Wartet die Crew noch, entscheide in ihrer eigenen Oberfläche.',
  'answer.out-of-date': 'Veraltet',
  'answer.newer-message': 'Diese Nachricht ist veraltet. Es wurde nichts geändert; nimm die neueste im Thread.',
  'answer.newer-home': 'Dein Home war veraltet. Es wurde nichts geändert, und jetzt ist es aktuell.',
  'answer.unknown-command': 'Signoff kennt diesen Befehl nicht. Versuch es mit `{kickoff} help`.',
  'answer.no-token':
    'Slack nimmt das Token von Signoff gerade nicht an: Es öffnen sich keine Fenster, und Nachrichten zeigen nicht, was sich ändert. Sag es denen, die Signoff betreiben.',
  'answer.took-too-long': 'Das hat zu lange gedauert, deshalb ließ sich nichts öffnen. Versuch es noch einmal.',
  'answer.slack-busy':
    'Slack konnte das nicht öffnen. Versuch es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.',
  'modal.close': 'Schließen',

  'page.of': 'Seite {page, number} von {count, number}',
  'page.previous': 'Zurück',

  'date.at': '{date} um {time}',
  'date.unknown': 'zu unbekannter Zeit',
  'duration.hour': '{count, number} Std.',
  'duration.minute': '{count, number} Min.',
  'duration.second': '{count, number} s',
  'duration.instant': 'unter einer Sekunde',
  'duration.a-few-seconds': 'ein paar Sekunden',
  'duration.about': 'etwa {duration}',
  'duration.days-in-words': '{count, plural, one {# Tag} other {# Tage}}',
  'duration.hours-in-words': '{count, plural, one {# Stunde} other {# Stunden}}',
  'duration.minutes-in-words': '{count, plural, one {# Minute} other {# Minuten}}',
  'duration.seconds-in-words': '{count, plural, one {# Sekunde} other {# Sekunden}}',
  'list.more': '{count, number} weitere',
  'list.and-more': '…und {count, number} weitere',
  'text.quoted': '„{text}“',
  'text.refused': '_Slack nimmt diesen Text in einer Nachricht nicht an._ *Prüfen* zeigt ihn.',
  'text.more-paragraphs': '{count, plural, one {Noch # Absatz} other {Noch # Absätze}}',
  'text.more-items': '{count, plural, one {Noch # Punkt} other {Noch # Punkte}}',
  'text.more-rows': '{count, plural, one {Noch # Tabellenzeile} other {Noch # Tabellenzeilen}}',
  'text.more-lines': '{count, plural, one {Noch # Zeile} other {Noch # Zeilen}}',
  'text.more-fields': '{count, plural, one {Noch # Feld} other {Noch # Felder}}',
  'text.more-sentences': '{count, plural, one {Noch # Satz} other {Noch # Sätze}}',
  'text.more-words': '{count, plural, one {Noch # Wort} other {Noch # Wörter}}',
  'text.whole': 'Ganzer Text · {count, plural, one {# Wort} other {# Wörter}} · {more}',
  'fields.agent-says': 'Der Agent sagt:',
  'fields.program-says': '{name} sagt:',
  'fields.none': 'Keine Argumente',
  'text.left-out': 'Slack nimmt den Text nicht an, der hierher gehört, deshalb fehlt er.',
};
