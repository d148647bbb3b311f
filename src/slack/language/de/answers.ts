import type { ANSWERS as ENGLISH } from '../en/answers.ts';
import type { Translated } from '../message-values.ts';

export const ANSWERS: Translated<typeof ENGLISH> = {
  'answer.no-change': 'Nichts geändert',
  'answer.no-longer-known': 'Signoff hat diese Anfrage nicht mehr.',
  'answer.out-of-date': 'Veraltet',
  'answer.newer-message': 'Diese Nachricht ist veraltet. Es wurde nichts geändert; nimm die neueste im Thread.',
  'answer.unknown-command':
    'Signoff kennt diesen Befehl nicht. Es ist nichts passiert; versuch es mit `/kickoff help`.',
  'answer.took-too-long': 'Das hat zu lange gedauert, deshalb ließ sich nichts öffnen. Klick noch einmal.',
  'modal.close': 'Schließen',
};
