import type { READING as ENGLISH } from '../en/reading.ts';
import type { Translated } from '../message-values.ts';

export const READING: Translated<typeof ENGLISH> = {
  'text.read': 'Ganzen Text lesen',
  'reading.title': 'Ganzer Text',
  'reading.empty': '_Der Text ist leer._',
  'reading.attached': 'Der Text geht weiter: Ganz steht er in der Datei im Thread.',
  'reading.left-out':
    'Der Text geht weiter: Er hat {count, number} Zeichen, mehr als hier Platz haben. Die Oberfläche der Crew hat ihn ganz.',
  'reading.jump': 'Springen zu…',
  'reading.told': 'Das bekommt die Crew mit der Entscheidung:',
  'reading.asked-for': 'Das Feedback, das zu dieser Runde geführt hat:',
};
