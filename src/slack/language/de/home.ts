import type { HOME as ENGLISH } from '../en/home.ts';
import type { Translated } from '../message-values.ts';

export const HOME: Translated<typeof ENGLISH> = {
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
  'home.handed-over': '{name} hat dir das übergeben',
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
  'home.changes': 'Änderungen angefordert von {names} nach {duration}',
  'home.changes-by-nobody': 'Innerhalb von {duration} hat niemand entschieden, daher wurden Änderungen angefordert',
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
};
