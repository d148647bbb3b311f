/** Why a crew was not started, or may not have been. */
export const START_TROUBLE = {
  'start.title.inputs-missing': 'Inputs missing',
  'start.title.not-started': 'Not started',
  'start.title.unconfirmed': 'Start not confirmed',
  'start.inputs-missing': '{crew} can’t start without more inputs. Fill them in and start it again.',
  'start.these-missing': '{crew} can’t start without {names}. Fill in what is missing and start it again.',
  'start.bad-request':
    '{crew} can’t start: it couldn’t read the inputs. Check numbers and dates first, then try again.',
  'start.unauthorized':
    '{crew} can’t start: it doesn’t accept Signoff’s access token. Whoever runs Signoff can renew it; then try again.',
  'start.not-found':
    '{crew} can’t start: there is no crew at its address any more. Whoever runs Signoff can correct the address; then try again.',
  'start.quota': '{crew} can’t start: its quota of runs is used up. Try again once it is renewed or raised.',
  'start.unreachable': '{crew} can’t start: it can’t be reached. It may be asleep or down; try again in a few minutes.',
  'start.other': '{crew} can’t start: it said no. Try again; if that doesn’t help, ask whoever runs the crew.',
  'start.own-token-missing':
    '{crew} can’t start: it needs your own token, and none is connected. Connect one with /kickoff connect {crew}, then start it again.',
  'start.own-token-refused':
    '{crew} can’t start: it doesn’t accept your own token. Connect another with /kickoff connect {crew}, then start it again.',
  'start.their-token-missing':
    '{crew} can’t start: it needs the own token of the person who started it, and none is connected. They can connect one with /kickoff connect {crew}, then start it again.',
  'start.their-token-refused':
    '{crew} can’t start: it doesn’t accept the own token of the person who started it. They can connect another with /kickoff connect {crew}, then start it again.',
  'start.unconfirmed':
    '{crew} may have started: {reason}. If it did, its updates arrive in the thread. Starting it again may run it twice, so wait a moment or look in the crew’s control panel first.',
  'start.doubt.no-answer': 'it didn’t answer in time',
  'start.doubt.server-error': 'it answered with an error of its own',
  'start.doubt.no-id': 'it said yes, but didn’t name the run',
  'start.doubt.interrupted': 'Signoff was interrupted while asking it',
  'start.confirm-again-title': 'Run it again?',
  'start.confirm-again':
    'The first start may have worked although nobody confirmed it. If it did, the crew runs twice.',
  'start.confirm-again-no': 'Wait',
} as const;
