import type { Translated } from './message-values.ts';

/** Rejecting, editing, and approving with a note. */
export const REVISE_WORDS = {
  'modal.cancel': 'Cancel',
  'modal.back': 'Back',
  'modal.next': 'Next',
  'modal.preview': 'Preview',

  'feedback.title': 'Reject',
  'feedback.label': 'What should change?',
  'feedback.hint': 'Up to {most, number} characters. Keep it short.',
  'feedback.counted': '{count, number} of {most, number} characters. Keep it short.',
  'feedback.send': 'Send',
  'feedback.again': 'The crew tries again.',
  'feedback.or-decline': 'Should the crew not try again?',
  'feedback.decline': 'Decline…',
  'decline.title': 'Decline',
  'decline.closes': 'Declining is final: nothing more is asked in this run.',
  'decline.untold': 'The crew isn’t told, so its run may go on waiting.',
  'decline.reason': 'Why?',
  'feedback.more-points': '{count, plural, one {# more point} other {# more points}} of feedback',
  'feedback.more-sentences': '{count, plural, one {# more sentence} other {# more sentences}} of feedback',
  'feedback.not-followed': '{count, number} of them not done',
  'feedback.pick': 'Start from a text',
  'feedback.templates': 'Templates',
  'feedback.recent': 'Your earlier feedback',
  'feedback.template-gone': 'This text is no longer offered, so nothing was added.',
  'feedback.no-room': '“{name}” was not added: with it, the feedback would be longer than {most, number} characters.',

  'edit.title': 'Edit',
  'edit.intro': 'Change the text as you want it. Then choose what happens with your edits.',
  'edit.text': 'Text',
  'edit.hint': 'Up to {most, number} characters.',
  'edit.which': 'The text is too long to be edited at once. Which part?',
  'edit.part': 'Part to edit',
  'edit.choose-part': 'Choose a part',
  'edit.beginning': 'Beginning',
  'edit.part-of': 'Part {number, number} of {of, number}',
  'edit.unchanged': 'You changed nothing.',
  'edit.not-json':
    'This isn’t JSON any more: see line {line, number}, column {column, number}. Is a comma, a quote or a bracket missing there?',
  'edit.hidden':
    'This change is beside a hidden secret, which everybody here could read in what is sent. Describe the change with “Reject…” instead.',
  'edit.part-of-mark':
    'You changed a part of the sign that stands for a hidden secret, such as █API-key-f8█. Keep the sign as it was, or delete all of it.',
  'edit.unnamed':
    'The text repeats itself so much that the crew couldn’t tell which place you mean. Describe it with “Reject…” instead.',
  'edit.too-long':
    'This text is too long to be edited here: it has {count, number} characters, and up to {most, number} can be. Use *Reject…* instead.',
  'edit.nothing': 'There is no text to edit, or it is no longer stored. Use *Reject…* instead.',
  'edit.choice-title': 'Your edits',
  'edit.choice': 'What happens next',
  'edit.send': 'Send',
  'edit.approve': 'Approve with these edits',
  'edit.approve-hint': '{crew} goes on with your text.',
  'edit.approve-hint-others': 'Others approve your text. Earlier approvals lapse.',
  'edit.reject': 'Send back with these edits',
  'edit.reject-hint': '{crew} tries again and gets a list of your edits.',
  'edit.choose': 'Choose what happens with your edits.',

  'edits.intro': '{count, plural, one {Make this edit, word for word:} other {Make these edits, word for word:}}',
  'edits.replace': 'Replace {find} with {text}.',
  'edits.replace-range': 'Replace everything from {find} to {through} with {text}.',
  'edits.delete': 'Delete {find}.',
  'edits.delete-range': 'Delete everything from {find} to {through}.',
  'edits.add-after': 'After {find}, add {text}.',
  'edits.add-before': 'Before {find}, add {text}.',
  'edits.line': 'the line {text}',
  'edits.lines': 'the lines {text}',

  'answer.title': 'Answer',
  'answer.send': 'Send answer',
  'answer.too-soon': 'The question came only {time} ago. Read it, then send your answer again.',
  'note.title': 'Approve with note',
  'note.intro': '*{crew}* continues with your note.',
  'note.intro-previewed': '*{crew}* continues with your note. You see what it gets before it is sent.',
  'note.outcome': 'Answer',
  'note.label': 'Note for the crew',
  'note.hint': 'Up to {most, number} characters. The crew sees all of this in its next task, so keep it short.',
  'note.missing': 'Write a note, or approve without one.',
  'note.exactly': '*{crew}* gets exactly this with your approval:',
  'note.so-far': 'So far, *{crew}* gets this with your approval:',
  'note.needed':
    '{count, plural, one {One more person has to approve after you. Their note comes below yours.} other {# more people have to approve after you. Their notes come below yours.}}',

  'soon.title': 'Approve so soon?',
  'soon.just-asked': 'The crew asked only {duration} ago. Make sure you’ve read what you approve.',
  'soon.just-opened': 'This request took the place of the one before only just now. Make sure you’ve read it.',

  'late.title': 'Not sent',
  'late.typed': 'What you wrote was not sent. Here it is again, so that you can copy it:',

  'hand-over.title': 'Add an approver',
  'hand-over.add': 'Add',
  'hand-over.intro':
    '*{crew}* asks for approval of “{task}”. The person you choose can decide, too, and gets a direct message. The card shows that you added them.',
  'hand-over.intro-unnamed':
    '*{crew}* asks for approval. The person you choose can decide, too, and gets a direct message. The card shows that you added them.',
  'hand-over.label': 'Who should decide?',
  'hand-over.choose': 'Choose a person',
  'hand-over.missing': 'Choose a person.',
  'hand-over.yourself': 'You can decide this yourself. Choose another person.',
} as const;

export const REVISE_WORDS_DE: Translated<typeof REVISE_WORDS> = {
  'modal.cancel': 'Abbrechen',
  'modal.back': 'Zurück',
  'modal.next': 'Weiter',
  'modal.preview': 'Vorschau',

  'feedback.title': 'Ablehnen',
  'feedback.label': 'Was soll anders werden?',
  'feedback.hint': 'Bis zu {most, number} Zeichen. Fass dich kurz.',
  'feedback.counted': '{count, number} von {most, number} Zeichen. Fass dich kurz.',
  'feedback.send': 'Senden',
  'feedback.again': 'Die Crew versucht es noch einmal.',
  'feedback.or-decline': 'Soll die Crew es nicht noch einmal versuchen?',
  'feedback.decline': 'Endgültig ablehnen…',
  'decline.title': 'Endgültig ablehnen',
  'decline.closes': 'Das gilt endgültig: In diesem Lauf wird nichts mehr gefragt.',
  'decline.untold': 'Die Crew erfährt es nicht, ihr Lauf wartet also vielleicht weiter.',
  'decline.reason': 'Warum?',
  'feedback.more-points': '{count, plural, one {# weiterer Punkt} other {# weitere Punkte}} im Feedback',
  'feedback.more-sentences': '{count, plural, one {# weiterer Satz} other {# weitere Sätze}} im Feedback',
  'feedback.not-followed': '{count, number} davon nicht gemacht',
  'feedback.pick': 'Mit einem Text anfangen',
  'feedback.templates': 'Vorlagen',
  'feedback.recent': 'Dein früheres Feedback',
  'feedback.template-gone': 'Diesen Text gibt es nicht mehr. Es wurde nichts hinzugefügt.',
  'feedback.no-room': '„{name}“ wurde nicht hinzugefügt: Damit wäre das Feedback länger als {most, number} Zeichen.',

  'edit.title': 'Bearbeiten',
  'edit.intro': 'Ändere den Text, wie du ihn haben willst. Danach wählst du, was mit deinen Änderungen geschieht.',
  'edit.text': 'Text',
  'edit.hint': 'Bis zu {most, number} Zeichen.',
  'edit.which': 'Der Text ist zu lang, um ihn auf einmal zu bearbeiten. Welchen Teil?',
  'edit.part': 'Teil',
  'edit.choose-part': 'Teil wählen',
  'edit.beginning': 'Anfang',
  'edit.part-of': 'Teil {number, number} von {of, number}',
  'edit.unchanged': 'Du hast nichts geändert.',
  'edit.not-json':
    'Das ist kein JSON mehr: siehe Zeile {line, number}, Spalte {column, number}. Fehlt dort ein Komma, ein Anführungszeichen oder eine Klammer?',
  'edit.hidden':
    'Diese Änderung steht neben einem verborgenen Geheimnis, das dann alle hier lesen könnten. Beschreib sie stattdessen mit „Ablehnen…“.',
  'edit.part-of-mark':
    'Du hast einen Teil des Zeichens geändert, das für ein verborgenes Geheimnis steht, etwa █API-key-f8█. Lass das Zeichen, wie es war, oder lösch es ganz.',
  'edit.unnamed':
    'Der Text wiederholt sich so sehr, dass die Crew nicht wüsste, welche Stelle du meinst. Beschreib sie stattdessen mit „Ablehnen…“.',
  'edit.too-long':
    'Dieser Text ist zu lang, um ihn hier zu bearbeiten: Er hat {count, number} Zeichen, möglich sind {most, number}. Nimm stattdessen *Ablehnen…*.',
  'edit.nothing':
    'Es gibt keinen Text zum Bearbeiten, oder er ist nicht mehr gespeichert. Nimm stattdessen *Ablehnen…*.',
  'edit.choice-title': 'Deine Änderungen',
  'edit.choice': 'Wie geht es weiter?',
  'edit.send': 'Senden',
  'edit.approve': 'Mit diesen Änderungen freigeben',
  'edit.approve-hint': '{crew} macht mit deinem Text weiter.',
  'edit.approve-hint-others': 'Andere geben deinen Text frei. Frühere Freigaben verfallen.',
  'edit.reject': 'Mit diesen Änderungen zurückschicken',
  'edit.reject-hint': '{crew} versucht es noch einmal und bekommt deine Änderungen als Liste.',
  'edit.choose': 'Wähle, was mit deinen Änderungen geschieht.',

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

  'answer.title': 'Antworten',
  'answer.send': 'Antwort senden',
  'answer.too-soon': 'Die Frage kam erst vor {time}. Lies sie, und sende deine Antwort dann noch einmal.',
  'note.title': 'Mit Notiz freigeben',
  'note.intro': '*{crew}* macht mit deiner Notiz weiter.',
  'note.intro-previewed': '*{crew}* macht mit deiner Notiz weiter. Vor dem Senden siehst du, was ankommt.',
  'note.outcome': 'Antwort',
  'note.label': 'Notiz für die Crew',
  'note.hint':
    'Bis zu {most, number} Zeichen. Die Crew sieht alles davon in ihrer nächsten Aufgabe, also fass dich kurz.',
  'note.missing': 'Schreib eine Notiz, oder gib ohne Notiz frei.',
  'note.exactly': '*{crew}* bekommt mit deiner Freigabe genau das:',
  'note.so-far': '*{crew}* bekommt mit deiner Freigabe bisher das:',
  'note.needed':
    '{count, plural, one {Nach dir muss noch eine Person freigeben. Ihre Notiz kommt unter deine.} other {Nach dir müssen noch # Personen freigeben. Ihre Notizen kommen unter deine.}}',

  'soon.title': 'So schnell freigeben?',
  'soon.just-asked': 'Die Crew hat erst vor {duration} gefragt. Hast du gelesen, was du freigibst?',
  'soon.just-opened': 'Diese Anfrage steht erst seit eben an der Stelle der letzten. Hast du sie gelesen?',

  'late.title': 'Nicht gesendet',
  'late.typed': 'Was du geschrieben hast, wurde nicht gesendet. Hier ist es noch einmal, damit du es kopieren kannst:',

  'hand-over.title': 'Person hinzufügen',
  'hand-over.add': 'Hinzufügen',
  'hand-over.intro':
    '*{crew}* bittet um Freigabe von „{task}“. Die Person, die du wählst, kann auch entscheiden und bekommt eine Direktnachricht. Auf der Karte steht, dass du sie hinzugefügt hast.',
  'hand-over.intro-unnamed':
    '*{crew}* bittet um Freigabe. Die Person, die du wählst, kann auch entscheiden und bekommt eine Direktnachricht. Auf der Karte steht, dass du sie hinzugefügt hast.',
  'hand-over.label': 'Wer soll entscheiden?',
  'hand-over.choose': 'Person wählen',
  'hand-over.missing': 'Wähl eine Person.',
  'hand-over.yourself': 'Du kannst das selbst entscheiden. Wähl eine andere Person.',
};
