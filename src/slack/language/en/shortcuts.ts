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

  'choice.channel': 'Channel',
  'choice.channel-hint': 'The thread of the run will be there, and everybody in the channel can follow it.',
  'choice.choose-channel': 'Choose a channel',
  'choice.slow': '{crew} is slow to say what it needs. Press Next again in a few seconds.',
  'choice.into': 'The message goes into',
  'choice.message': 'Message',
  'choice.message-hint': 'You can still change it in the next step.',
  'choice.message-goes': 'It goes into “{input}”. You can still change it in the next step.',
  'choice.no-text-input': '*{crew}* has no input that takes text, so it can’t be started with a message.',
  'choice.no-text-input-plain': '{crew} has no input that takes text. Choose another crew.',
  'choice.trouble.not-in': 'Signoff isn’t in this channel. Type /invite @{bot} there, then press Next again.',
  'choice.trouble.archived': 'This channel is archived. Choose another.',
  'choice.trouble.direct-message': 'Signoff can’t follow a run in this conversation. Choose a channel.',
  'choice.trouble.read-only': 'Signoff can’t post in this channel. Ask its admins, or choose another.',
  'choice.trouble.not-member': 'You aren’t in this channel. Join it first, or choose another.',
  'choice.trouble.unsure': 'Slack can’t tell right now whether you’re in this channel. Try again in a minute.',
} as const;
