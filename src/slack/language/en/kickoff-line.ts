/** What people type after `/kickoff`, and its help. */
export const KICKOFF_LINE = {
  'line.unknown-crew': 'There is no crew named “{word}”.',
  'line.meant': 'Did you mean “{crew}”?',
  'line.crew-missing': 'The line doesn’t begin with a crew, so choose it here.',
  'line.unknown-word':
    '“{word}” isn’t an input. Inputs look like `name=value`; a value of several words stands in "quotes".',
  'line.crew-only':
    '`/kickoff {command}` takes the name of a crew and nothing else. A token is never typed in a command: `/kickoff connect` opens a window for it.',
  'line.repeated-name': 'The input “{name}” is given twice; the last one counts.',
  'line.open-quote': 'Missing closing quote near {text}',
  'line.unknown-inputs': 'This crew has no input named {names}.',
  'line.see-help': 'Type `/kickoff help` to see what is possible.',
  'help.what':
    '*/kickoff* starts a crew of AI agents here and follows it in a thread. When the crew needs a decision, it asks in that thread, where you approve or request changes.',
  'help.form': '`/kickoff` opens a form',
  'help.start':
    '`/kickoff {crew} name=value other="two words"` starts at once, or opens the form if something is missing or wrong',
  'help.of-crew': '`/kickoff help {crew}` lists what the crew needs',
  'help.status': '`/kickoff status` shows what is in progress and awaiting approval here',
  'help.who':
    '`/kickoff who` says who can decide what is awaiting approval here; with the name of a crew, who can start it and decide for it',
  'help.stats':
    '`/kickoff stats` shows how many requests were decided, how fast, in how many rounds and by whom; with the name of a crew, only those of that crew',
  'help.connect':
    '`/kickoff connect` connects your own access token of a crew: what you start and decide is then sent as yours; `/kickoff disconnect` removes it',
  'help.shortcuts':
    'in Slack’s shortcuts, *Start a crew* works anywhere; on a message, *Start a crew with it* fills it into the form, and *Use as feedback* asks for changes with it',
  'help.help': '`/kickoff help` shows this',
  'help.crews': '{count, plural, one {Crew: {crews}} other {Crews: {crews}}}',
  'help.no-crews': 'No crew is set up yet. Whoever runs Signoff can add one.',
  'help.needs': '{count, plural, =0 {It needs no inputs.} one {It takes one input:} other {It takes # inputs:}}',
  'help.more-inputs': '…and {count, number} more',
  'help.required': 'required',
  'help.default': 'default {value}',
  'help.one-of': 'one of {options}',
  'help.text': 'text',
  'help.number': 'a number',
  'help.number-range': 'a number from {min} to {max}',
  'help.number-at-least': 'a number, at least {min}',
  'help.number-at-most': 'a number, at most {max}',
  'help.yes-no': 'yes or no',
  'help.date': 'a date like 2026-12-31',
  'help.json': 'JSON',
  'help.try': 'For example: `{line}`',
} as const;
