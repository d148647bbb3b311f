import type { Translated } from './message-values.ts';

/** The command and its form. */
export const KICKOFF_WORDS = {
  // What people type after `/kickoff`, and its help.
  'line.unknown-crew': 'There is no crew named “{word}”.',
  'line.meant': 'Did you mean “{crew}”?',
  'line.crew-missing': 'The command doesn’t start with a crew. Choose one here.',
  'line.unknown-word':
    '“{word}” isn’t an input. Write inputs as `name=value`, with "quotes" around values of several words.',
  'line.crew-only':
    '`{kickoff} {command}` takes only the name of a crew. Never type a token in a command: `{kickoff} connect` opens a window for it.',
  'line.repeated-name': 'The input “{name}” is given twice; the last one counts.',
  'line.open-quote': 'Missing closing quote near {text}',
  'line.unknown-inputs': 'This crew has no input named {names}.',
  'line.see-help': 'Type `{kickoff} help` to see what you can do.',
  'line.stats':
    'The figures on decisions are in a report and on a dashboard, not in Slack. Ask whoever runs Signoff for them: `npm run report` makes the report.',
  'help.what':
    '*{kickoff}* starts a crew of AI agents here and follows it in a thread. When the crew needs a decision, it asks in that thread, where you approve or reject.',
  'help.form': '`{kickoff}` opens a form',
  'help.start':
    '`{kickoff} {crew} name=value other="two words"` starts at once, or opens the form if something is missing or wrong',
  'help.of-crew': '`{kickoff} help {crew}` lists what the crew needs',
  'help.status': '`{kickoff} status` shows what is in progress and waiting for approval here',
  'help.who':
    '`{kickoff} who` says who can decide what is waiting for approval here; with the name of a crew, who can start it and decide for it',
  'help.connect':
    '`{kickoff} connect` connects your own access token for a crew, so that what you start and decide is sent as yours; `{kickoff} disconnect` removes it',
  'help.shortcuts':
    'in Slack’s shortcuts, *Start a crew* works anywhere; on a message, *Start a crew with it* fills it into the form, and *Use as feedback* rejects with it as feedback',
  'help.help': '`{kickoff} help` shows this',
  'help.crews': '{count, plural, one {Crew: {crews}} other {Crews: {crews}}}',
  'help.no-crews': 'No crew is set up yet. Whoever runs Signoff can add one.',
  'help.needs': '{count, plural, =0 {It needs no inputs.} one {It needs one input:} other {It needs # inputs:}}',
  'help.required': 'required',
  'help.default': 'default {value}',
  'help.one-of': 'one of {options}',
  'help.text': 'text',
  'help.number': 'a number',
  'help.number-range': 'a number from {min} to {max}',
  'help.number-at-least': 'a number, at least {min}',
  'help.number-at-most': 'a number, at most {max}',
  'help.yes-no': 'yes or no',
  'help.date': 'a date like 2026-12-31',
  'help.json': 'JSON',
  'help.try': 'For example: `{line}`',

  // The form of a start and its inputs.
  'form.start': 'Start',
  'form.crew': 'Crew',
  'form.choose-crew': 'Choose a crew',
  'form.not-kept': 'Your inputs are too long to keep until you have chosen a crew. Enter them again then.',
  'form.runs-in': 'The run gets a thread in {channel}.',
  'form.no-inputs': '*{crew}* needs no inputs. Just start it.',
  'form.nothing-yet': 'Nothing has been started yet.',
  'form.still-missing': 'Still missing: {names}. Everything else is kept.',
  'form.missing': '{label} (missing)',
  'form.check': 'Check {names}. Everything else is kept.',
  'form.long-name':
    'An input of this crew has a name of {length, number} characters (“{name}”), and a form holds {most, number}. Whoever runs the crew needs to shorten it.',
  'form.too-many':
    'This crew asks for {count, number} inputs, and a form in Slack holds {most, number}. Start it with `{kickoff}` and `name=value` for each input, or from the crew’s own control panel.',
  'form.shared':
    'This channel is shared with another organisation. Its people will see what this run posts: inputs, drafts and results.',
  'form.maybe-shared':
    'Slack can’t say right now whether this channel is shared with another organisation. If it is, its people will see what this run posts: inputs, drafts and results.',
  'form.share-label': 'Shared channel',
  'form.share': 'Post this run here anyway',
  'input.unnamed': 'Input',
  'input.empty-option': '(empty)',
  'input.yes': 'Yes',
  'input.no': 'No',
  'input.json-hint': 'JSON, such as {one} or {other}.',
  'input.choices-hint': 'One of {count, number} choices, typed as they are.',
  'input.if-empty': 'If left empty: {value}',
  'input.range': 'From {min} to {max}.',
  'input.at-least': 'At least {min}.',
  'input.at-most': 'At most {max}.',
  'input.too-long': 'This value has {length, number} characters; a field holds {most, number}. Enter a shorter one.',
  'input.no-room':
    'This value has {length, number} characters; this form is too full for more than {most, number} a field. Enter it again.',
  'input.not-offered': 'This choice is no longer offered. Choose again.',
  'input.not-a-number': 'Enter a number like 12 or {decimal}.',
  'input.too-many-digits': 'This number has too many digits to be sent exactly.',
  'input.too-small': '{value} is too small: at least {min}.',
  'input.too-large': '{value} is too large: at most {max}.',
  'input.not-yes-no': 'Enter yes or no.',
  'input.not-a-choice': 'Choose one of {options}.',
  'input.not-a-date': 'Enter a date like 2026-12-31.',
  'input.not-json': 'This isn’t valid JSON. It looks like {examples}.',

  // What begins with a shortcut: feedback from a message, and a start without a channel.
  'shortcut.unknown': 'This version of Signoff doesn’t know this shortcut. Whoever runs Signoff can update it.',
  'shortcut.feedback-title': 'Use as feedback',
  'shortcut.no-run':
    'This message isn’t in the thread of a run in progress. Use the shortcut in a thread where a crew asks for approval.',
  'shortcut.nothing-open': '*{crew}* hasn’t asked for approval in this thread, so there’s nothing to give feedback on.',
  'shortcut.no-text': 'The message has no text, so write here what should be better.',
  'shortcut.cut': 'The message has {count, number} characters; the first {most, number} are here.',
  'shortcut.newest':
    '{count, number} approvals are open in this thread; this is about the newest, “{task}”. For another, use *Reject…* on its card.',

  'choice.channel': 'Channel',
  'choice.channel-hint': 'The thread of the run will be there, and everybody in the channel can follow it.',
  'choice.choose-channel': 'Choose a channel',
  'choice.slow': '{crew} is slow to say which inputs it needs. Press Next again in a few seconds.',
  'choice.into': 'The message goes into',
  'choice.message': 'Message',
  'choice.message-hint': 'You can still change it in the next step.',
  'choice.message-goes': 'It goes into “{input}”. You can still change it in the next step.',
  'choice.no-text-input': '*{crew}* has no text input, so it can’t be started with a message.',
  'choice.no-text-input-plain': '{crew} has no text input. Choose another crew.',
  'choice.trouble.not-in-channel': 'Signoff isn’t in this channel. Type /invite @{bot} there, then press Next again.',
  'choice.trouble.archived': 'This channel is archived. Choose another.',
  'choice.trouble.direct-message': 'Signoff can’t follow a run in this conversation. Choose a channel.',
  'choice.trouble.read-only': 'Signoff can’t post in this channel. Ask its admins, or choose another.',
  'choice.trouble.no-access':
    'Signoff isn’t allowed in this channel’s workspace. Ask an admin of your organisation to add it there, or choose another channel.',
  'choice.trouble.not-member': 'You aren’t in this channel. Join it first, or choose another.',
  'choice.trouble.unsure': 'Slack can’t tell right now whether you’re in this channel. Try again in a minute.',
} as const;

export const KICKOFF_WORDS_DE: Translated<typeof KICKOFF_WORDS> = {
  'line.unknown-crew': 'Es gibt keine Crew namens „{word}“.',
  'line.meant': 'Meinst du „{crew}“?',
  'line.crew-missing': 'Die Zeile beginnt nicht mit einer Crew; wähl sie hier.',
  'line.unknown-word':
    '„{word}“ ist keine Angabe. Angaben sehen so aus: `name=wert`; ein Wert aus mehreren Wörtern steht in "Anführungszeichen".',
  'line.crew-only':
    'Auf `{kickoff} {command}` folgt der Name einer Crew und sonst nichts. Ein Token schreibt man nie in einen Befehl: `{kickoff} connect` öffnet dafür ein Fenster.',
  'line.repeated-name': 'Die Angabe „{name}“ steht zweimal da; die letzte zählt.',
  'line.open-quote': 'Schließendes Anführungszeichen fehlt bei {text}',
  'line.unknown-inputs': 'Diese Crew kennt {names} nicht.',
  'line.see-help': '`{kickoff} help` zeigt, was möglich ist.',
  'line.stats':
    'Die Zahlen zu Entscheidungen stehen in einem Bericht und auf einem Dashboard, nicht in Slack. Frag danach, wer Signoff betreibt: `npm run report` erstellt den Bericht.',
  'help.what':
    '*{kickoff}* startet hier eine Crew von KI-Agenten und folgt ihr in einem Thread. Braucht die Crew eine Entscheidung, fragt sie dort, und du gibst frei oder lehnst ab.',
  'help.form': '`{kickoff}` öffnet ein Formular',
  'help.start':
    '`{kickoff} {crew} name=wert anderer="zwei Wörter"` startet sofort oder öffnet das Formular, wenn etwas fehlt oder nicht stimmt',
  'help.of-crew': '`{kickoff} help {crew}` zeigt, was die Crew braucht',
  'help.status': '`{kickoff} status` zeigt, was hier läuft und auf Freigabe wartet',
  'help.who':
    '`{kickoff} who` sagt, wer entscheiden kann, was hier auf Freigabe wartet; mit dem Namen einer Crew, wer sie starten und für sie entscheiden kann',
  'help.connect':
    '`{kickoff} connect` verbindet dein eigenes Zugangstoken einer Crew: Was du startest und entscheidest, geht dann in deinem Namen; `{kickoff} disconnect` entfernt es',
  'help.shortcuts':
    'unter den Shortcuts von Slack geht *Start a crew* überall; auf einer Nachricht füllt *Start a crew with it* sie ins Formular, und *Use as feedback* lehnt mit ihr als Feedback ab',
  'help.help': '`{kickoff} help` zeigt das hier',
  'help.crews': '{count, plural, one {Crew: {crews}} other {Crews: {crews}}}',
  'help.no-crews': 'Noch ist keine Crew eingerichtet. Wer Signoff betreibt, kann eine hinzufügen.',
  'help.needs': '{count, plural, =0 {Keine Angaben nötig.} one {Eine Angabe:} other {# Angaben:}}',
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

  'form.start': 'Starten',
  'form.crew': 'Crew',
  'form.choose-crew': 'Wähl eine Crew',
  'form.not-kept':
    'Deine Angaben sind zu lang, um sie bis zur Wahl der Crew zu behalten. Gib sie dann noch einmal ein.',
  'form.runs-in': 'Der Thread erscheint in {channel}.',
  'form.no-inputs': '*{crew}* braucht keine Angaben. Starte einfach.',
  'form.nothing-yet': 'Noch wurde nichts gestartet.',
  'form.still-missing': 'Noch nötig: {names}. Alles andere bleibt.',
  'form.missing': '{label} (fehlt)',
  'form.check': 'Prüfe {names}. Alles andere bleibt.',
  'form.long-name':
    'Eine Angabe dieser Crew hat einen Namen von {length, number} Zeichen („{name}“), ein Formular fasst {most, number}. Wer die Crew betreibt, muss ihn kürzen.',
  'form.too-many':
    'Diese Crew verlangt {count, number} Angaben, ein Formular in Slack fasst {most, number}. Starte sie mit `{kickoff}` und `name=wert` für jede Angabe oder im Control Panel der Crew.',
  'form.shared':
    'Dieser Channel ist mit einer anderen Organisation geteilt. Ihre Leute sehen, was dieser Lauf schreibt: Angaben, Entwürfe und Ergebnisse.',
  'form.maybe-shared':
    'Slack kann gerade nicht sagen, ob dieser Channel mit einer anderen Organisation geteilt ist. Wenn ja, sehen ihre Leute, was dieser Lauf schreibt: Angaben, Entwürfe und Ergebnisse.',
  'form.share-label': 'Geteilter Channel',
  'form.share': 'Trotzdem in diesem Channel starten',
  'input.unnamed': 'Angabe',
  'input.empty-option': '(leer)',
  'input.yes': 'Ja',
  'input.no': 'Nein',
  'input.json-hint': 'JSON, etwa {one} oder {other}.',
  'input.choices-hint': 'Eine von {count, number} Möglichkeiten, genau so geschrieben.',
  'input.if-empty': 'Bleibt es leer: {value}',
  'input.range': 'Von {min} bis {max}.',
  'input.at-least': 'Mindestens {min}.',
  'input.at-most': 'Höchstens {max}.',
  'input.too-long':
    'Der bisherige Wert hat {length, number} Zeichen; ein Feld fasst {most, number}. Nimm einen kürzeren.',
  'input.no-room':
    'Der bisherige Wert hat {length, number} Zeichen; dieses Formular ist zu voll für mehr als {most, number} je Feld. Gib ihn neu ein.',
  'input.not-offered': 'Diese Möglichkeit gibt es nicht mehr. Wähl noch einmal.',
  'input.not-a-number': 'Gib eine Zahl wie 12 oder {decimal} an.',
  'input.too-many-digits': 'Diese Zahl hat zu viele Stellen, um genau übertragen zu werden.',
  'input.too-small': '{value} ist zu klein: mindestens {min}.',
  'input.too-large': '{value} ist zu groß: höchstens {max}.',
  'input.not-yes-no': 'Gib Ja oder Nein an.',
  'input.not-a-choice': 'Wähl eines davon: {options}.',
  'input.not-a-date': 'Gib ein Datum wie 2026-12-31 an.',
  'input.not-json': 'Das ist kein gültiges JSON. Es sieht so aus: {examples}.',

  'shortcut.unknown':
    'Diese Version von Signoff kennt diesen Shortcut nicht. Wer Signoff betreibt, kann es aktualisieren.',
  'shortcut.feedback-title': 'Als Feedback verwenden',
  'shortcut.no-run':
    'Diese Nachricht steht nicht im Thread eines Laufs, der noch im Gang ist. Nimm den Shortcut in einem Thread, in dem eine Crew um Freigabe bittet.',
  'shortcut.nothing-open':
    '*{crew}* hat in diesem Thread nicht um Freigabe gebeten. Feedback ist deshalb noch nicht möglich.',
  'shortcut.no-text': 'Die Nachricht hat keinen Text. Schreib hier, was besser werden soll.',
  'shortcut.cut': 'Die Nachricht hat {count, number} Zeichen; hier stehen die ersten {most, number}.',
  'shortcut.newest':
    'In diesem Thread sind {count, number} Freigaben offen; hier geht es um die neueste, „{task}“. Für eine andere nimm *Ablehnen…* auf ihrer Karte.',

  'choice.channel': 'Channel',
  'choice.channel-hint': 'Dort erscheint der Thread des Laufs, und alle im Channel können ihm folgen.',
  'choice.choose-channel': 'Channel wählen',
  'choice.slow':
    '{crew} braucht lange, um zu nennen, was gebraucht wird. Klick in ein paar Sekunden noch einmal auf Weiter.',
  'choice.into': 'Wohin mit der Nachricht',
  'choice.message': 'Nachricht',
  'choice.message-hint': 'Im nächsten Schritt kannst du sie noch ändern.',
  'choice.message-goes': 'Sie kommt in „{input}“. Im nächsten Schritt kannst du sie noch ändern.',
  'choice.no-text-input':
    '*{crew}* hat keine Angabe, die Text nimmt, und lässt sich deshalb nicht mit einer Nachricht starten.',
  'choice.no-text-input-plain': '{crew} hat keine Angabe, die Text nimmt. Wähl eine andere Crew.',
  'choice.trouble.not-in-channel':
    'Signoff ist nicht in diesem Channel. Schreib dort /invite @{bot} und klick dann noch einmal auf Weiter.',
  'choice.trouble.archived': 'Dieser Channel ist archiviert. Wähl einen anderen.',
  'choice.trouble.direct-message': 'Signoff kann in dieser Unterhaltung keinem Lauf folgen. Wähl einen Channel.',
  'choice.trouble.read-only':
    'Signoff darf in diesem Channel nicht schreiben. Frag die Admins, oder wähl einen anderen.',
  'choice.trouble.no-access':
    'Signoff ist im Workspace dieses Channels nicht zugelassen. Bitte die Admins deiner Organisation, es dort hinzuzufügen, oder wähl einen anderen Channel.',
  'choice.trouble.not-member': 'Du bist nicht in diesem Channel. Tritt ihm erst bei, oder wähl einen anderen.',
  'choice.trouble.unsure':
    'Slack kann gerade nicht sagen, ob du in diesem Channel bist. Versuch es in einer Minute noch einmal.',
};
