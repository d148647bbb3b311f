import type { Translated } from './message-values.ts';

/** Starting a crew, and what can go wrong. */
export const START_WORDS = {
  // How a start goes: what keeps it from beginning, how it is going, and why it failed.
  'start.title': 'Start a crew',
  'start.too-late': 'Too late',
  'start.cannot-store': 'Signoff can’t store anything right now, so nothing was started. Try again in a minute.',
  'start.maybe-not-stored':
    'Signoff can’t store anything right now, so this was probably not started. If no thread appears here within a minute, try again.',
  'start.finding-out': 'Finding out what you can start here…',
  'start.asking': 'Asking *{crew}* what it needs…',
  'start.starting-title': 'Starting…',
  'start.starting': 'Starting *{crew}*…',
  'start.starting-later':
    'The thread appears in the channel once the crew accepts. If it doesn’t accept, only you are told.',
  'start.may-close': 'You can close this window.',
  'start.retrying-busy':
    'The service of *{crew}* is starting or busy, so the crew hasn’t been started yet. Signoff is trying again.',
  'start.retrying-unreachable': '*{crew}* can’t be reached, so it hasn’t been started yet. Signoff is trying again.',
  'start.started-title': 'Started',
  'start.started': '*{crew}* has started. Follow it in {thread}.',
  'start.its-thread': 'its thread',
  'start.thread-in-channel': 'its thread in the channel',
  'start.crew-said': 'The crew said: “{text}”',

  'channel.not-in-channel':
    'Signoff isn’t in this channel yet, so nothing was started. Type `/invite @{bot}`, then `{kickoff}` again.',
  'channel.archived': 'This channel is archived, so nothing was started. Use `{kickoff}` in another channel.',
  'channel.direct-message':
    'Signoff can’t follow a run in a conversation that it isn’t part of, so nothing was started. Use `{kickoff}` in a channel.',
  'channel.read-only':
    'Signoff can’t post in this channel, so nothing was started. Ask its admins, or use `{kickoff}` in another channel.',
  'channel.no-access':
    'Signoff isn’t allowed in this workspace, so nothing was started. Ask an admin of your organisation to add it to this workspace, in the organisation’s settings under *Integrations*.',
  'channel.other':
    'Signoff can’t post here, so nothing was started. Type `/invite @{bot}` and try again, or use another channel.',

  'start.fill-in': 'Fill in',
  'start.try-again': 'Try again',

  'inputs.unauthorized':
    '{crew} doesn’t accept Signoff’s access token, so it didn’t say which inputs it needs. Whoever runs Signoff needs to renew it.',
  'inputs.not-found': 'There is no crew at the address of {crew} any more. Whoever runs Signoff needs to correct it.',
  'inputs.quota': '{crew} has reached its limit for now. Try again later.',
  'inputs.unreachable': '{crew} can’t be reached right now. It may be asleep or down; try again in a few minutes.',
  'inputs.busy': 'The service of {crew} is starting or busy. Try again in a few minutes.',
  'inputs.other':
    '{crew} didn’t say which inputs it needs. Try again; if that doesn’t help, ask whoever runs the crew.',
  'inputs.slow':
    '{crew} is slow to say which inputs it needs, so nothing has been started yet. Press Start again in a few seconds.',

  // Why a crew was not started, or may not have been.
  'start.title.inputs-missing': 'Inputs missing',
  'start.title.not-started': 'Not started',
  'start.title.not-confirmed': 'Start not confirmed',
  'start.inputs-missing': '{crew} can’t start without more inputs. Fill them in and start it again.',
  'start.these-missing': '{crew} can’t start without {names}. Fill in what is missing and start it again.',
  'start.bad-request':
    '{crew} can’t start: it couldn’t read the inputs. Check numbers and dates first, then try again.',
  'start.unauthorized':
    '{crew} can’t start: it doesn’t accept Signoff’s access token. Whoever runs Signoff can renew it; then try again.',
  'start.not-found':
    '{crew} can’t start: there is no crew at its address any more. Whoever runs Signoff can correct the address; then try again.',
  'start.quota': '{crew} can’t start: its quota of runs is used up. Try again once it is renewed or raised.',
  'start.unreachable': '{crew} can’t start: it can’t be reached. It may be asleep or down; try again in a few minutes.',
  'start.busy': '{crew} can’t start: its service is starting or busy. Try again in a few minutes.',
  'start.other': '{crew} can’t start: it refused. Try again; if that doesn’t help, ask whoever runs the crew.',
  'start.own-token-missing':
    '{crew} can’t start: it needs your own token, and none is connected. Connect one with {kickoff} connect {crew}, then start it again.',
  'start.own-token-refused':
    '{crew} can’t start: it doesn’t accept your own token. Connect another with {kickoff} connect {crew}, then start it again.',
  'start.their-token-missing':
    '{crew} can’t start: it needs a token of the person who started it, and none is connected. They can connect one with {kickoff} connect {crew}, then start it again.',
  'start.their-token-refused':
    '{crew} can’t start: it doesn’t accept the token of the person who started it. They can connect another with {kickoff} connect {crew}, then start it again.',
  'start.not-confirmed':
    '{crew} may have started: {reason}. If it did, its updates arrive in the thread. Starting it again may run it twice, so wait a moment or look in the crew’s control panel first.',
  'start.doubt.no-answer': 'it didn’t answer in time',
  'start.doubt.server-error': 'it answered with an error of its own',
  'start.doubt.no-id': 'it accepted, but gave no ID of the run',
  'start.doubt.interrupted': 'Signoff was interrupted while asking it',
  'start.may-run-twice':
    'An earlier start of *{crew}* isn’t confirmed, and may have worked. If it did, starting it again runs it twice.',
} as const;

export const START_WORDS_DE: Translated<typeof START_WORDS> = {
  'start.title': 'Crew starten',
  'start.too-late': 'Zu spät',
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
  'start.retrying-busy':
    'Der Dienst von *{crew}* startet gerade oder ist ausgelastet, die Crew ist also noch nicht gestartet. Signoff versucht es weiter.',
  'start.retrying-unreachable':
    '*{crew}* ist nicht erreichbar und deshalb noch nicht gestartet. Signoff versucht es weiter.',
  'start.started-title': 'Gestartet',
  'start.started': '*{crew}* läuft. Wie es weitergeht, steht in {thread}.',
  'start.its-thread': 'diesem Thread',
  'start.thread-in-channel': 'einem Thread im Channel',
  'start.crew-said': 'Die Crew meldet: „{text}“',

  'channel.not-in-channel':
    'Signoff ist noch nicht in diesem Channel, deshalb wurde nichts gestartet. Schreib `/invite @{bot}` und dann noch einmal `{kickoff}`.',
  'channel.archived':
    'Dieser Channel ist archiviert, deshalb wurde nichts gestartet. Nimm `{kickoff}` in einem anderen Channel.',
  'channel.direct-message':
    'Signoff kann keinem Lauf in einer Unterhaltung folgen, an der es nicht beteiligt ist, deshalb wurde nichts gestartet. Nimm `{kickoff}` in einem Channel.',
  'channel.read-only':
    'Signoff darf in diesem Channel nicht schreiben, deshalb wurde nichts gestartet. Frag die Admins oder nimm `{kickoff}` in einem anderen Channel.',
  'channel.no-access':
    'Signoff ist in diesem Workspace nicht zugelassen, deshalb wurde nichts gestartet. Bitte die Admins deiner Organisation, es diesem Workspace hinzuzufügen, in den Einstellungen der Organisation unter *Integrationen*.',
  'channel.other':
    'Signoff kann hier nicht schreiben, deshalb wurde nichts gestartet. Schreib `/invite @{bot}` und versuch es noch einmal, oder nimm einen anderen Channel.',

  'start.fill-in': 'Ergänzen',
  'start.try-again': 'Noch einmal',

  'inputs.unauthorized':
    '{crew} nimmt das Zugangstoken von Signoff nicht an und nennt deshalb nicht, was gebraucht wird. Wer Signoff betreibt, muss es erneuern.',
  'inputs.not-found': 'An der Adresse von {crew} ist keine Crew mehr. Wer Signoff betreibt, muss sie berichtigen.',
  'inputs.quota':
    '{crew} antwortet vorerst nicht mehr: Das Kontingent ist aufgebraucht. Versuch es später noch einmal.',
  'inputs.unreachable':
    '{crew} ist gerade nicht erreichbar. Vielleicht schläft die Crew oder ist ausgefallen; versuch es in ein paar Minuten noch einmal.',
  'inputs.busy':
    'Der Dienst von {crew} startet gerade oder ist ausgelastet. Versuch es in ein paar Minuten noch einmal.',
  'inputs.other':
    '{crew} hat nicht genannt, was gebraucht wird. Versuch es noch einmal; hilft das nicht, frag, wer die Crew betreibt.',
  'inputs.slow':
    '{crew} braucht lange, um zu nennen, was gebraucht wird; gestartet ist noch nichts. Klick in ein paar Sekunden noch einmal auf Starten.',

  'start.title.inputs-missing': 'Eingaben fehlen',
  'start.title.not-started': 'Nicht gestartet',
  'start.title.not-confirmed': 'Start nicht bestätigt',
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
  'start.busy':
    '{crew} kann nicht starten: Der Dienst der Crew startet gerade oder ist ausgelastet. Versuch es in ein paar Minuten wieder.',
  'start.other':
    '{crew} kann nicht starten: Die Crew hat abgelehnt. Versuch es noch einmal; hilft das nicht, frag die Person, die die Crew betreibt.',
  'start.own-token-missing':
    '{crew} kann nicht starten: Nötig ist dein eigenes Token, und es ist keins verbunden. Verbinde eins mit {kickoff} connect {crew} und starte noch einmal.',
  'start.own-token-refused':
    '{crew} kann nicht starten: Dein eigenes Token wird nicht akzeptiert. Verbinde ein anderes mit {kickoff} connect {crew} und starte noch einmal.',
  'start.their-token-missing':
    '{crew} kann nicht starten: Nötig ist das eigene Token der Person, die gestartet hat, und es ist keins verbunden. Sie kann eins mit {kickoff} connect {crew} verbinden und noch einmal starten.',
  'start.their-token-refused':
    '{crew} kann nicht starten: Das eigene Token der Person, die gestartet hat, wird nicht akzeptiert. Sie kann ein anderes mit {kickoff} connect {crew} verbinden und noch einmal starten.',
  'start.not-confirmed':
    '{crew} ist vielleicht gestartet: {reason}. Falls ja, geht es im Thread weiter. Ein neuer Start könnte die Crew doppelt laufen lassen: Warte kurz oder sieh zuerst in ihrer Oberfläche nach.',
  'start.doubt.no-answer': 'Die Crew hat nicht rechtzeitig geantwortet',
  'start.doubt.server-error': 'Die Crew hat mit einem eigenen Fehler geantwortet',
  'start.doubt.no-id': 'Die Crew hat zugesagt, aber den Lauf nicht benannt',
  'start.doubt.interrupted': 'Signoff wurde bei der Anfrage unterbrochen',
  'start.may-run-twice':
    'Ein früherer Start von *{crew}* ist nicht bestätigt und hat vielleicht geklappt. Dann läuft die Crew nach einem neuen Start doppelt.',
};
