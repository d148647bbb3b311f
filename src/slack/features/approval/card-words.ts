import type { Translated } from '../../language/message-values.ts';

/** What cards and reminders say. */
export const CARD_WORDS = {
  // The card of an approval.
  'card.needed': 'Approval needed: {task} · {crew}',
  'card.needed-unnamed': 'Approval needed · {crew}',
  'card.round': 'Round {round, number}',
  'card.since': 'waiting since',
  'card.names': '{task} · {crew} · round {round, number}',
  'card.names-unnamed': '{crew} · round {round, number}',
  'card.unnamed-task': 'this result',
  'card.no-text': 'The text is no longer stored.',
  'card.empty-text': 'The crew sent an empty text.',
  'card.showing': 'Showing {share, number, percent}',
  'card.showing-without': 'Showing {share, number, percent}, without {headings}',
  'card.showing-feedback': 'Part of the feedback is left out',
  'card.asked-for': '{name} rejected round {round, number}',
  'card.asked-for-by-nobody': 'Round {round, number} was rejected, as nobody decided in time',
  'card.repeats':
    'This is the same text as in round {round, number}, perhaps a repeated notice. Make sure that the crew really asks again.',

  'card.can-decide': '{who} can decide',
  'card.anyone': 'Anyone in the workspace can decide',
  'card.anyone-in-channel': 'Anyone in this channel can decide',
  'card.needs': 'Needs {quorum, number} of {who}',
  'card.needs-anyone': 'Needs {quorum, number} people',
  'card.needs-channel': 'Needs {quorum, number} people of this channel',
  'card.also-notified': 'cc {mentions}',
  'card.not-starter': 'not {name}, who started the run',
  'card.unnamed-rules': 'this may change once the crew names the task',
  'card.not-elsewhere': 'not {who}, who may have started it',
  'card.no-starter': 'started outside Slack, so whoever started it can decide it, too',
  'card.no-votes': 'none yet',
  'card.votes': '{count, number} approved: {names}',
  'card.votes-of': '{count, number} of {quorum, number} approved: {names}',
  'card.with-note': '{name} (with a note)',
  'card.for': '{name} (for {other})',
  'card.for-with-note': '{name} (for {other}, with a note)',
  'card.escalated': 'Escalated · {when}',
  'card.escalated-to': 'Escalated to {who} · {when}',
  'card.handed-over': 'Can decide, too: {list}',
  'card.handed-over-to': '{to} (added by {by})',
  'card.stands-in': '{by} is away until {date}; {to} can decide, too',

  'card.approve': 'Approve',
  'card.approve-asking': 'Approve…',
  'card.approve-with-note': 'Approve with note…',
  'card.reject': 'Reject…',
  'card.edit': 'Edit…',
  'card.who': 'Who can decide?',
  'card.hand-over': 'Add an approver…',
  'card.withdraw': 'Withdraw my vote',
  'card.undo': 'Undo',
  'card.repeats-title': 'The same text again',
  'card.repeats-question':
    'This is the same text as in round {round, number}, perhaps a repeated notice of it. If the crew isn’t waiting, your decision may count for something that nobody has read yet.',
  'card.approve-anyway': 'Approve anyway',
  'card.reject-anyway': 'Reject anyway',
  'card.go-back': 'Go back',

  'card.approved': '{names} approved {task}',
  'card.rejected': '{name} rejected {task}',
  'card.rejected-after': '{name} rejected {task} after {names} had approved',
  'card.rejected-by-nobody': '{task} was rejected, as nobody decided in time',
  'card.closed-for-good': '{name} declined {task} for good',
  'card.closed-for-good-after': '{name} declined {task} for good after {names} had approved',
  'card.closed': 'Approval closed: {task}',
  'card.not-delivered': 'not delivered',
  'card.not-confirmed': 'not confirmed',
  'card.sending': 'Sending to the crew…',
  'card.sent': 'Sent to the crew.',
  'card.undoable': 'Goes to the crew at {time}; until then it can be undone.',
  'card.undoable-untold': 'Takes effect at {time}; until then it can be undone.',
  'card.told-for-good': 'The crew was told, and nothing more is asked in this run.',
  'card.untold-open':
    'Nothing more is asked in this run, and the crew wasn’t told. Signoff can’t end a run, so it may go on waiting.',
  'card.untold-over': 'Nothing more was asked in this run, and the crew wasn’t told.',
  'card.end-at': 'End it at {host}',
  'card.declined': 'The run was declined for good before anybody decided this.',
  'card.expired':
    'Nobody decided in time, and the crew was not told. It may still wait: answer it in its own control panel.',
  'card.newer-round': 'The crew asked again before anybody decided. Decide on the newer request.',
  'card.newer-round-before': 'The crew asked again before {name}’s decision reached it. Decide on the newer request.',
  'card.ended': 'The run ended before anybody decided.',
  'card.ended-before': 'The run ended before {name}’s decision reached the crew.',
  'card.unfollowed':
    'Tracking of the run was stopped before anybody decided. It may still wait for an answer in its own control panel.',
  'card.unfollowed-before':
    'Tracking of the run was stopped before {name}’s decision reached the crew. It may still wait for an answer in its own control panel.',

  // How a decision gets to the crew.
  'sending.unreachable': 'The crew can’t be reached right now. The decision is saved; we’ll keep trying.',
  'sending.unconfirmed':
    'The crew didn’t confirm this decision, so it may not have arrived. If the run continues, all is well; otherwise, send it again.',
  'sending.unauthorized':
    'The crew refused this decision: it doesn’t accept Signoff’s access token. Whoever runs Signoff needs to renew it; then send the decision again.',
  'sending.user-token-refused':
    'The crew refused this decision: it doesn’t accept {by}’s own token. They can connect a new one with {command}; then send the decision again.',
  'sending.no-user-token':
    'The crew refused this decision: it needs {by}’s own token, and none is connected. They can connect one with {command}; then send the decision again.',
  'sending.not-found': 'The crew refused this decision: it no longer has this run.',
  'sending.quota':
    'The crew refused this decision: its run limit is used up for now. Send the decision again once the limit is renewed or raised.',
  'sending.gave-up': 'The crew can’t be reached. The decision is saved; send it again in a few minutes.',
  'sending.refused': 'The crew refused this decision. Send it again, or ask whoever runs the crew.',
  'sending.crew-said': 'The crew’s answer: {said}',
  'sending.crew-said-with-status': 'The crew’s answer (HTTP {status}): {said}',
  'sending.crew-said-nothing': 'nothing',
  'send-again.title': 'Send the decision again?',
  'send-again.refused': 'The crew refused it last time. Fix the cause, then send it again.',
  'send-again.unconfirmed':
    'Nobody knows whether the crew got it. If it did, sending it again may decide the crew’s next question before anybody has read it. Check the crew’s control panel first if you can.',
  'send-again.yes': 'Send again',
  'send-again.no': 'Not now',

  // Replies that mention people who can decide, and direct messages to them.
  'card.untold':
    '{count, plural, one {# more person who can decide isn’t in this channel, and wasn’t told} other {# more people who can decide aren’t in this channel, and weren’t told}}.',
  'alert.task': '“{task}”',
  'alert.unnamed-task': 'A result',
  'alert.unnamed-person': 'A member',
  'alert.since': 'since',
  'alert.waiting': '{what} has been waiting for approval {since}.',
  'alert.reminder-to-nobody': '{waiting} Who can decide: {whoCan}.',
  'alert.escalation': '{waiting} From now on, you can decide, too.',
  'alert.escalation-to-nobody': '{waiting} Who can decide from now on, too: {whoCan}.',
  'alert.ask': '{waiting} {name} asks you to decide.',
  'alert.ask-nobody': '{waiting} {name} asks for a decision. Who can decide: {whoCan}.',
  'alert.named':
    '{waiting} The crew has only now named the task, so the rules for that task apply from here on, to earlier approvals, too.',
  'alert.reopened':
    '{waiting} The crew has only now named the task, and the rules for that task don’t allow the decision that was made. It hasn’t been sent: please decide again.',
  'alert.open': 'Open the approval',
  // Why a person gets a card directly.
  'direct.handed-over': '{name} added you as an approver',
  'direct.stands-in': '{name} is away, and you stand in',
  'direct.escalated': 'Nobody has decided yet, so now you can, too',
  'direct.policy': 'You’re one of those who can decide',
  'direct.setting': 'You can decide, and asked to be told immediately',
  'direct.outside': 'You can decide, but aren’t in {channel}',
  'direct.outside-private': 'You can decide, but aren’t in its channel, which is private',
} as const;

export const CARD_WORDS_DE: Translated<typeof CARD_WORDS> = {
  'card.needed': 'Freigabe nötig: {task} · {crew}',
  'card.needed-unnamed': 'Freigabe nötig · {crew}',
  'card.round': 'Runde {round, number}',
  'card.since': 'wartet seit',
  'card.names': '{task} · {crew} · Runde {round, number}',
  'card.names-unnamed': '{crew} · Runde {round, number}',
  'card.unnamed-task': 'dieses Ergebnis',
  'card.no-text': 'Der Text ist nicht mehr gespeichert.',
  'card.empty-text': 'Die Crew hat einen leeren Text geschickt.',
  'card.showing': '{share, number, percent} gezeigt',
  'card.showing-without': '{share, number, percent} gezeigt, ohne {headings}',
  'card.showing-feedback': 'Ein Teil des Feedbacks fehlt hier',
  'card.asked-for': '{name} hat Runde {round, number} abgelehnt',
  'card.asked-for-by-nobody': 'Runde {round, number} wurde abgelehnt, da niemand rechtzeitig entschieden hat',
  'card.repeats':
    'Das ist derselbe Text wie in Runde {round, number}, vielleicht eine wiederholte Meldung. Prüf, ob die Crew wirklich noch einmal fragt.',

  'card.can-decide': 'Entscheiden können: {who}',
  'card.anyone': 'Alle im Workspace können entscheiden',
  'card.anyone-in-channel': 'Alle in diesem Channel können entscheiden',
  'card.needs': '{quorum, number} nötig von: {who}',
  'card.needs-anyone': '{quorum, number} Personen nötig',
  'card.needs-channel': '{quorum, number} Personen dieses Channels nötig',
  'card.also-notified': 'zur Info {mentions}',
  'card.not-starter': 'nicht {name}, von dort kam der Start',
  'card.unnamed-rules': 'das kann sich ändern, sobald die Crew die Aufgabe benennt',
  'card.not-elsewhere': 'nicht {who}, von dort kann der Start kommen',
  'card.no-starter': 'außerhalb von Slack gestartet: Entscheiden kann auch, wer den Lauf gestartet hat',
  'card.no-votes': 'bisher niemand',
  'card.votes': '{count, number} freigegeben: {names}',
  'card.votes-of': '{count, number} von {quorum, number} freigegeben: {names}',
  'card.with-note': '{name} (mit Notiz)',
  'card.for': '{name} (für {other})',
  'card.for-with-note': '{name} (für {other}, mit Notiz)',
  'card.escalated': 'Eskaliert · {when}',
  'card.escalated-to': 'Eskaliert an {who} · {when}',
  'card.handed-over': 'Auch entscheiden können: {list}',
  'card.handed-over-to': '{to} (hinzugefügt von {by})',
  'card.stands-in': '{by} ist bis {date} abwesend; {to} kann auch entscheiden',

  'card.approve': 'Freigeben',
  'card.approve-asking': 'Freigeben…',
  'card.approve-with-note': 'Mit Notiz freigeben…',
  'card.reject': 'Ablehnen…',
  'card.edit': 'Bearbeiten…',
  'card.who': 'Wer kann entscheiden?',
  'card.hand-over': 'Weitere Person hinzufügen…',
  'card.withdraw': 'Stimme zurückziehen',
  'card.undo': 'Rückgängig',
  'card.repeats-title': 'Noch einmal derselbe Text',
  'card.repeats-question':
    'Das ist derselbe Text wie in Runde {round, number}, vielleicht eine wiederholte Meldung. Wartet die Crew nicht, gilt deine Entscheidung womöglich für etwas, das noch niemand gelesen hat.',
  'card.approve-anyway': 'Trotzdem freigeben',
  'card.reject-anyway': 'Trotzdem ablehnen',
  'card.go-back': 'Zurück',

  'card.approved': '{task} freigegeben: {names}',
  'card.rejected': '{name} hat {task} abgelehnt',
  'card.rejected-after': '{name} hat {task} abgelehnt (freigegeben hatten: {names})',
  'card.rejected-by-nobody': '{task} wurde abgelehnt, da niemand rechtzeitig entschieden hat',
  'card.closed-for-good': '{name} hat {task} endgültig abgelehnt',
  'card.closed-for-good-after': '{name} hat {task} endgültig abgelehnt (freigegeben hatten: {names})',
  'card.closed': 'Freigabe geschlossen: {task}',
  'card.not-delivered': 'nicht angekommen',
  'card.not-confirmed': 'nicht bestätigt',
  'card.sending': 'Geht an die Crew…',
  'card.sent': 'An die Crew gesendet.',
  'card.undoable': 'Geht um {time} an die Crew; bis dahin lässt es sich rückgängig machen.',
  'card.undoable-untold': 'Gilt ab {time}; bis dahin lässt es sich rückgängig machen.',
  'card.told-for-good': 'Die Crew weiß Bescheid, und in diesem Lauf wird nichts mehr gefragt.',
  'card.untold-open':
    'In diesem Lauf wird nichts mehr gefragt, und die Crew hat nichts erfahren. Beenden kann Signoff einen Lauf nicht, vielleicht wartet er also weiter.',
  'card.untold-over': 'In diesem Lauf wurde nichts mehr gefragt, und die Crew hat nichts erfahren.',
  'card.end-at': 'Auf {host} beenden',
  'card.declined': 'Der Lauf wurde endgültig abgelehnt, bevor hier jemand entschieden hat.',
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

  'sending.unreachable':
    'Die Crew ist gerade nicht erreichbar. Die Entscheidung ist gespeichert; wir versuchen es weiter.',
  'sending.unconfirmed':
    'Die Crew hat diese Entscheidung nicht bestätigt, vielleicht ist sie nicht angekommen. Geht der Lauf weiter, ist alles gut; sonst sende sie noch einmal.',
  'sending.unauthorized':
    'Die Crew hat diese Entscheidung abgelehnt: Sie akzeptiert das Zugangstoken von Signoff nicht. Wer Signoff betreibt, muss es erneuern; sende die Entscheidung danach noch einmal.',
  'sending.user-token-refused':
    'Die Crew hat diese Entscheidung abgelehnt: Sie akzeptiert das eigene Token von {by} nicht. Mit {command} lässt sich ein neues verbinden; sende die Entscheidung danach noch einmal.',
  'sending.no-user-token':
    'Die Crew hat diese Entscheidung abgelehnt: Sie braucht das eigene Token von {by}, und es ist keins verbunden. Mit {command} lässt sich eins verbinden; sende die Entscheidung danach noch einmal.',
  'sending.not-found': 'Die Crew hat diese Entscheidung abgelehnt: Sie hat diesen Lauf nicht mehr.',
  'sending.quota':
    'Die Crew hat diese Entscheidung abgelehnt: Ihr Limit an Läufen ist vorerst aufgebraucht. Sende die Entscheidung noch einmal, sobald das Limit erneuert oder erhöht ist.',
  'sending.gave-up':
    'Die Crew ist nicht erreichbar. Die Entscheidung ist gespeichert; sende sie in ein paar Minuten noch einmal.',
  'sending.refused':
    'Die Crew hat diese Entscheidung abgelehnt. Sende sie noch einmal, oder frag, wer die Crew betreibt.',
  'sending.crew-said': 'Antwort der Crew: {said}',
  'sending.crew-said-with-status': 'Antwort der Crew (HTTP {status}): {said}',
  'sending.crew-said-nothing': 'nichts',
  'send-again.title': 'Entscheidung noch einmal senden?',
  'send-again.refused': 'Die Crew hat sie zuletzt abgelehnt. Behebe die Ursache und sende sie dann noch einmal.',
  'send-again.unconfirmed':
    'Niemand weiß, ob die Crew sie bekommen hat. Falls ja, entscheidet ein zweites Senden womöglich die nächste Frage der Crew, bevor sie jemand gelesen hat. Sieh wenn möglich zuerst im Control Panel der Crew nach.',
  'send-again.yes': 'Noch einmal senden',
  'send-again.no': 'Jetzt nicht',

  'card.untold':
    '{count, plural, one {# weitere Person, die entscheiden kann, ist nicht in diesem Channel und weiß nichts davon} other {# weitere Personen, die entscheiden können, sind nicht in diesem Channel und wissen nichts davon}}.',
  'alert.task': '„{task}“',
  'alert.unnamed-task': 'Ein Ergebnis',
  'alert.unnamed-person': 'Ein Mitglied',
  'alert.since': 'seit',
  'alert.waiting': '{what} wartet {since} auf eine Freigabe.',
  'alert.reminder-to-nobody': '{waiting} Entscheiden können: {whoCan}.',
  'alert.escalation': '{waiting} Ab jetzt kannst auch du entscheiden.',
  'alert.escalation-to-nobody': '{waiting} Ab jetzt können auch entscheiden: {whoCan}.',
  'alert.ask': '{waiting} {name} bittet dich um eine Entscheidung.',
  'alert.ask-nobody': '{waiting} {name} bittet um eine Entscheidung. Entscheiden können: {whoCan}.',
  'alert.named':
    '{waiting} Die Crew hat die Aufgabe erst jetzt benannt. Deshalb gelten nun die Regeln für diese Aufgabe, auch für bisherige Freigaben.',
  'alert.reopened':
    '{waiting} Die Crew hat die Aufgabe erst jetzt benannt, und nach den Regeln für diese Aufgabe gilt die bisherige Entscheidung nicht. Sie ist noch nicht gesendet: Bitte entscheidet noch einmal.',
  'alert.open': 'Freigabe öffnen',
  'direct.handed-over': '{name} hat dich zum Entscheiden hinzugefügt',
  'direct.stands-in': '{name} ist abwesend, und du vertrittst',
  'direct.escalated': 'Noch hat niemand entschieden, deshalb kannst du es jetzt auch',
  'direct.policy': 'Du kannst hier entscheiden',
  'direct.setting': 'Du kannst entscheiden und willst sofort davon wissen',
  'direct.outside': 'Du kannst entscheiden und bist nicht in {channel}',
  'direct.outside-private': 'Du kannst entscheiden und bist nicht im Channel, der privat ist',
};
