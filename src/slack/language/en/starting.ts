/** How a start goes: what keeps it from beginning, how it is going, and why it failed. */
export const STARTING = {
  'start.title': 'Start a crew',
  'start.too-late': 'Too late',
  'start.took-too-long': 'This took too long, so the form couldn’t be opened. Try again.',
  'start.cannot-store': 'Signoff can’t store anything right now, so nothing was started. Try again in a minute.',
  'start.maybe-not-stored':
    'Signoff can’t store anything right now, so this was probably not started. If no thread appears here within a minute, try again.',
  'start.finding-out': 'Finding out what you can start here…',
  'start.asking': 'Asking *{crew}* what it needs…',
  'start.starting-title': 'Starting…',
  'start.starting': 'Starting *{crew}*…',
  'start.starting-later':
    'Its thread appears in the channel once the crew has accepted. If it doesn’t, only you are told.',
  'start.may-close': 'You can close this window.',
  'start.retrying': '*{crew}* can’t be reached, so it hasn’t been started yet. Signoff is trying again.',
  'start.started-title': 'Started',
  'start.started': '*{crew}* has started. Follow it in {thread}.',
  'start.its-thread': 'its thread',
  'start.thread-in-channel': 'its thread in the channel',
  'start.crew-said': 'The crew said: “{text}”',

  'channel.not-in':
    'Signoff isn’t in this channel yet, so nothing was started. Type `/invite @{bot}`, then `/kickoff` again.',
  'channel.archived': 'This channel is archived, so nothing was started. Use `/kickoff` in another channel.',
  'channel.direct-message':
    'Signoff can’t follow a run in a conversation that it isn’t part of, so nothing was started. Use `/kickoff` in a channel.',
  'channel.read-only':
    'Signoff can’t post in this channel, so nothing was started. Ask its admins, or use `/kickoff` in another channel.',
  'channel.other':
    'Signoff can’t post here, so nothing was started. Type `/invite @{bot}` and try again, or use another channel.',

  'start.fill-in': 'Fill in',
  'start.try-again': 'Try again',

  'inputs.unauthorized':
    '{crew} doesn’t accept Signoff’s access token, so it didn’t say what it needs. Whoever runs Signoff needs to renew it.',
  'inputs.not-found': 'There is no crew at the address of {crew} any more. Whoever runs Signoff needs to correct it.',
  'inputs.quota': '{crew} answers nothing more for now: its limit is used up. Try again later.',
  'inputs.unreachable': '{crew} can’t be reached right now. It may be asleep or down; try again in a few minutes.',
  'inputs.other': '{crew} didn’t say what it needs. Try again; if that doesn’t help, ask whoever runs the crew.',
  'inputs.slow':
    '{crew} is slow to say what it needs, so nothing has been started yet. Press Start again in a few seconds.',
} as const;
