import type { Translated } from './message-values.ts';

/** The Home tab. */
export const HOME_WORDS = {
  'home.count':
    '{count, plural, =0 {Nothing is waiting for you} one {# request is waiting for you} other {# requests are waiting for you}}',
  'home.others-count': '{count, plural, one {# is waiting for others} other {# are waiting for others}}',
  'home.runs-count': '{count, plural, one {# of your runs in progress} other {# of your runs in progress}}',
  'home.settings': 'Settings…',
  'home.search': 'Search…',

  'home.all-crews': 'All crews',
  'home.all-channels': 'All channels',
  'home.clear': 'Show everything',
  'home.searched': 'Results for “{words}”',

  'home.others': 'Waiting for others',
  'home.runs': 'Your runs',
  'home.decided': 'Recently decided',
  'home.nothing-waits': 'Requests that you can decide appear here until they’re decided.',
  'home.none-found': 'No matches ({count, number} hidden)',
  'home.unsure':
    '{count, plural, one {Slack can’t say right now whether you can decide # more request.} other {Slack can’t say right now whether you can decide # more requests.}}',

  'home.waits': 'waiting {duration}',
  'home.expires': 'expires in {duration}',
  'home.expires-at-once': 'expires in less than 1 min',
  'home.approvals': '{count, number} of {quorum, number} approvals',
  'home.stage': 'stage {number, number} of {count, number}, *{stage}*',
  'home.escalated': 'escalated',
  'home.by': 'by {name}',
  'home.added-by': 'added by {name}',
  'home.stands-in': 'for {name}, who is away',
  'home.repeats': 'same text as in round {round, number}',
  'home.you-approved-already': 'you have approved it',
  'home.you-approved-before': 'you have approved a stage before',
  'home.approve': 'Approve {request}',
  'home.reject': 'Reject {request}',
  'home.review': 'Review {request}',
  'home.none-selected': 'Select requests below to approve several at once.',
  'home.approve-selected': 'Approve {count, number} selected…',
  'home.select-page': 'Select all on this page',
  'home.clear-selection': 'Clear selection',
  'home.selected': '*{count, number} selected:* {requests}',
  'home.task-of': '{task} of {crew}',
  'home.selected-elsewhere': '{count, number} of them not shown here',
  'home.selected-most': 'that’s the most at once',
  'home.dropped':
    '{count, plural, one {# selected request was decided meanwhile, or its text has changed.} other {# selected requests were decided meanwhile, or their texts have changed.}}',
  'home.open-thread': 'Thread',

  'home.you-approved': '✅ You approved {title}',
  'home.continues': '*{crew}* continues.',
  'home.counts': '{count, number} of {quorum, number} approvals.',
  'home.stage-complete': '*{stage}* is complete; *{next}* is next.',
  'home.reopened': 'Waiting for a decision again: {title}',

  'home.outcome-approve': 'Approved by {names} after {duration}',
  'home.answered': 'Answered by {names} after {duration}',
  'home.chosen': '{names} chose “{outcome}” after {duration}',
  'home.outcome-reject': 'Rejected by {names} after {duration}',
  'home.rejected-by-nobody': 'Rejected: no decision within {duration}',
  'home.outcome-decline': 'Declined by {names} after {duration}',
  'home.outcome-closed': 'No decision within {duration}',

  'home.search-title': 'Search your Home',
  'home.search-label': 'Words',
  'home.search-hint':
    'Finds what has all of these words in its task, crew, channel or inputs, or in the name of the person who started it.',
  'home.search-submit': 'Search',

  'home.elsewhere':
    'This Signoff belongs to another workspace, so there is nothing to show here. Ask the people who work there.',
  'home.who-are-you': 'Slack can’t tell right now who you are. Open this tab again in a minute.',
  'home.no-store': 'Signoff can’t reach its database right now. What’s waiting for you appears here as soon as it can.',
} as const;

export const HOME_WORDS_DE: Translated<typeof HOME_WORDS> = {
  'home.count':
    '{count, plural, =0 {Nichts wartet auf dich} one {# Anfrage wartet auf dich} other {# Anfragen warten auf dich}}',
  'home.others-count': '{count, plural, one {# wartet auf andere} other {# warten auf andere}}',
  'home.runs-count': '{count, plural, one {# Lauf von dir im Gange} other {# Läufe von dir im Gange}}',
  'home.settings': 'Einstellungen…',
  'home.search': 'Suchen…',

  'home.all-crews': 'Alle Crews',
  'home.all-channels': 'Alle Channels',
  'home.clear': 'Alles zeigen',
  'home.searched': 'Ergebnisse für „{words}“',

  'home.others': 'Wartet auf andere',
  'home.runs': 'Deine Läufe',
  'home.decided': 'Kürzlich entschieden',
  'home.nothing-waits': 'Was eine Crew fragt und du entscheiden kannst, steht hier, bis es entschieden ist.',
  'home.none-found': 'Keine Treffer ({count, number} ausgeblendet)',
  'home.unsure':
    '{count, plural, one {Slack kann gerade nicht sagen, ob du # weitere Anfrage entscheiden kannst.} other {Slack kann gerade nicht sagen, ob du # weitere Anfragen entscheiden kannst.}}',

  'home.waits': 'wartet seit {duration}',
  'home.expires': 'läuft in {duration} ab',
  'home.expires-at-once': 'läuft in weniger als 1 Min. ab',
  'home.approvals': '{count, number} von {quorum, number} Freigaben',
  'home.stage': 'Stufe {number, number} von {count, number}, *{stage}*',
  'home.escalated': 'eskaliert',
  'home.by': 'von {name}',
  'home.added-by': 'hinzugefügt von {name}',
  'home.stands-in': 'für {name} (abwesend)',
  'home.repeats': 'derselbe Text wie in Runde {round, number}',
  'home.you-approved-already': 'du hast es freigegeben',
  'home.you-approved-before': 'du hast eine Stufe davor freigegeben',
  'home.approve': 'Freigeben: {request}',
  'home.reject': 'Ablehnen: {request}',
  'home.review': 'Prüfen: {request}',
  'home.none-selected': 'Wähle unten aus, was du zusammen freigeben willst.',
  'home.approve-selected': '{count, number} Ausgewählte freigeben…',
  'home.select-page': 'Alle auf dieser Seite auswählen',
  'home.clear-selection': 'Auswahl aufheben',
  'home.selected': '*{count, number} ausgewählt:* {requests}',
  'home.task-of': '{task} von {crew}',
  'home.selected-elsewhere': '{count, number} davon nicht hier zu sehen',
  'home.selected-most': 'mehr geht nicht auf einmal',
  'home.dropped':
    '{count, plural, one {# ausgewählte Anfrage ist inzwischen entschieden oder hat einen anderen Text.} other {# ausgewählte Anfragen sind inzwischen entschieden oder haben einen anderen Text.}}',
  'home.open-thread': 'Thread',

  'home.you-approved': '✅ Von dir freigegeben: {title}',
  'home.continues': '*{crew}* macht weiter.',
  'home.counts': '{count, number} von {quorum, number} Freigaben.',
  'home.stage-complete': '*{stage}* ist abgeschlossen, als Nächstes kommt *{next}*.',
  'home.reopened': 'Wartet wieder auf eine Entscheidung: {title}',

  'home.outcome-approve': 'Freigegeben von {names} nach {duration}',
  'home.answered': 'Beantwortet von {names} nach {duration}',
  'home.chosen': '{names}: „{outcome}“ nach {duration}',
  'home.outcome-reject': 'Abgelehnt von {names} nach {duration}',
  'home.rejected-by-nobody': 'Abgelehnt: keine Entscheidung innerhalb von {duration}',
  'home.outcome-decline': 'Endgültig abgelehnt von {names} nach {duration}',
  'home.outcome-closed': 'Keine Entscheidung innerhalb von {duration}',

  'home.search-title': 'Home durchsuchen',
  'home.search-label': 'Wörter',
  'home.search-hint':
    'Findet, was alle diese Wörter hat: im Namen der Aufgabe, der Crew, der Person, die den Lauf gestartet hat, oder des Channels, oder in den Eingaben.',
  'home.search-submit': 'Suchen',

  'home.elsewhere':
    'Dieses Signoff gehört zu einem anderen Workspace, daher gibt es hier nichts zu zeigen. Frag die Leute, die dort arbeiten.',
  'home.who-are-you': 'Slack kann gerade nicht sagen, wer du bist. Öffne diesen Tab in einer Minute noch einmal.',
  'home.no-store':
    'Signoff erreicht seine Datenbank gerade nicht. Was auf dich wartet, steht hier, sobald sie wieder erreichbar ist.',
};
