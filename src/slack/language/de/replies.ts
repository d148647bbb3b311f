import type { REPLIES as ENGLISH } from '../en/replies.ts';
import type { Translated } from '../message-values.ts';

export const REPLIES: Translated<typeof ENGLISH> = {
  'task.done': '*{task}* ist erledigt',
  'task.open': '*{task}* wartet auf Freigabe',
  'task.sent-back': '*{task}* wird überarbeitet',
  'task.done-title': 'Aufgabe erledigt: {task}.',
  'task.open-title': 'Freigabe nötig: {task}.',
  'task.sent-back-title': 'Änderungen angefordert: {task}.',
  'task.unnamed': 'Aufgabe {id}',
  'reply.read-full-text': 'Ganzen Text lesen',
  'reply.run-again': 'Noch einmal starten',
  'ending.completed': '*{crew}* ist fertig, nach {duration}.',
  'ending.completed-title': '{crew} ist fertig, nach {duration}.',
  'ending.no-result': '_Die Crew hat kein Ergebnis geliefert._',
  'ending.result-gone': '_Das Ergebnis ist nicht mehr gespeichert._',
  'ending.result-empty': '_Das Ergebnis ist leer._',
  'ending.result-title': 'Ergebnis von {crew}',
  'ending.failed': '*{crew}* ist nach {duration} fehlgeschlagen.',
  'ending.failed-title': '{crew} ist nach {duration} fehlgeschlagen.',
  'ending.failed-saying': '*{crew}* ist nach {duration} fehlgeschlagen:',
  'ending.no-reason': 'Warum, sagt die Crew nicht.',
  'ending.reason-unshown': 'Was die Crew dazu sagt, nimmt Slack in einer Nachricht nicht an.',
  'ending.what-now':
    'Starte noch einmal, vielleicht mit anderen Eingaben. Schlägt es wieder fehl, frag die Person, die die Crew betreibt.',
  'activity.button': 'Aktivität zeigen',
  'activity.title': 'Aktivität',
  'activity.none': 'Von den Agenten von *{crew}* ist nichts bekannt. Nicht jede Crew meldet, was ihre Agenten tun.',
  'activity.intro': 'Was die Agenten von *{crew}* zuletzt getan haben, Neuestes zuerst.',
  'activity.unnamed-agent': 'Ein Agent',
  'activity.used': 'hat {tool} benutzt',
  'file.too-long': 'Der ganze Text der Runde {round, number}, zu lang zum Lesen in Slack.',
  'file.unshown': 'Der ganze Text der Runde {round, number}, den Slack nicht zeigen kann.',
  'file.approved': 'Der Text, der in Runde {round, number} freigegeben wurde.',
  'follow-up.open-card':
    'Die Karte oben lässt sich nicht mehr aktualisieren: Dieser Workspace begrenzt, wie lange Nachrichten bearbeitet werden können. Ihre Schaltflächen funktionieren weiterhin, und was daraus wird, steht hier.',
  'follow-up.card':
    'Die Karte oben lässt sich nicht mehr aktualisieren: Dieser Workspace begrenzt, wie lange Nachrichten bearbeitet werden können.',
  'follow-up.root':
    'Die erste Nachricht dieses Threads lässt sich nicht mehr aktualisieren: Dieser Workspace begrenzt, wie lange Nachrichten bearbeitet werden können.',
  'text.proof': 'SHA-256, wie im Protokoll: `{hash}`',
  'text.kept-until': 'Der Text war bis {at} gespeichert. {proof}',
  'text.gone': 'Der Text ist nicht mehr gespeichert. {proof}',
};
