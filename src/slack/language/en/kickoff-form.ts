/** The form of a start and its inputs. */
export const KICKOFF_FORM = {
  'form.start': 'Start',
  'form.cancel': 'Cancel',
  'form.crew': 'Crew',
  'form.runs-in': 'Its thread will be in {channel}.',
  'form.no-inputs': '*{crew}* needs no inputs. Just start it.',
  'form.nothing-yet': 'Nothing has been started yet.',
  'form.still-missing': 'Still missing: {names}. Everything else is kept.',
  'form.missing': '{label} (missing)',
  'form.check': 'Check {names}. Everything else is kept.',
  'form.long-name':
    'An input of this crew has a name of {length, number} characters (“{name}”), and a form holds {most, number}. Whoever runs the crew needs to shorten it.',
  'form.too-many':
    'This crew asks for {count, number} inputs, and a form in Slack holds {most, number}. Start it with `/kickoff` and `name=value` for each input, or from the crew’s own control panel.',
  'form.shared':
    'This channel is shared with another organisation. Its people will see what this run posts: inputs, drafts and results.',
  'form.maybe-shared':
    'Slack can’t say right now whether this channel is shared with another organisation. If it is, its people will see what this run posts: inputs, drafts and results.',
  'form.share-label': 'Shared channel',
  'form.share': 'Post this run here all the same',
  'input.unnamed': 'Input',
  'input.empty-option': '(empty)',
  'input.yes': 'Yes',
  'input.no': 'No',
  'input.json-hint': 'JSON, such as {one} or {other}.',
  'input.choices-hint': 'One of {count, number} choices, typed as they are.',
  'input.if-empty': 'If left empty: {value}',
  'input.range': 'From {min} to {max}.',
  'input.at-least': 'At least {min}.',
  'input.at-most': 'At most {max}.',
  'input.too-long':
    'The value so far has {length, number} characters; a field holds {most, number}. Give a shorter one.',
  'input.no-room':
    'The value so far has {length, number} characters; this form is too full for more than {most, number} a field. Type it again.',
  'input.not-offered': 'This choice is no longer offered. Choose again.',
  'input.not-a-number': 'Give a number like 12 or {decimal}.',
  'input.too-many-digits': 'This number has too many digits to be sent exactly.',
  'input.too-small': '{value} is too small: at least {min}.',
  'input.too-large': '{value} is too large: at most {max}.',
  'input.not-yes-no': 'Say yes or no.',
  'input.not-a-choice': 'Choose one of {options}.',
  'input.not-a-date': 'Give a date like 2026-12-31.',
  'input.not-json': 'This isn’t valid JSON. It looks like {examples}.',
} as const;
