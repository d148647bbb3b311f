import { z } from 'zod';
import { LANGUAGES } from '../core/language.ts';
import { NOTIFY } from '../core/notify.ts';
import { NOT_TEXT } from './text.ts';

const [LEAST, MOST] = [200, 3_000];
const PREVIEW_RULE = `must be a whole number of characters from ${LEAST} to ${MOST}`;

/** How many characters of an output a card shows. More would not fit into a card beside all else. */
export const PREVIEW_LENGTH = z.int(PREVIEW_RULE).min(LEAST, PREVIEW_RULE).max(MOST, PREVIEW_RULE);

export const NOTIFY_SETTING = z.enum(NOTIFY, 'must be mention, dm or none');

export const LANGUAGE = z.enum(LANGUAGES, `must be ${LANGUAGES.join(' or ')}`);

/** What a crew is for. */
export const DESCRIPTION = z
  .string(NOT_TEXT)
  .trim()
  .regex(/^[^\r\n\u2028\u2029]{1,150}$/u, 'must be one line of at most 150 characters');
