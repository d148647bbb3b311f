import type { PAGES as ENGLISH } from '../en/pages.ts';
import type { Translated } from '../message-values.ts';

export const PAGES: Translated<typeof ENGLISH> = {
  'page.of': 'Seite {page, number} von {count, number}',
  'page.previous': 'Zurück',
  'page.next': 'Weiter',
};
