/** What begins with a shortcut: feedback from a message, and a start without a channel. */
export const SHORTCUTS = {
  'shortcut.unknown': 'This version of Signoff doesn’t know this shortcut. Whoever runs Signoff can update it.',
  'shortcut.feedback-title': 'Use as feedback',
  'shortcut.no-run':
    'This message isn’t in the thread of a run in progress. Use the shortcut in a thread where a crew asks for approval.',
  'shortcut.nothing-open': '*{crew}* hasn’t asked for approval in this thread, so there’s nothing to give feedback on.',
  'shortcut.no-text': 'The message has no text, so write here what should be better.',
  'shortcut.cut': 'The message has {count, number} characters; the first {most, number} are here.',
  'shortcut.newest':
    '{count, number} approvals are open in this thread; this is about the newest, “{task}”. For another, use *Request changes…* on its card.',
} as const;
