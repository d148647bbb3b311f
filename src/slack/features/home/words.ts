import type { Translated } from '../../language/message-values.ts';

/** App Home and the daily digest. */
export const HOME_WORDS = {
  // The Home tab.
  'home.count':
    '{count, plural, =0 {Nothing waits for you} one {# request waits for you} other {# requests wait for you}}',
  'home.others-count': '{count, plural, one {# waits for others} other {# wait for others}}',
  'home.runs-count': '{count, plural, one {# run of yours in progress} other {# runs of yours in progress}}',
  'home.start': 'Start a crew',
  'home.settings': 'Settings…',
  'home.search': 'Search…',

  'home.all-crews': 'All crews',
  'home.all-channels': 'All channels',
  'home.clear': 'Show everything',
  'home.searched': 'Found by “{words}”',

  'home.waiting': 'Waiting for you',
  'home.others': 'Waiting for others',
  'home.runs': 'Your runs',
  'home.decided': 'Recently decided',
  'home.nothing-waits':
    'Nothing waits for you. What a crew asks and you can decide appears here, oldest first, until it is decided.',
  'home.nothing-others':
    'Nothing waits for others. What your runs ask and others have to decide appears here, and what still needs more approvals than yours.',
  'home.nothing-runs': 'You have no runs. Those that you start appear here, and stay for a week once they have ended.',
  'home.nothing-decided':
    'Nothing was decided lately. For a week, you see here who decided on your requests and runs, and how fast.',
  'home.none-found':
    '{count, plural, one {The only one isn’t shown} other {None of # is shown}}: the filters or the search leave it out.',
  'home.unsure':
    '{count, plural, one {Slack can’t say right now whether you can decide # more request.} other {Slack can’t say right now whether you can decide # more requests.}}',

  'home.a-result': 'a result',
  'home.since': 'waiting since',
  'home.approvals': '{count, number} of {quorum, number} approvals',
  'home.escalated': 'escalated',
  'home.handed-over': '{name} added you as an approver',
  'home.repeats': 'same text as in round {round, number}',
  'home.you-approved-already': 'you have approved it',
  'home.select': 'Select {task} of {crew}',
  'home.select-for': 'Select {task} of {crew} for {name}',
  'home.review': 'Review',
  'home.approve-selected': 'Approve selected…',
  'home.about-selected':
    'For what you select on this page: you see what each is about, and are asked once before anything is approved.',
  'home.open-thread': 'Open thread',

  'home.started': 'started',
  'home.approved': 'Approved by {names} after {duration}',
  'home.rejected': 'Rejected by {names} after {duration}',
  'home.rejected-by-nobody': 'Rejected, as nobody decided within {duration}',
  'home.declined': 'Declined for good by {names} after {duration}',
  'home.closed': 'Nobody decided within {duration}',

  'home.search-title': 'Search your Home',
  'home.search-label': 'Words',
  'home.search-hint':
    'Finds what has all of these words in the name of the task or crew, of the person who started the run, of the channel, or in the inputs.',
  'home.search-submit': 'Search',
  'home.search-cancel': 'Cancel',

  'home.elsewhere':
    'This Signoff belongs to another workspace, so there is nothing to show here. Ask the people who work there.',
  'home.who-are-you': 'Slack can’t tell right now who you are. Open this tab again in a minute.',
  'home.no-store': 'Signoff can’t reach its database right now. What waits for you appears here as soon as it can.',

  // What waits for a person, told hourly or daily.
  'digest.waiting': '{count, plural, one {# request waits for you} other {# requests wait for you}}',
  'digest.waits': 'waiting {duration}',
  'digest.more': '{count, plural, one {and # more} other {and # more}}',
  'digest.open-home': 'Open Home',
  'digest.in-home': 'All of them are in the *Home* tab.',
} as const;

export const HOME_WORDS_DE: Translated<typeof HOME_WORDS> = {
  'home.count':
    '{count, plural, =0 {Nichts wartet auf dich} one {# Anfrage wartet auf dich} other {# Anfragen warten auf dich}}',
  'home.others-count': '{count, plural, one {# wartet auf andere} other {# warten auf andere}}',
  'home.runs-count': '{count, plural, one {# Lauf von dir im Gange} other {# Läufe von dir im Gange}}',
  'home.start': 'Crew starten',
  'home.settings': 'Einstellungen…',
  'home.search': 'Suchen…',

  'home.all-crews': 'Alle Crews',
  'home.all-channels': 'Alle Channels',
  'home.clear': 'Alles zeigen',
  'home.searched': 'Gefunden mit „{words}“',

  'home.waiting': 'Wartet auf dich',
  'home.others': 'Wartet auf andere',
  'home.runs': 'Deine Läufe',
  'home.decided': 'Kürzlich entschieden',
  'home.nothing-waits':
    'Nichts wartet auf dich. Was eine Crew fragt und du entscheiden kannst, steht hier, das Älteste zuerst, bis es entschieden ist.',
  'home.nothing-others':
    'Nichts wartet auf andere. Hier steht, was deine Läufe fragen und andere entscheiden müssen, und was außer deiner Freigabe noch weitere braucht.',
  'home.nothing-runs':
    'Du hast keine Läufe. Hier stehen die, die du startest, und nach ihrem Ende noch eine Woche lang.',
  'home.nothing-decided':
    'In letzter Zeit wurde nichts entschieden. Hier siehst du eine Woche lang, wer über deine Anfragen und Läufe entschieden hat, und wie schnell.',
  'home.none-found':
    '{count, plural, one {Die einzige wird nicht gezeigt} other {Von # wird keine gezeigt}}: Filter oder Suche lassen sie aus.',
  'home.unsure':
    '{count, plural, one {Slack kann gerade nicht sagen, ob du # weitere Anfrage entscheiden kannst.} other {Slack kann gerade nicht sagen, ob du # weitere Anfragen entscheiden kannst.}}',

  'home.a-result': 'ein Ergebnis',
  'home.since': 'wartet seit',
  'home.approvals': '{count, number} von {quorum, number} Freigaben',
  'home.escalated': 'eskaliert',
  'home.handed-over': '{name} hat dich zum Entscheiden hinzugefügt',
  'home.repeats': 'derselbe Text wie in Runde {round, number}',
  'home.you-approved-already': 'du hast es freigegeben',
  'home.select': '{task} von {crew} auswählen',
  'home.select-for': '{task} von {crew} für {name} auswählen',
  'home.review': 'Prüfen',
  'home.approve-selected': 'Ausgewählte freigeben…',
  'home.about-selected':
    'Für das, was du auf dieser Seite auswählst: Du siehst bei jedem, worum es geht, und wirst einmal gefragt, bevor etwas freigegeben wird.',
  'home.open-thread': 'Thread öffnen',

  'home.started': 'gestartet',
  'home.approved': 'Freigegeben von {names} nach {duration}',
  'home.rejected': 'Abgelehnt von {names} nach {duration}',
  'home.rejected-by-nobody': 'Abgelehnt, da innerhalb von {duration} niemand entschieden hat',
  'home.declined': 'Endgültig abgelehnt von {names} nach {duration}',
  'home.closed': 'Innerhalb von {duration} hat niemand entschieden',

  'home.search-title': 'Startseite durchsuchen',
  'home.search-label': 'Wörter',
  'home.search-hint':
    'Findet, was alle diese Wörter hat: im Namen der Aufgabe, der Crew, der Person, die den Lauf gestartet hat, oder des Channels, oder in den Eingaben.',
  'home.search-submit': 'Suchen',
  'home.search-cancel': 'Abbrechen',

  'home.elsewhere':
    'Dieses Signoff gehört zu einem anderen Workspace, daher gibt es hier nichts zu zeigen. Frag die Leute, die dort arbeiten.',
  'home.who-are-you': 'Slack kann gerade nicht sagen, wer du bist. Öffne diesen Tab in einer Minute noch einmal.',
  'home.no-store':
    'Signoff erreicht seine Datenbank gerade nicht. Was auf dich wartet, steht hier, sobald sie wieder erreichbar ist.',

  'digest.waiting': '{count, plural, one {# Anfrage wartet auf dich} other {# Anfragen warten auf dich}}',
  'digest.waits': 'wartet seit {duration}',
  'digest.more': '{count, plural, one {und # weitere} other {und # weitere}}',
  'digest.open-home': 'Home öffnen',
  'digest.in-home': 'Alle stehen im Tab *Home*.',
};
