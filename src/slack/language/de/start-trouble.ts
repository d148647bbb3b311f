import type { START_TROUBLE as ENGLISH } from '../en/start-trouble.ts';
import type { Translated } from '../message-values.ts';

export const START_TROUBLE: Translated<typeof ENGLISH> = {
  'start.title.inputs-missing': 'Eingaben fehlen',
  'start.title.not-started': 'Nicht gestartet',
  'start.title.unconfirmed': 'Start nicht bestätigt',
  'start.inputs-missing': '{crew} kann ohne weitere Eingaben nicht starten. Ergänze sie und starte noch einmal.',
  'start.these-missing': '{crew} kann ohne {names} nicht starten. Ergänze, was fehlt, und starte noch einmal.',
  'start.bad-request':
    '{crew} kann nicht starten: Die Eingaben waren nicht lesbar. Prüf zuerst Zahlen und Daten und versuch es noch einmal.',
  'start.unauthorized':
    '{crew} kann nicht starten: Signoffs Zugangstoken wird nicht akzeptiert. Wer Signoff betreibt, kann es erneuern; versuch es danach noch einmal.',
  'start.not-found':
    '{crew} kann nicht starten: An der Adresse gibt es keine Crew mehr. Wer Signoff betreibt, kann die Adresse korrigieren; versuch es danach noch einmal.',
  'start.quota':
    '{crew} kann nicht starten: Das Kontingent an Läufen ist aufgebraucht. Versuch es wieder, wenn es erneuert oder erhöht ist.',
  'start.unreachable':
    '{crew} kann nicht starten: Die Crew ist nicht erreichbar. Vielleicht schläft sie oder ist ausgefallen; versuch es in ein paar Minuten wieder.',
  'start.other':
    '{crew} kann nicht starten: Die Crew hat abgelehnt. Versuch es noch einmal; hilft das nicht, frag die Person, die die Crew betreibt.',
  'start.own-token-missing':
    '{crew} kann nicht starten: Nötig ist dein eigenes Token, und es ist keins verbunden. Verbinde eins mit /kickoff connect {crew} und starte noch einmal.',
  'start.own-token-refused':
    '{crew} kann nicht starten: Dein eigenes Token wird nicht akzeptiert. Verbinde ein anderes mit /kickoff connect {crew} und starte noch einmal.',
  'start.their-token-missing':
    '{crew} kann nicht starten: Nötig ist das eigene Token der Person, die gestartet hat, und es ist keins verbunden. Sie kann eins mit /kickoff connect {crew} verbinden und noch einmal starten.',
  'start.their-token-refused':
    '{crew} kann nicht starten: Das eigene Token der Person, die gestartet hat, wird nicht akzeptiert. Sie kann ein anderes mit /kickoff connect {crew} verbinden und noch einmal starten.',
  'start.unconfirmed':
    '{crew} ist vielleicht gestartet: {reason}. Falls ja, geht es im Thread weiter. Ein neuer Start könnte die Crew doppelt laufen lassen: Warte kurz oder sieh zuerst in ihrer Oberfläche nach.',
  'start.doubt.no-answer': 'Die Crew hat nicht rechtzeitig geantwortet',
  'start.doubt.server-error': 'Die Crew hat mit einem eigenen Fehler geantwortet',
  'start.doubt.no-id': 'Die Crew hat zugesagt, aber den Lauf nicht benannt',
  'start.doubt.interrupted': 'Signoff wurde bei der Anfrage unterbrochen',
  'start.confirm-again-title': 'Noch einmal starten?',
  'start.confirm-again':
    'Vielleicht hat der erste Start geklappt, obwohl ihn niemand bestätigt hat. Dann läuft die Crew doppelt.',
  'start.confirm-again-no': 'Warten',
};
