import type { KICKOFF_FORM as ENGLISH } from '../en/kickoff-form.ts';
import type { Translated } from '../message-values.ts';

export const KICKOFF_FORM: Translated<typeof ENGLISH> = {
  'form.start': 'Starten',
  'form.cancel': 'Abbrechen',
  'form.crew': 'Crew',
  'form.runs-in': 'Der Thread erscheint in {channel}.',
  'form.no-inputs': '*{crew}* braucht keine Angaben. Starte einfach.',
  'form.nothing-yet': 'Noch wurde nichts gestartet.',
  'form.still-missing': 'Noch nötig: {names}. Alles andere bleibt.',
  'form.missing': '{label} (fehlt)',
  'form.check': 'Prüfe {names}. Alles andere bleibt.',
  'form.long-name':
    'Eine Angabe dieser Crew hat einen Namen von {length, number} Zeichen („{name}“), ein Formular fasst {most, number}. Wer die Crew betreibt, muss ihn kürzen.',
  'form.too-many':
    'Diese Crew verlangt {count, number} Angaben, ein Formular in Slack fasst {most, number}. Starte sie mit `/kickoff` und `name=wert` für jede Angabe oder im Control Panel der Crew.',
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
};
