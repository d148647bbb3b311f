import type { STARTING as ENGLISH } from '../en/starting.ts';
import type { Translated } from '../message-values.ts';

export const STARTING: Translated<typeof ENGLISH> = {
  'start.title': 'Crew starten',
  'start.too-late': 'Zu spät',
  'start.took-too-long':
    'Das hat zu lange gedauert, deshalb ließ sich das Formular nicht öffnen. Versuch es noch einmal.',
  'start.cannot-store':
    'Signoff kann gerade nichts speichern, deshalb wurde nichts gestartet. Versuch es in einer Minute noch einmal.',
  'start.maybe-not-stored':
    'Signoff kann gerade nichts speichern, deshalb wurde das wahrscheinlich nicht gestartet. Erscheint hier binnen einer Minute kein Thread, versuch es noch einmal.',
  'start.finding-out': 'Signoff sieht nach, was du hier starten kannst …',
  'start.asking': 'Signoff fragt *{crew}*, was gebraucht wird …',
  'start.starting-title': 'Wird gestartet …',
  'start.starting': '*{crew}* wird gestartet …',
  'start.starting-later':
    'Der Thread erscheint im Channel, sobald die Crew angenommen hat. Klappt es nicht, erfährst nur du davon.',
  'start.may-close': 'Du kannst dieses Fenster schließen.',
  'start.retrying': '*{crew}* ist nicht erreichbar und deshalb noch nicht gestartet. Signoff versucht es weiter.',
  'start.started-title': 'Gestartet',
  'start.started': '*{crew}* läuft. Wie es weitergeht, steht in {thread}.',
  'start.its-thread': 'diesem Thread',
  'start.thread-in-channel': 'einem Thread im Channel',
  'start.crew-said': 'Die Crew meldet: „{text}“',

  'channel.not-in':
    'Signoff ist noch nicht in diesem Channel, deshalb wurde nichts gestartet. Schreib `/invite @{bot}` und dann noch einmal `/kickoff`.',
  'channel.archived':
    'Dieser Channel ist archiviert, deshalb wurde nichts gestartet. Nimm `/kickoff` in einem anderen Channel.',
  'channel.direct-message':
    'Signoff kann keinem Lauf in einer Unterhaltung folgen, an der es nicht beteiligt ist, deshalb wurde nichts gestartet. Nimm `/kickoff` in einem Channel.',
  'channel.read-only':
    'Signoff darf in diesem Channel nicht schreiben, deshalb wurde nichts gestartet. Frag die Admins oder nimm `/kickoff` in einem anderen Channel.',
  'channel.other':
    'Signoff kann hier nicht schreiben, deshalb wurde nichts gestartet. Schreib `/invite @{bot}` und versuch es noch einmal, oder nimm einen anderen Channel.',

  'start.fill-in': 'Ergänzen',
  'start.try-again': 'Noch einmal',

  'inputs.unauthorized':
    '{crew} nimmt das Zugriffstoken von Signoff nicht an und nennt deshalb nicht, was gebraucht wird. Wer Signoff betreibt, muss es erneuern.',
  'inputs.not-found': 'An der Adresse von {crew} ist keine Crew mehr. Wer Signoff betreibt, muss sie berichtigen.',
  'inputs.quota':
    '{crew} antwortet vorerst nicht mehr: Das Kontingent ist aufgebraucht. Versuch es später noch einmal.',
  'inputs.unreachable':
    '{crew} ist gerade nicht erreichbar. Vielleicht schläft die Crew oder ist ausgefallen; versuch es in ein paar Minuten noch einmal.',
  'inputs.other':
    '{crew} hat nicht genannt, was gebraucht wird. Versuch es noch einmal; hilft das nicht, frag, wer die Crew betreibt.',
  'inputs.slow':
    '{crew} braucht lange, um zu nennen, was gebraucht wird; gestartet ist noch nichts. Klick in ein paar Sekunden noch einmal auf Starten.',
};
