import type { Translated } from './message-values.ts';

/** The thread of a run: its root message, replies and status. */
export const RUN_WORDS = {
  // The state of a run, in its root message and in lists.
  'run.starting': 'Starting',
  'run.running': 'Running',
  'run.waiting': 'Waiting',
  'run.waiting-for-approval': 'Waiting for approval',
  'run.decided': 'Decided, not sent yet',
  'run.undelivered': 'Decision not delivered',
  'run.decision-not-confirmed': 'Decision not confirmed',
  'run.expired': 'Nobody decided in time',
  'run.answered': 'Answered',
  'run.undecided': 'Nobody decided in time',
  'run.withdrawn': 'Closed without an answer',
  'run.declined': 'Declined',
  'run.declined-by': 'Declined by {name}',
  'run.declined-next':
    'Nothing more is asked in this run. Signoff can’t end a run, so it may go on waiting or working.',
  'run.declined-others':
    '{count, plural, one {# other request was} other {# other requests were}} closed without a decision.',
  'run.completed': 'Completed',
  'run.failed': 'Failed',
  'run.lost': 'Status unknown',
  'run.not-started': 'Not started',
  'run.not-confirmed': 'Start not confirmed',
  'run.not-tracked': 'No longer tracked',
  'run.started-by': 'Started by {name}',
  'run.started-outside': 'Started outside Slack',
  'run.started-by-workflow': 'Started by a workflow',
  'run.asked-by-program': 'Asked by {name}',
  'run.took': 'took {duration}',
  'run.so-far': '{duration} so far',
  'run.yes': 'yes',
  'run.no': 'no',
  'run.more-inputs': 'and {count, number} more',
  'run.tasks-done': '{count, plural, one {# task} other {# tasks}} done',
  'run.tasks-done-of': '{done, number} of {count, plural, one {# task} other {# tasks}} done',
  'run.result': 'Open the result',
  // The work of an agent, in the thread's status or in the root message. The status is read after the app's name.
  'step.uses-tool': '{agent} is using {tool}',
  'step.says': '{agent}: {said}',
  'step.works': '{agent} is working',
  'step.now': '{step}…',
  'step.status': 'reports: {step}',

  // The tasks of a run in its root message.
  'plan.title': 'Tasks',
  'plan.unnamed': 'Unnamed task',
  'plan.waiting': '{task}: waiting for {who}',
  'plan.undelivered': '{task}: the decision didn’t reach the crew',
  'plan.declined': '{task}: declined',
  'plan.undecided': '{task}: nobody decided in time',
  'run.approval-open': 'Approval needed.',
  'run.approval-open-for': 'Approval needed: {task}.',
  'run.posting-approval': 'The approval is being posted',
  'run.round': 'round {round, number}',

  // The list of `/kickoff status`.
  'status.nothing': 'Nothing is running or waiting here. Start a crew with `{kickoff}`.',
  'status.in-progress': '{count, plural, one {# run} other {# runs}} in progress',
  'status.awaiting': '{count, number} waiting for approval',
  'status.not-tracked': '{count, number} no longer tracked',
  'status.more': '{count, plural, one {# more run doesn’t} other {# more runs don’t}} fit here',
  'status.started': 'started {ago} ago',
  'status.started-by': 'started {ago} ago by {name}',
  'status.was-waiting': 'was waiting for approval',
  'status.was-waiting-for': 'was waiting for approval: {task}',
  'status.stopped-by': '{name} stopped tracking',
  'status.open-thread': 'Open the thread',

  // The replies of a run's thread about its tasks and its end, and what its agents did.
  'task.done': '*{task}* is done',
  'task.not-as-approved': 'This isn’t the text that was approved.',
  'task.open': '*{task}* is waiting for approval',
  'task.sent-back': '*{task}* is being revised',
  'task.done-title': 'Task done: {task}.',
  'task.sent-back-title': 'Rejected: {task}.',
  'task.unnamed': 'Task {id}',
  'reply.run-again': 'Run again',
  'ending.completed': '*{crew}* finished in {duration}.',
  'ending.completed-title': '{crew} finished in {duration}.',
  'ending.no-result': '_The crew gave no result._',
  'ending.result-gone': '_The result is no longer stored._',
  'ending.result-empty': '_The result is empty._',
  'ending.result-title': 'Result of {crew}',
  'ending.failed': '*{crew}* failed after {duration}.',
  'ending.failed-title': '{crew} failed after {duration}.',
  'ending.done': '*Finished.*',
  'ending.not-done': '*Failed.*',
  'ending.failed-saying': '*Failed:*',
  'ending.no-reason': 'It didn’t say why.',
  'ending.reason-unshown': 'Slack doesn’t accept what it said in a message.',
  'ending.what-now': 'Run it again, perhaps with other inputs. If it fails again, ask the person who runs the crew.',
  'activity.button': 'Activity',
  'activity.none': 'Nothing has been heard from the agents of *{crew}*. Not every crew tells what its agents do.',
  'activity.intro': 'What the agents of *{crew}* did last, newest first.',
  'activity.unnamed-agent': 'An agent',
  'activity.used': 'used {tool}',
  'file.too-long': 'The full text of round {round, number}, which is too long to be read in Slack.',
  'file.unshown': 'The full text of round {round, number}, which Slack can’t show.',
  'file.masked':
    '{count, plural, one {One secret is} other {# secrets are}} hidden in it, so its SHA-256 isn’t the one in its name.',
  'file.approved': 'The text that was approved in round {round, number}.',
  'follow-up.open-card':
    'The card above can no longer be updated: this workspace limits how long messages can be edited. Its buttons still work, and what becomes of it is told here.',
  'follow-up.card': 'The card above can no longer be updated: this workspace limits how long messages can be edited.',
  'follow-up.root':
    'The first message of this thread can no longer be updated: this workspace limits how long messages can be edited.',
  'text.proof': 'SHA-256, as in the ledger: `{hash}`',
  'text.kept-until': 'The text was stored until {at}. {proof}',
  'text.gone': 'The text is no longer stored. {proof}',

  // *Stop tracking…*, its window, and taking it back.
  'tracking.stop': 'Stop tracking…',
  'tracking.again': 'Track again',
  'tracking.confirm-title': 'Stop tracking?',
  'tracking.confirm':
    '*{crew}* keeps running. For everyone in the channel, open approvals close and the thread gets no more updates. A decision that is already made is still sent. You can track the run again while it is running.',
  'tracking.confirm-yes': 'Stop tracking',
  'tracking.confirm-no': 'Keep tracking',
  'tracking.stopped': '{name} stopped tracking for everyone ({when}). The crew may still be running.',
  'tracking.already-stopped': '{name} already stopped tracking this run ({when}).',
  'tracking.not-stopped': 'This run is being tracked already.',
  'tracking.ended': 'This run has ended, so there is nothing left to track.',
  'tracking.may-not-change':
    'Only {name}, who started this run, and those who can decide its approvals can change whether it is tracked.',
  'tracking.may-not-change-starter':
    'Only the person who started this run and those who can decide its approvals can change whether it is tracked.',
  'tracking.may-not-change-outside':
    'Only those who can decide the approvals of this run can change whether it is tracked.',

  // Problems that keep a run from going on or from being shown, and what to do about them.
  'problem.lost':
    'The crew’s service no longer knows this run. It may be waiting for a decision that Signoff never heard of: look in the crew’s own control panel. If the crew gets in touch again, this thread goes on.',
  'problem.lost-runs':
    '{count, plural, one {The database of Signoff lost a run that you started} other {The database of Signoff lost # runs that you started}}. The crew may still be waiting for a decision, and Signoff can’t send it one: decide in the crew’s control panel. The person who runs Signoff may be able to restore what is lost.',
  'problem.workflow-unsure':
    'Slack didn’t confirm that a workflow goes on. If it still waits for this run, cancel it in Slack and run it again.',
  'problem.workflow-refused':
    'Slack refused to let a workflow go on, so it waits in vain: cancel it in Slack. The person who runs Signoff finds the reason in the log.',
  'problem.expired':
    'Nobody decided the last approval in time, and the crew is still waiting. Answer it in the crew’s own control panel. If nobody needs the run any more, stop tracking it here.',
  'problem.unseen':
    'The crew says it is waiting for a person, but its request didn’t reach Signoff. Look in the crew’s own control panel; the person who runs the crew can check that its human-input webhook points here.',
  'problem.unauthorized':
    'The crew’s service no longer accepts Signoff’s access token, so updates may be missing here. The person who runs Signoff can renew it.',
  'problem.unreachable':
    'The crew can’t be reached right now. Signoff keeps trying, and this thread catches up by itself.',
  'problem.error':
    'The crew’s service answers with an error when Signoff asks how this run is going. Signoff keeps asking, and this thread catches up by itself.',
  'problem.unsent-unreachable': 'The crew can’t be reached right now. The decision is saved; Signoff keeps trying.',
  'problem.unsent-busy':
    'The crew’s service is starting or busy. The decision is saved; Signoff sends it as soon as the service takes it.',
  'problem.run-unknown':
    'The crew’s service answers that it doesn’t know this run, so the decision wasn’t delivered. Send it again from its card, or run the crew again.',
  'problem.hidden.not-in-channel':
    'An approval can’t be shown, because Signoff is no longer in this channel. Type `/invite @{bot}`; it appears within a few minutes.',
  'problem.hidden.archived': 'An approval can’t be shown, because this channel is archived.',
  'problem.hidden.no-access':
    'An approval can’t be shown, because Signoff is no longer allowed in this workspace. Ask an admin of your organisation to add it again.',
  'problem.hidden.may-not-post':
    'An approval can’t be shown, because Signoff may no longer post here. Ask this channel’s admins.',
  'problem.unreadable-request':
    '*{crew}* asks for approval in a format that Signoff can’t read, so it can’t be decided here.',
  'problem.unreadable-parts': 'What came has these parts: {parts}. Show this to the person who runs the crew.',
  'problem.unreadable-nothing': 'Nothing in it has a name. Show this to the person who runs the crew.',
  'problem.unanswerable-request':
    '*{crew}* waits for an answer that can’t be given here: Signoff may not send it to the address that the crew names. Answer in the crew’s control panel.',
  'problem.unanswerable-host':
    'The address is on {host}. To have such requests shown here, the person who runs Signoff can add that to `callback_hosts`.',
  'problem.unanswerable-nowhere': 'What the crew names is no https address. Show this to the person who runs the crew.',
  'problem.limit.open-requests':
    'The crew asks for more than {most} approvals at once. Further requests are refused until some of these are decided.',
  'problem.limit.rounds': 'A task has asked for approval more than {most} times. Its further requests are refused.',
  'problem.limit.requests':
    'The crew has asked for more than {most} approvals in this run. Further requests are refused.',
  'problem.limit.texts': 'The crew has sent more text than Signoff stores for one run. Further texts are refused.',
  'problem.quoted': '“{name}”',

  // Requests and decisions that wait while the crews file lacks their crew.
  'missing-crew.pending':
    '*{crew}* isn’t set up in Signoff at the moment, so nobody can decide this. Nothing is lost: the request keeps waiting, and the buttons are back once *{crew}* is set up again. The person who runs Signoff can do that.',
  'missing-crew.decided':
    '*{crew}* isn’t set up in Signoff at the moment. Nothing is lost: the decision is kept, and goes to the crew once it is set up again. The person who runs Signoff can do that.',
  'missing-crew.failed':
    '*{crew}* isn’t set up in Signoff at the moment. Once it is set up again, the decision can be sent again. The person who runs Signoff can do that.',
  'missing-crew.run':
    'This crew isn’t set up in Signoff at the moment. Nothing is lost: decisions are kept, and the run goes on here once the crew is set up again. The person who runs Signoff can do that.',
  'missing-crew.short': 'isn’t set up in Signoff at the moment',
  'missing-crew.refusal':
    '*{crew}* isn’t set up in Signoff at the moment, so nothing was changed. What was decided before is kept. Ask the person who runs Signoff to set it up again; then try again.',
} as const;

export const RUN_WORDS_DE: Translated<typeof RUN_WORDS> = {
  'run.starting': 'Startet',
  'run.running': 'Läuft',
  'run.waiting': 'Wartet',
  'run.waiting-for-approval': 'Wartet auf Freigabe',
  'run.decided': 'Entschieden, noch nicht gesendet',
  'run.undelivered': 'Entscheidung nicht angekommen',
  'run.decision-not-confirmed': 'Entscheidung nicht bestätigt',
  'run.expired': 'Nicht rechtzeitig entschieden',
  'run.answered': 'Beantwortet',
  'run.undecided': 'Niemand hat rechtzeitig entschieden',
  'run.withdrawn': 'Ohne Antwort geschlossen',
  'run.declined': 'Abgelehnt',
  'run.declined-by': 'Endgültig abgelehnt von {name}',
  'run.declined-next':
    'In diesem Lauf wird nichts mehr gefragt. Beenden kann Signoff einen Lauf nicht, vielleicht wartet oder arbeitet er also weiter.',
  'run.declined-others':
    '{count, plural, one {# weitere Anfrage wurde} other {# weitere Anfragen wurden}} ohne Entscheidung geschlossen.',
  'run.completed': 'Abgeschlossen',
  'run.failed': 'Fehlgeschlagen',
  'run.lost': 'Stand unbekannt',
  'run.not-started': 'Nicht gestartet',
  'run.not-confirmed': 'Start nicht bestätigt',
  'run.not-tracked': 'Nicht mehr verfolgt',
  'run.started-by': 'Gestartet von {name}',
  'run.started-outside': 'Außerhalb von Slack gestartet',
  'run.started-by-workflow': 'Von einem Workflow gestartet',
  'run.asked-by-program': 'Gefragt von {name}',
  'run.took': 'Dauer: {duration}',
  'run.so-far': 'bisher {duration}',
  'run.yes': 'ja',
  'run.no': 'nein',
  'run.more-inputs': 'und {count, number} weitere',
  'run.tasks-done': '{count, plural, one {# Aufgabe} other {# Aufgaben}} erledigt',
  'run.tasks-done-of': '{done, number} von {count, plural, one {# Aufgabe} other {# Aufgaben}} erledigt',
  'run.result': 'Ergebnis öffnen',
  'step.uses-tool': '{agent} benutzt {tool}',
  'step.says': '{agent}: {said}',
  'step.works': '{agent} arbeitet',
  'step.now': '{step} …',
  'step.status': 'meldet: {step}',
  'plan.title': 'Aufgaben',
  'plan.unnamed': 'Unbenannte Aufgabe',
  'plan.waiting': '{task}: wartet auf {who}',
  'plan.undelivered': '{task}: die Entscheidung hat die Crew nicht erreicht',
  'plan.declined': '{task}: endgültig abgelehnt',
  'plan.undecided': '{task}: nicht rechtzeitig entschieden',
  'run.approval-open': 'Freigabe nötig.',
  'run.approval-open-for': 'Freigabe nötig: {task}.',
  'run.posting-approval': 'Die Freigabe wird gerade gepostet',
  'run.round': 'Runde {round, number}',

  'status.nothing': 'Hier läuft und wartet nichts. Starte eine Crew mit `{kickoff}`.',
  'status.in-progress': '{count, plural, one {# Lauf} other {# Läufe}} im Gange',
  'status.awaiting': '{count, plural, one {# wartet} other {# warten}} auf Freigabe',
  'status.not-tracked': '{count, number} nicht mehr verfolgt',
  'status.more': '{count, plural, one {# weiterer Lauf passt} other {# weitere Läufe passen}} hier nicht hinein',
  'status.started': 'gestartet vor {ago}',
  'status.started-by': 'gestartet vor {ago} von {name}',
  'status.was-waiting': 'wartete auf Freigabe',
  'status.was-waiting-for': 'wartete auf Freigabe: {task}',
  'status.stopped-by': 'Verfolgen beendet von {name}',
  'status.open-thread': 'Thread öffnen',

  'task.done': '*{task}* ist erledigt',
  'task.not-as-approved': 'Das ist nicht der Text, der freigegeben wurde.',
  'task.open': '*{task}* wartet auf Freigabe',
  'task.sent-back': '*{task}* wird überarbeitet',
  'task.done-title': 'Aufgabe erledigt: {task}.',
  'task.sent-back-title': 'Abgelehnt: {task}.',
  'task.unnamed': 'Aufgabe {id}',
  'reply.run-again': 'Noch einmal starten',
  'ending.completed': '*{crew}* war nach {duration} fertig.',
  'ending.completed-title': '{crew} war nach {duration} fertig.',
  'ending.no-result': '_Die Crew hat kein Ergebnis geliefert._',
  'ending.result-gone': '_Das Ergebnis ist nicht mehr gespeichert._',
  'ending.result-empty': '_Das Ergebnis ist leer._',
  'ending.result-title': 'Ergebnis von {crew}',
  'ending.failed': '*{crew}* ist nach {duration} fehlgeschlagen.',
  'ending.failed-title': '{crew} ist nach {duration} fehlgeschlagen.',
  'ending.done': '*Fertig.*',
  'ending.not-done': '*Fehlgeschlagen.*',
  'ending.failed-saying': '*Fehlgeschlagen:*',
  'ending.no-reason': 'Warum, sagt die Crew nicht.',
  'ending.reason-unshown': 'Was die Crew dazu sagt, nimmt Slack in einer Nachricht nicht an.',
  'ending.what-now':
    'Starte noch einmal, vielleicht mit anderen Eingaben. Schlägt es wieder fehl, frag die Person, die die Crew betreibt.',
  'activity.button': 'Aktivität',
  'activity.none': 'Von den Agenten von *{crew}* ist nichts bekannt. Nicht jede Crew meldet, was ihre Agenten tun.',
  'activity.intro': 'Was die Agenten von *{crew}* zuletzt getan haben, Neuestes zuerst.',
  'activity.unnamed-agent': 'Ein Agent',
  'activity.used': 'hat {tool} benutzt',
  'file.too-long': 'Der ganze Text der Runde {round, number}, zu lang zum Lesen in Slack.',
  'file.unshown': 'Der ganze Text der Runde {round, number}, den Slack nicht zeigen kann.',
  'file.masked':
    'Darin {count, plural, one {ist ein Geheimnis} other {sind # Geheimnisse}} verborgen, daher hat die Datei eine andere SHA-256 als in ihrem Namen.',
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

  'tracking.stop': 'Nicht mehr verfolgen…',
  'tracking.again': 'Wieder verfolgen',
  'tracking.confirm-title': 'Nicht mehr verfolgen?',
  'tracking.confirm':
    '*{crew}* läuft weiter. Für alle im Channel schließen sich offene Freigaben, und der Thread wird nicht mehr aktualisiert. Was schon entschieden ist, wird noch gesendet. Solange der Lauf läuft, kannst du ihn wieder verfolgen.',
  'tracking.confirm-yes': 'Nicht mehr verfolgen',
  'tracking.confirm-no': 'Weiter verfolgen',
  'tracking.stopped': '{name} verfolgt den Lauf für alle nicht mehr ({when}). Die Crew läuft vielleicht weiter.',
  'tracking.already-stopped': '{name} hat das Verfolgen dieses Laufs schon beendet ({when}).',
  'tracking.not-stopped': 'Dieser Lauf wird schon verfolgt.',
  'tracking.ended': 'Dieser Lauf ist zu Ende, es gibt nichts mehr zu verfolgen.',
  'tracking.may-not-change':
    'Ob dieser Lauf verfolgt wird, können nur {name} (hat ihn gestartet) und alle ändern, die über seine Freigaben entscheiden können.',
  'tracking.may-not-change-starter':
    'Ob dieser Lauf verfolgt wird, kann nur ändern, wer ihn gestartet hat oder über seine Freigaben entscheiden kann.',
  'tracking.may-not-change-outside':
    'Ob dieser Lauf verfolgt wird, kann nur ändern, wer über seine Freigaben entscheiden kann.',

  'problem.lost':
    'Der Dienst der Crew kennt diesen Lauf nicht mehr. Vielleicht wartet er auf eine Entscheidung, von der Signoff nie erfahren hat: Sieh in der Oberfläche der Crew nach. Meldet sich die Crew wieder, geht es in diesem Thread weiter.',
  'problem.lost-runs':
    '{count, plural, one {Die Datenbank von Signoff hat einen Lauf verloren, den du gestartet hast} other {Die Datenbank von Signoff hat # Läufe verloren, die du gestartet hast}}. Die Crew wartet vielleicht noch auf eine Entscheidung, und Signoff kann ihr keine senden: Entscheide in der eigenen Oberfläche der Crew. Wer Signoff betreibt, kann das Verlorene vielleicht wiederherstellen.',
  'problem.workflow-unsure':
    'Slack hat nicht bestätigt, dass ein Workflow weiterläuft. Wartet er noch auf diesen Lauf, brich ihn in Slack ab und starte ihn neu.',
  'problem.workflow-refused':
    'Slack hat abgelehnt, dass ein Workflow weiterläuft; er wartet vergeblich: Brich ihn in Slack ab. Wer Signoff betreibt, findet den Grund im Log.',
  'problem.expired':
    'Über die letzte Freigabe hat niemand rechtzeitig entschieden, und die Crew wartet noch. Antworte in der Oberfläche der Crew. Braucht niemand den Lauf mehr, verfolge ihn hier nicht weiter.',
  'problem.unseen':
    'Die Crew wartet nach eigener Auskunft auf einen Menschen, aber ihre Anfrage hat Signoff nicht erreicht. Sieh in der Oberfläche der Crew nach; wer die Crew betreibt, kann prüfen, ob ihr Human-Input-Webhook hierher zeigt.',
  'problem.unauthorized':
    'Der Dienst der Crew akzeptiert Signoffs Zugangstoken nicht mehr, deshalb fehlt hier vielleicht etwas. Wer Signoff betreibt, kann es erneuern.',
  'problem.unreachable':
    'Die Crew ist gerade nicht erreichbar. Signoff versucht es weiter, und dieser Thread holt alles nach.',
  'problem.error':
    'Der Dienst der Crew antwortet mit einem Fehler, wenn Signoff nach dem Stand dieses Laufs fragt. Signoff fragt weiter, und dieser Thread holt alles nach.',
  'problem.unsent-busy':
    'Der Dienst der Crew startet gerade oder ist ausgelastet. Die Entscheidung ist gespeichert; Signoff sendet sie, sobald er sie annimmt.',
  'problem.run-unknown':
    'Der Dienst der Crew antwortet, dass er diesen Lauf nicht kennt; die Entscheidung ist nicht angekommen. Sende sie auf ihrer Karte noch einmal, oder starte die Crew noch einmal.',
  'problem.unsent-unreachable':
    'Die Crew ist gerade nicht erreichbar. Die Entscheidung ist gespeichert; Signoff versucht es weiter.',
  'problem.hidden.not-in-channel':
    'Eine Freigabe lässt sich nicht zeigen, weil Signoff nicht mehr in diesem Channel ist. Gib `/invite @{bot}` ein; sie erscheint dann in ein paar Minuten.',
  'problem.hidden.archived': 'Eine Freigabe lässt sich nicht zeigen, weil dieser Channel archiviert ist.',
  'problem.hidden.no-access':
    'Eine Freigabe lässt sich nicht zeigen, weil Signoff in diesem Workspace nicht mehr zugelassen ist. Bitte die Admins deiner Organisation, es wieder hinzuzufügen.',
  'problem.hidden.may-not-post':
    'Eine Freigabe lässt sich nicht zeigen, weil Signoff hier nicht mehr posten darf. Frag die Admins des Channels.',
  'problem.unreadable-request':
    '*{crew}* bittet um eine Freigabe in einem Format, das Signoff nicht lesen kann. Deshalb lässt sich hier nicht entscheiden.',
  'problem.unreadable-parts': 'Angekommen sind diese Teile: {parts}. Zeig das der Person, die die Crew betreibt.',
  'problem.unreadable-nothing': 'Nichts darin hat einen Namen. Zeig das der Person, die die Crew betreibt.',
  'problem.unanswerable-request':
    '*{crew}* wartet auf eine Antwort, die sich hier nicht geben lässt: An die Adresse, die die Crew nennt, darf Signoff nichts senden. Antworte in der Oberfläche der Crew.',
  'problem.unanswerable-host':
    'Die Adresse liegt auf {host}. Damit solche Anfragen hier erscheinen, kann die Person, die Signoff betreibt, das in `callback_hosts` eintragen.',
  'problem.unanswerable-nowhere':
    'Was die Crew nennt, ist keine https-Adresse. Zeig das der Person, die die Crew betreibt.',
  'problem.limit.open-requests':
    'Die Crew bittet um mehr als {most} Freigaben zugleich. Weitere Anfragen werden abgewiesen, bis über einige entschieden ist.',
  'problem.limit.rounds':
    'Eine Aufgabe hat mehr als {most} Mal um Freigabe gebeten. Ihre weiteren Anfragen werden abgewiesen.',
  'problem.limit.requests':
    'Die Crew hat in diesem Lauf um mehr als {most} Freigaben gebeten. Weitere Anfragen werden abgewiesen.',
  'problem.limit.texts':
    'Die Crew hat mehr Text geschickt, als Signoff für einen Lauf speichert. Was darüber hinausgeht, wird abgewiesen.',
  'problem.quoted': '„{name}“',

  'missing-crew.pending':
    '*{crew}* ist in Signoff gerade nicht eingerichtet, deshalb kann das niemand entscheiden. Nichts geht verloren: Die Anfrage wartet weiter, und die Buttons sind wieder da, sobald *{crew}* wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.decided':
    '*{crew}* ist in Signoff gerade nicht eingerichtet. Nichts geht verloren: Die Entscheidung bleibt gespeichert und geht an die Crew, sobald sie wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.failed':
    '*{crew}* ist in Signoff gerade nicht eingerichtet. Sobald sie es wieder ist, lässt sich die Entscheidung noch einmal senden. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.run':
    'Diese Crew ist in Signoff gerade nicht eingerichtet. Nichts geht verloren: Entscheidungen bleiben gespeichert, und der Lauf geht hier weiter, sobald die Crew wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.short': 'ist in Signoff gerade nicht eingerichtet',
  'missing-crew.refusal':
    '*{crew}* ist in Signoff gerade nicht eingerichtet, deshalb hat sich nichts geändert. Was schon entschieden ist, bleibt gespeichert. Bitte die Person, die Signoff betreibt, die Crew wieder einzurichten; versuch es danach noch einmal.',
};
