import { z } from 'zod';
import type { Crew } from '../core/crew.ts';
import { whyNotHttpAddress, withoutTrailingSlash } from './http-address.ts';
import { INPUT_SETTINGS } from './input-settings.ts';

/** What an approval without a note says where the operator says nothing else. */
const APPROVAL_TEXT = 'Approved.';

/** Words that follow `/kickoff` and are no crew. */
const TAKEN = ['status', 'help'];

/** One crew, as an entry of the crews file has it. */
export const CREW_SETTINGS = z
  .strictObject(
    {
      name: text('is missing: the name by which people start the crew')
        .regex(
          /^[a-z0-9][a-z0-9._-]{0,63}$/i,
          'has to be made of letters, digits, -, _ and . (at most 64, no . - _ first)',
        )
        .refine((name) => !TAKEN.includes(name.toLowerCase()), 'is a word that /kickoff keeps for itself'),
      base_url: text('is missing: the address of the deployed crew, from its page in the control panel')
        .check((context) => {
          const message = whyNotHttpAddress(context.value);
          if (message) context.issues.push({ code: 'custom', message, input: context.value });
        })
        .transform(withoutTrailingSlash),
      token: text('is missing: the bearer token of the crew, from its page in the control panel')
        .min(1, 'is empty')
        .regex(/^[\x21-\x7e]*$/, 'has a space or a character that no token has'),
      channel: text('has to be text')
        .transform((channel) => channel.replace(/^#/, ''))
        .pipe(z.string().regex(/^[^\s#,]+$/, 'has to be the id (C0123456789) or the name of one channel'))
        .nullish(),
      approval_text: text('has to be text').min(1, 'is empty: leave it out for the usual text').optional(),
      approval_notes: z.boolean({ error: 'has to be true or false' }).optional(),
      inputs: z.record(z.string(), INPUT_SETTINGS, { error: 'has to be a map of input names' }).nullish(),
    },
    { error: 'has to be a map: name, base_url, token' },
  )
  .transform(
    (crew): Crew => ({
      name: crew.name,
      baseUrl: crew.base_url,
      token: crew.token,
      channel: crew.channel ?? null,
      approvalText: crew.approval_text ?? APPROVAL_TEXT,
      approvalNotes: crew.approval_notes ?? true,
      inputs: crew.inputs ?? {},
    }),
  );

/** The names that may stand in an entry, for whoever mistyped one. */
export const SETTING_NAMES = [
  ...['crews', 'name', 'base_url', 'token', 'channel', 'approval_text', 'approval_notes', 'inputs'],
  ...['label', 'type', 'options', 'default', 'help'],
];

function text(missing: string) {
  return z.string({
    error: ({ input }) => (input === undefined || input === null ? missing : 'has to be text; put it in quotes'),
  });
}
