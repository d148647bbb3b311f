const COMMAND_WORDS = ['help', 'status', 'who', 'stats', 'connect', 'disconnect'] as const;

/** What follows the slash command where no crew is meant, so no crew can have such a name. */
type CommandWord = (typeof COMMAND_WORDS)[number];

/** Reads a word as people type it: `Help`, `--help`, `-h`, `Status?`. Null if it is none of these. */
export function commandWordIn(typed: string): CommandWord | null {
  const word = typed.toLowerCase().replace(/^[-/]+|(?<=\w)[?!.]+$/g, '');
  if (word === '?' || typed === '-h') return 'help';
  return COMMAND_WORDS.find((each) => each === word) ?? null;
}
