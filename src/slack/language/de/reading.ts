import type { READING as ENGLISH } from '../en/reading.ts';
import type { Translated } from '../message-values.ts';

export const READING: Translated<typeof ENGLISH> = {
  'text.read': 'Ganzen Text lesen',
};
