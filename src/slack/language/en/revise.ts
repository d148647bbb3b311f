/** Requesting changes, editing, and approving with a note. */
export const REVISE = {
  'modal.cancel': 'Cancel',
  'modal.back': 'Back',
  'modal.next': 'Next',
  'modal.preview': 'Preview',

  'feedback.title': 'Request changes',
  'feedback.intro': '*{crew}* works on “{task}” again (round {round, number}) with your feedback.',
  'feedback.intro-unnamed': '*{crew}* tries again (round {round, number}) with your feedback.',
  'feedback.excerpt': 'Showing {shown, number} of {all, number} characters.',
  'feedback.read': 'Read full text',
  'feedback.label': 'What should be better?',
  'feedback.hint': 'Up to {most, number} characters. The crew sees all of this in its next attempt, so keep it short.',
  'feedback.counted':
    '{count, number} of {most, number} characters. The crew sees all of this in its next attempt, so keep it short.',
  'feedback.templates': 'Start from a template',
  'feedback.recent': 'Use earlier feedback',
  'feedback.template-gone': 'This text is no longer offered, so nothing was added.',
  'feedback.no-room': '“{name}” was not added: with it, the feedback would be longer than {most, number} characters.',

  'edit.title': 'Edit',
  'edit.intro': '*{crew}* gets your edits as a list. You see it before it is sent.',
  'edit.text': 'Text',
  'edit.hint': 'Up to {most, number} characters.',
  'edit.which': 'The text is too long to be edited at once. Which part?',
  'edit.part': 'Part to edit',
  'edit.choose-part': 'Choose a part',
  'edit.beginning': 'Beginning',
  'edit.part-of': 'Part {number, number} of {of, number}',
  'edit.unchanged': 'You changed nothing.',
  'edit.too-many':
    'As a list, these edits have {count, number} characters, and {most, number} are sent at most. Undo some of them, and send them in the next round.',
  'edit.too-long':
    'This text is too long to be edited here: it has {count, number} characters, and up to {most, number} can be. Use *Request changes…* instead.',
  'edit.nothing': 'There is no text to edit, or it is no longer stored. Use *Request changes…* instead.',
  'edit.preview-title': 'Your edits',
  'edit.preview': '{count, plural, one {# edit} other {# edits}}: exactly this is sent to *{crew}*. You can add to it.',
  'edit.sent-as': 'Feedback',

  'edits.intro': '{count, plural, one {Make this edit, word for word:} other {Make these edits, word for word:}}',
  'edits.replace': 'Replace {find} with {text}.',
  'edits.replace-range': 'Replace everything from {find} to {through} with {text}.',
  'edits.delete': 'Delete {find}.',
  'edits.delete-range': 'Delete everything from {find} to {through}.',
  'edits.add-after': 'After {find}, add {text}.',
  'edits.add-before': 'Before {find}, add {text}.',
  'edits.line': 'the line {text}',
  'edits.lines': 'the lines {text}',
  'edits.made': '{made, number} of {of, plural, one {# edit} other {# edits}} made',

  'note.title': 'Approve with note',
  'note.approve': 'Approve',
  'note.intro': '*{crew}* goes on with your note.',
  'note.intro-previewed': '*{crew}* goes on with your note. You see what it gets before it is sent.',
  'note.label': 'Note for the crew',
  'note.hint': 'Up to {most, number} characters. The crew sees all of this in its next task, so keep it short.',
  'note.missing': 'Write a note, or approve without one.',
  'note.exactly': '*{crew}* gets exactly this with your approval:',
  'note.so-far': 'So far, *{crew}* gets this with your approval:',
  'note.needed':
    '{count, plural, one {One more person has to approve after you. Their note comes below yours.} other {# more people have to approve after you. Their notes come below yours.}}',
  'note.soon': '⚠️ *Approve after {duration}?* {why}',

  'soon.title': 'Approve after {duration}?',
  'soon.title-short': 'Approve so soon?',
  'soon.text': 'The crew asked only {duration} ago. Make sure that you have read what you approve.',
  'soon.back': 'Go back',

  'late.title': 'Not sent',
  'late.typed': 'What you wrote was not sent. Here it is again, so that you can copy it:',

  'hand-over.title': 'Hand over',
  'hand-over.intro':
    '*{crew}* asks for approval of “{task}”. The person you choose can decide, too, and gets a direct message. The card shows that you handed it over.',
  'hand-over.intro-unnamed':
    '*{crew}* asks for approval. The person you choose can decide, too, and gets a direct message. The card shows that you handed it over.',
  'hand-over.label': 'Who should decide?',
  'hand-over.choose': 'Choose a person',
  'hand-over.missing': 'Choose a person.',
  'hand-over.yourself': 'You can decide this yourself. Choose another person.',
} as const;
