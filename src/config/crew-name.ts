import { text } from './text.ts';

/** Subcommands of `/kickoff`. */
const RESERVED = ['status', 'help', 'who', 'connect', 'disconnect'];

export const CREW_NAME = text('is missing: the name that starts the crew in Slack')
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/i,
    'must consist of letters, digits, -, _ and . (at most 64, not starting with . - _)',
  )
  .refine((name) => !RESERVED.includes(name.toLowerCase()), 'is reserved by /kickoff');
