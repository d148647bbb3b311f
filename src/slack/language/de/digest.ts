import type { DIGEST as ENGLISH } from '../en/digest.ts';
import type { Translated } from '../message-values.ts';

export const DIGEST: Translated<typeof ENGLISH> = {
  'digest.waiting': '{count, plural, one {# Anfrage wartet auf dich} other {# Anfragen warten auf dich}}',
  'digest.waits': 'wartet seit {duration}',
  'digest.more': '{count, plural, one {und # weitere} other {und # weitere}}',
  'digest.open-home': 'Home öffnen',
  'digest.in-home': 'Alle stehen im Tab *Home*.',
};
