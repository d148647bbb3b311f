/** People’s own access tokens. */
export const TOKENS = {
  'token.title': 'Connect your token',
  'token.connect': 'Connect',
  'token.cancel': 'Cancel',
  'token.button': 'Connect your token',
  'token.of-a-crew': 'Connect your own access token of a crew.',
  'token.of-crew': 'Connect your own access token of *{crew}*.',
  'token.where':
    'Your *User Bearer Token* is on the *Status* tab of the crew’s page in its control panel. What you start and decide is then sent with it, as yours.',
  'token.crew': 'Crew',
  'token.yours': 'Your token',
  'token.hint':
    'Slack shows what you type here. Signoff stores it encrypted, uses it for nothing but your own starts and decisions, and never shows it again.',
  'token.not-accepted': '{crew} doesn’t accept this token, so it wasn’t stored. Copy it again.',
  'token.unclear':
    '{crew} didn’t say whether it accepts this token, so it wasn’t stored. Try again; if that doesn’t help, ask whoever runs the crew.',
  'token.crew-unreachable':
    '{crew} can’t be reached right now to check this token, so it wasn’t stored. Try again in a few minutes.',
  'token.not-stored': 'Signoff can’t store anything right now, so this token wasn’t stored. Try again in a minute.',
  'token.bad-character': 'This has a space or another character that no token has. Copy it again.',
  'token.too-short': 'This is too short for a token. Copy all of it.',
  'token.crew-gone': 'This crew is no longer set up here.',
  'token.no-crews': 'No crew is set up yet. Whoever runs Signoff can add one.',
  'token.none': 'You have no token connected.',
  'token.none-of-crew': 'You have no token of *{crew}* connected.',
  'token.none-such': 'You have no such token connected.',
  'token.cannot-disconnect':
    'Signoff can’t store anything right now, so nothing was disconnected. Try again in a minute.',
  'token.too-late': 'This took too long, so nothing could be opened. Type the command again.',
  'token.checking':
    'Asking *{crew}* whether it accepts your token…\nYou can close this window: you’ll get the answer in a private message.',
  'token.connected':
    'Your token of *{crew}* is connected: what you start and decide is sent with it from now on. To remove it, type {command}.',
  'token.disconnected': 'Your token of *{crew}* is removed. What you start and decide is no longer sent with it.',
  'token.which': 'You have connected tokens of several crews. Say which one to remove: {commands}.',
  'token.refused-with-decision':
    '*{crew}* didn’t accept your own token. Your decision is saved, but not sent. Type {command}, then use *Send again* on the card.',
  'token.needed-for-decision':
    '*{crew}* needs your own token, and you have none connected. Your decision is saved, but not sent. Type {command}, then use *Send again* on the card.',
} as const;
