/** How a decision gets to the crew. */
export const SENDING = {
  'sending.unreachable': 'The crew can’t be reached right now. The decision is saved; we’ll keep trying.',
  'sending.unconfirmed':
    'The crew didn’t confirm this decision, so it may not have arrived. If the run goes on, all is well; otherwise, send it again.',
  'sending.unauthorized':
    'The crew refused this decision: it doesn’t accept Signoff’s access token. Whoever runs Signoff needs to renew it; then send the decision again.',
  'sending.user-token-refused':
    'The crew refused this decision: it doesn’t accept {by}’s own token. They can connect a new one with {command}; then send the decision again.',
  'sending.no-user-token':
    'The crew refused this decision: it needs {by}’s own token, and none is connected. They can connect one with {command}; then send the decision again.',
  'sending.not-found': 'The crew refused this decision: it no longer has this run.',
  'sending.quota':
    'The crew refused this decision: its run limit is used up for now. Send the decision again once the limit is renewed or raised.',
  'sending.gave-up': 'The crew can’t be reached. The decision is saved; send it again in a few minutes.',
  'sending.refused': 'The crew refused this decision. Send it again, or ask whoever runs the crew.',
  'sending.crew-said': 'The crew’s answer: {said}',
  'sending.crew-said-with-status': 'The crew’s answer (HTTP {status}): {said}',
  'sending.crew-said-nothing': 'nothing',
  'send-again.title': 'Send the decision again?',
  'send-again.refused': 'The crew refused it last time. Fix the cause, then send it again.',
  'send-again.unconfirmed':
    'Nobody knows whether the crew got it. If it did, sending it again may decide the crew’s next question before anybody has read it. Check the crew’s control panel first if you can.',
  'send-again.yes': 'Send again',
  'send-again.no': 'Not now',
} as const;
