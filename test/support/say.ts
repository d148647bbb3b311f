import { DEFAULT_COMMAND } from '../../src/core/policy/crew.ts';
import { createSayings } from '../../src/slack/language/say.ts';

/** As a bot words it that nobody has given another command. */
export const SAYINGS = createSayings(DEFAULT_COMMAND);
export const sayIn = SAYINGS.in;
