/** Texts of crews, and the modal that shows them in full. */
export const READING = {
  'text.read': 'Read full text',
  'reading.title': 'Full text',
  'reading.empty': '_The text is empty._',
  'reading.attached': 'The text goes on: all of it is attached as a file in the thread.',
  'reading.left-out':
    'The text goes on: it has {count, number} characters, more than can be shown here. The crew’s own control panel has all of it.',
  'reading.jump': 'Jump to…',
  'reading.told': 'The crew gets this with the decision:',
  'reading.asked-for': 'The feedback that asked for this round:',
} as const;
