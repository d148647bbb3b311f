import type { REVISE as ENGLISH } from '../en/revise.ts';
import type { Translated } from '../message-values.ts';

export const REVISE: Translated<typeof ENGLISH> = {
  'modal.cancel': 'Abbrechen',
  'modal.back': 'Zurück',
  'modal.next': 'Weiter',
  'modal.preview': 'Vorschau',

  'feedback.title': 'Änderungen anfordern',
  'feedback.intro': '*{crew}* überarbeitet „{task}“ mit deinem Feedback (Runde {round, number}).',
  'feedback.intro-unnamed': '*{crew}* versucht es mit deinem Feedback noch einmal (Runde {round, number}).',
  'feedback.excerpt': '{shown, number} von {all, number} Zeichen.',
  'feedback.read': 'Ganzen Text lesen',
  'feedback.label': 'Was soll besser werden?',
  'feedback.hint':
    'Bis zu {most, number} Zeichen. Die Crew sieht alles davon in ihrem nächsten Versuch, also fass dich kurz.',
  'feedback.counted':
    '{count, number} von {most, number} Zeichen. Die Crew sieht alles davon in ihrem nächsten Versuch, also fass dich kurz.',
  'feedback.templates': 'Mit einer Vorlage anfangen',
  'feedback.recent': 'Früheres Feedback verwenden',
  'feedback.template-gone': 'Diesen Text gibt es nicht mehr. Es wurde nichts hinzugefügt.',
  'feedback.no-room': '„{name}“ wurde nicht hinzugefügt: Damit wäre das Feedback länger als {most, number} Zeichen.',

  'edit.title': 'Bearbeiten',
  'edit.intro': '*{crew}* bekommt deine Änderungen als Liste. Du siehst sie, bevor sie gesendet wird.',
  'edit.text': 'Text',
  'edit.hint': 'Bis zu {most, number} Zeichen.',
  'edit.which': 'Der Text ist zu lang, um ihn auf einmal zu bearbeiten. Welchen Teil?',
  'edit.part': 'Teil',
  'edit.choose-part': 'Teil wählen',
  'edit.beginning': 'Anfang',
  'edit.part-of': 'Teil {number, number} von {of, number}',
  'edit.unchanged': 'Du hast nichts geändert.',
  'edit.too-many':
    'Als Liste haben diese Änderungen {count, number} Zeichen, gesendet werden höchstens {most, number}. Nimm einige zurück, und sende sie in der nächsten Runde.',
  'edit.too-long':
    'Dieser Text ist zu lang, um ihn hier zu bearbeiten: Er hat {count, number} Zeichen, möglich sind {most, number}. Nimm stattdessen *Änderungen anfordern…*.',
  'edit.nothing':
    'Es gibt keinen Text zum Bearbeiten, oder er ist nicht mehr gespeichert. Nimm stattdessen *Änderungen anfordern…*.',
  'edit.preview-title': 'Deine Änderungen',
  'edit.preview':
    '{count, plural, one {# Änderung} other {# Änderungen}}: Genau das wird an *{crew}* gesendet. Du kannst es ergänzen.',
  'edit.sent-as': 'Feedback',

  'edits.intro':
    '{count, plural, one {Mach diese Änderung, Wort für Wort:} other {Mach diese Änderungen, Wort für Wort:}}',
  'edits.replace': 'Ersetze {find} durch {text}.',
  'edits.replace-range': 'Ersetze alles von {find} bis {through} durch {text}.',
  'edits.delete': 'Lösche {find}.',
  'edits.delete-range': 'Lösche alles von {find} bis {through}.',
  'edits.add-after': 'Nach {find} ergänze {text}.',
  'edits.add-before': 'Vor {find} ergänze {text}.',
  'edits.line': 'Zeile {text}',
  'edits.lines': 'die Zeilen {text}',
  'edits.made': '{made, number} von {of, plural, one {# Änderung} other {# Änderungen}} gemacht',

  'note.title': 'Mit Notiz freigeben',
  'note.approve': 'Freigeben',
  'note.intro': '*{crew}* macht mit deiner Notiz weiter.',
  'note.intro-previewed': '*{crew}* macht mit deiner Notiz weiter. Vor dem Senden siehst du, was ankommt.',
  'note.label': 'Notiz für die Crew',
  'note.hint':
    'Bis zu {most, number} Zeichen. Die Crew sieht alles davon in ihrer nächsten Aufgabe, also fass dich kurz.',
  'note.missing': 'Schreib eine Notiz, oder gib ohne Notiz frei.',
  'note.exactly': '*{crew}* bekommt mit deiner Freigabe genau das:',
  'note.so-far': '*{crew}* bekommt mit deiner Freigabe bisher das:',
  'note.needed':
    '{count, plural, one {Nach dir muss noch eine Person freigeben. Ihre Notiz kommt unter deine.} other {Nach dir müssen noch # Personen freigeben. Ihre Notizen kommen unter deine.}}',
  'note.soon': '⚠️ *Nach {duration} freigeben?* {why}',

  'soon.title': 'Nach {duration} freigeben?',
  'soon.title-short': 'So schnell freigeben?',
  'soon.text': 'Die Crew hat erst vor {duration} gefragt. Hast du gelesen, was du freigibst?',
  'soon.back': 'Zurück',

  'late.title': 'Nicht gesendet',
  'late.typed': 'Was du geschrieben hast, wurde nicht gesendet. Hier ist es noch einmal, damit du es kopieren kannst:',

  'hand-over.title': 'Übergeben',
  'hand-over.intro':
    '*{crew}* bittet um Freigabe von „{task}“. Wen du wählst, kann auch entscheiden und bekommt eine Direktnachricht. Auf der Karte steht, dass du übergeben hast.',
  'hand-over.intro-unnamed':
    '*{crew}* bittet um Freigabe. Wen du wählst, kann auch entscheiden und bekommt eine Direktnachricht. Auf der Karte steht, dass du übergeben hast.',
  'hand-over.label': 'Wer soll entscheiden?',
  'hand-over.choose': 'Person wählen',
  'hand-over.missing': 'Wähl eine Person.',
  'hand-over.yourself': 'Du kannst das selbst entscheiden. Wähl eine andere Person.',
};
