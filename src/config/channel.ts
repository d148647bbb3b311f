import { z } from 'zod';
import { NOT_TEXT } from './text.ts';

/** The id or the name of a channel, without the # that people write before a name. */
export const CHANNEL = z
  .string(NOT_TEXT)
  .transform((channel) => channel.replace(/^#/, ''))
  .pipe(z.string().regex(/^[^\s#,]+$/, 'must be the id (C0123456789) or the name of one channel'));
