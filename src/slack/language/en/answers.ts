/** Private answers that belong to no one thing. */
export const ANSWERS = {
  'answer.no-change': 'No change was made',
  'answer.no-longer-known': 'Signoff no longer has this request.',
  'answer.out-of-date': 'Out of date',
  'answer.newer-message': 'This message is out of date. No change was made; use the newest message in the thread.',
  'answer.unknown-command': 'Signoff doesn’t know this command. Nothing was done; try `/kickoff help`.',
  'answer.took-too-long': 'This took too long, so nothing could be opened. Click again.',
  'modal.close': 'Close',
} as const;
