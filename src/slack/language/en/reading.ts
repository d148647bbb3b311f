/** Texts of crews, and the modal that shows them in full. */
export const READING = {
  'text.read': 'Read full text',
} as const;
