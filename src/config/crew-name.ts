import { commandWordIn } from '../core/command-word.ts';
import { text } from './text.ts';

export const CREW_NAME = text('is missing: the name that starts the crew in Slack')
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/i,
    'must consist of letters, digits, -, _ and . (at most 64, not starting with . - _)',
  )
  .refine((name) => commandWordIn(name) === null, 'is reserved by /kickoff');
