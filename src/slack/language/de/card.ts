import type { CARD as ENGLISH } from '../en/card.ts';
import type { Translated } from '../message-values.ts';

export const CARD: Translated<typeof ENGLISH> = {
  'card.needed': 'Freigabe nötig: {task} · {crew}',
  'card.needed-unnamed': 'Freigabe nötig · {crew}',
  'card.round': 'Runde {round, number}',
  'card.since': 'seit',
  'card.names': '{task} · {crew} · Runde {round, number}',
  'card.names-unnamed': '{crew} · Runde {round, number}',
  'card.unnamed-task': 'dieses Ergebnis',
  'card.no-text': 'Der Text ist nicht mehr gespeichert.',
  'card.empty-text': 'Die Crew hat einen leeren Text geschickt.',
  'card.showing': '{shown, number} von {total, number} Zeichen',
  'card.showing-feedback': 'Ein Teil des Feedbacks fehlt hier',
  'card.left': 'Nicht gezeigt: {headings}',
  'card.asked-for': '{name} hat in Runde {round, number} Änderungen angefordert · {when}',
  'card.asked-for-by-nobody':
    'Über Runde {round, number} hat niemand rechtzeitig entschieden, deshalb wurden Änderungen angefordert · {when}',
  'card.repeats':
    'Das ist derselbe Text wie in Runde {round, number}, vielleicht eine wiederholte Meldung. Prüf, ob die Crew wirklich noch einmal fragt.',

  'card.can-decide': 'entscheiden können: {who}',
  'card.anyone': 'alle im Workspace können entscheiden',
  'card.needs': '{quorum, number} nötig von: {who}',
  'card.needs-anyone': '{quorum, number} Personen nötig',
  'card.needs-channel': '{quorum, number} Personen dieses Channels nötig',
  'card.not-starter': 'nicht {name}, von dort kam der Start',
  'card.unnamed-rules': 'nach den allgemeinen Regeln der Crew, da sie die Aufgabe noch nicht benannt hat',
  'card.not-elsewhere': 'nicht {who}, von dort kann der Start kommen',
  'card.no-starter': 'außerhalb von Slack gestartet: Entscheiden kann auch, wer den Lauf gestartet hat',
  'card.no-votes': 'bisher niemand',
  'card.votes': 'bisher {count, number}: {names}',
  'card.with-note': '{name} (mit Notiz)',
  'card.for': '{name} (für {other})',
  'card.for-with-note': '{name} (für {other}, mit Notiz)',
  'card.escalated': 'Eskaliert · {when}',
  'card.escalated-to': 'Eskaliert an {who} · {when}',
  'card.handed-over': 'Übergeben {list}',
  'card.handed-over-to': 'an {to} von {by}',
  'card.stands-in': '{by} ist bis {date} abwesend; {to} kann auch entscheiden',

  'card.approve': 'Freigeben',
  'card.approve-with-note': 'Mit Notiz freigeben…',
  'card.request-changes': 'Änderungen anfordern…',
  'card.edit': 'Bearbeiten…',
  'card.who': 'Wer kann entscheiden?',
  'card.hand-over': 'Übergeben…',
  'card.withdraw': 'Stimme zurückziehen',
  'card.undo': 'Rückgängig',
  'card.repeats-title': 'Noch einmal derselbe Text',
  'card.repeats-question':
    'Das ist derselbe Text wie in Runde {round, number}, vielleicht eine wiederholte Meldung. Wartet die Crew nicht, gilt deine Entscheidung womöglich für etwas, das noch niemand gelesen hat.',
  'card.approve-anyway': 'Trotzdem freigeben',
  'card.request-changes-anyway': 'Trotzdem anfordern',
  'card.go-back': 'Zurück',

  'card.approved': '{task} freigegeben: {names}',
  'card.rejected': '{name} fordert Änderungen an: {task}',
  'card.rejected-after': '{name} fordert Änderungen an: {task} (freigegeben hatten: {names})',
  'card.rejected-by-nobody': 'Änderungen angefordert: {task}, da niemand rechtzeitig entschieden hat',
  'card.closed': 'Freigabe geschlossen: {task}',
  'card.not-delivered': 'nicht angekommen',
  'card.not-confirmed': 'nicht bestätigt',
  'card.sending': 'Geht an die Crew…',
  'card.sent': 'An die Crew gesendet.',
  'card.undoable': 'Geht um {time} an die Crew; bis dahin lässt es sich rückgängig machen.',
  'card.expired':
    'Niemand hat rechtzeitig entschieden, und die Crew hat nichts erfahren. Vielleicht wartet sie noch: Antworte in ihrer eigenen Oberfläche.',
  'card.newer-round': 'Die Crew hat noch einmal gefragt, bevor jemand entschieden hat. Es gilt die neuere Anfrage.',
  'card.newer-round-before':
    'Die Crew hat noch einmal gefragt, bevor die Entscheidung von {name} ankam. Es gilt die neuere Anfrage.',
  'card.ended': 'Der Lauf war zu Ende, bevor jemand entschieden hat.',
  'card.ended-before': 'Der Lauf war zu Ende, bevor die Entscheidung von {name} bei der Crew ankam.',
  'card.unfollowed':
    'Der Lauf wird nicht mehr verfolgt; entschieden hatte noch niemand. Vielleicht wartet er noch auf eine Antwort in seiner eigenen Oberfläche.',
  'card.unfollowed-before':
    'Der Lauf wird nicht mehr verfolgt; die Entscheidung von {name} kam nicht bei der Crew an. Vielleicht wartet er noch auf eine Antwort in seiner eigenen Oberfläche.',
};
