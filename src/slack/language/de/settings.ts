import type { SETTINGS as ENGLISH } from '../en/settings.ts';
import type { Translated } from '../message-values.ts';

export const SETTINGS: Translated<typeof ENGLISH> = {
  'settings.title': 'Deine Einstellungen',
  'settings.save': 'Speichern',
  'settings.saved': 'Gespeichert. {settings}.',
  'settings.zone': 'Uhrzeiten gelten in {zone}, deiner Zeitzone in Slack.',
  'settings.no-zone': 'Slack kann deine Zeitzone gerade nicht sagen.',
  'settings.tell': 'Sag mir per Direktnachricht, was auf mich wartet',
  'settings.tell-off': 'Gar nicht',
  'settings.tell-at-once': 'Sofort',
  'settings.tell-hourly': 'Einmal in der Stunde, als Übersicht',
  'settings.tell-daily': 'Einmal am Tag, als Übersicht',
  'settings.daily-at': 'Uhrzeit der täglichen Übersicht',
  'settings.daily-missing': 'Wähle eine Uhrzeit für die tägliche Übersicht.',
  'settings.quiet-from': 'Ruhezeit von',
  'settings.quiet-to': 'Ruhezeit bis',
  'settings.quiet-hint': 'Was du erfahren möchtest, wartet bis zu ihrem Ende.',
  'settings.quiet-incomplete': 'Die Ruhezeit braucht Anfang und Ende. Ohne Ruhezeit lass beides leer.',
  'settings.quiet-same': 'Die Ruhezeit kann nicht enden, wenn sie anfängt.',
  'settings.away-until': 'Abwesend bis',
  'settings.away-hint': 'Bis zum Ende dieses Tages. Solange bekommst du keine Übersichten.',
  'settings.away-missing': 'Wähle, bis wann du abwesend bist.',
  'settings.away-past': 'Dieser Tag ist vorbei. Wähle heute oder einen späteren Tag.',
  'settings.away-no-zone': 'Slack kann deine Zeitzone gerade nicht sagen. Versuch es in einer Minute noch einmal.',
  'settings.stand-in': 'Vertretung',
  'settings.stand-in-hint':
    'Solange du abwesend bist, kann diese Person entscheiden, was du entscheiden kannst, soweit es die Regeln der Crew erlauben. Das steht auf den Karten. Du kannst es weiterhin auch.',
  'settings.stand-in-yourself': 'Wähle jemand anderen als dich selbst.',
  'settings.stand-in-bot': '{who} ist eine App. Wähle eine Person.',
  'settings.stand-in-deactivated': 'Das Konto von {who} ist deaktiviert. Wähle jemand anderen.',
  'settings.stand-in-stranger':
    '{who} gehört zu einer anderen Organisation und kann dich nicht vertreten. Wähle jemand anderen.',
  'settings.stand-in-guest': '{who} ist Gast in diesem Workspace und kann dich nicht vertreten. Wähle jemand anderen.',
  'settings.stand-in-unsure':
    'Slack kann gerade nicht sagen, ob {who} dich vertreten kann. Versuch es in einer Minute noch einmal.',
  'settings.back': 'Ich bin zurück',
  'settings.welcome-back': 'Willkommen zurück. Was für deine Abwesenheit übergeben war, ist wieder allein bei dir.',
  'settings.no-messages':
    'Slack lässt Signoff dir nicht schreiben. Wer Signoff betreibt, kann den Nachrichten-Tab der App einschalten.',
  'settings.first-message':
    'Hier erfährst du, was auf dich wartet. Das änderst du im Tab *Home* unter *Einstellungen*.',
  'settings.line-off': 'Du bekommst keine Direktnachrichten über das, was auf dich wartet',
  'settings.line-at-once': 'Du erfährst es sofort per Direktnachricht',
  'settings.line-hourly': 'Du bekommst jede Stunde eine Übersicht',
  'settings.line-daily': 'Du bekommst täglich um {time} eine Übersicht',
  'settings.line-quiet': 'Ruhezeit von {from} bis {to}',
  'settings.line-away': 'Du bist bis {date} abwesend',
  'settings.line-away-with': 'Du bist bis {date} abwesend; {name} vertritt dich',
};
