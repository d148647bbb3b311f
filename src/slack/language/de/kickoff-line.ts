import type { KICKOFF_LINE as ENGLISH } from '../en/kickoff-line.ts';
import type { Translated } from '../message-values.ts';

export const KICKOFF_LINE: Translated<typeof ENGLISH> = {
  'line.unknown-crew': 'Es gibt keine Crew namens „{word}“.',
  'line.meant': 'Meinst du „{crew}“?',
  'line.crew-missing': 'Die Zeile beginnt nicht mit einer Crew; wähl sie hier.',
  'line.unknown-word':
    '„{word}“ ist keine Angabe. Angaben sehen so aus: `name=wert`; ein Wert aus mehreren Wörtern steht in "Anführungszeichen".',
  'line.crew-only':
    'Auf `/kickoff {command}` folgt der Name einer Crew und sonst nichts. Ein Token schreibt man nie in einen Befehl: `/kickoff connect` öffnet dafür ein Fenster.',
  'line.repeated-name': 'Die Angabe „{name}“ steht zweimal da; die letzte zählt.',
  'line.open-quote': 'Schließendes Anführungszeichen fehlt bei {text}',
  'line.unknown-inputs': 'Diese Crew kennt {names} nicht.',
  'line.see-help': '`/kickoff help` zeigt, was möglich ist.',
  'help.what':
    '*/kickoff* startet hier eine Crew von KI-Agenten und folgt ihr in einem Thread. Braucht die Crew eine Entscheidung, fragt sie dort, und du gibst frei oder forderst Änderungen an.',
  'help.form': '`/kickoff` öffnet ein Formular',
  'help.start':
    '`/kickoff {crew} name=wert anderer="zwei Wörter"` startet sofort oder öffnet das Formular, wenn etwas fehlt oder nicht stimmt',
  'help.of-crew': '`/kickoff help {crew}` zeigt, was die Crew braucht',
  'help.status': '`/kickoff status` zeigt, was hier läuft und auf Freigabe wartet',
  'help.who':
    '`/kickoff who` sagt, wer entscheiden kann, was hier auf Freigabe wartet; mit dem Namen einer Crew, wer sie starten und für sie entscheiden kann',
  'help.stats':
    '`/kickoff stats` zeigt, wie viele Anfragen entschieden wurden, wie schnell, in wie vielen Runden und von wem; mit dem Namen einer Crew nur ihre',
  'help.connect':
    '`/kickoff connect` verbindet dein eigenes Zugriffstoken einer Crew: Was du startest und entscheidest, geht dann in deinem Namen; `/kickoff disconnect` entfernt es',
  'help.shortcuts':
    'unter den Shortcuts von Slack geht *Start a crew* überall; auf einer Nachricht füllt *Start a crew with it* sie ins Formular, und *Use as feedback* fordert mit ihr Änderungen an',
  'help.help': '`/kickoff help` zeigt das hier',
  'help.crews': '{count, plural, one {Crew: {crews}} other {Crews: {crews}}}',
  'help.no-crews': 'Noch ist keine Crew eingerichtet. Wer Signoff betreibt, kann eine hinzufügen.',
  'help.needs': '{count, plural, =0 {Keine Angaben nötig.} one {Eine Angabe:} other {# Angaben:}}',
  'help.more-inputs': '…und {count, number} weitere',
  'help.required': 'nötig',
  'help.default': 'sonst {value}',
  'help.one-of': 'eines von {options}',
  'help.text': 'Text',
  'help.number': 'eine Zahl',
  'help.number-range': 'eine Zahl von {min} bis {max}',
  'help.number-at-least': 'eine Zahl, mindestens {min}',
  'help.number-at-most': 'eine Zahl, höchstens {max}',
  'help.yes-no': 'ja oder nein',
  'help.date': 'ein Datum wie 2026-12-31',
  'help.json': 'JSON',
  'help.try': 'Zum Beispiel: `{line}`',
};
