/** *Stop tracking for everyone*, and taking it back. */
export const TRACKING = {
  'tracking.stop': 'Stop tracking for everyone',
  'tracking.again': 'Track again',
  'tracking.confirm-title': 'Stop tracking for everyone?',
  'tracking.confirm':
    'The crew keeps running. For everyone in this channel, open approvals close and this thread gets no more updates. A decision that is already made is still sent. You can track the run again while it is running.',
  'tracking.confirm-yes': 'Stop tracking',
  'tracking.confirm-no': 'Keep tracking',
  'tracking.stopped': '{name} stopped tracking for everyone ({when}). The crew may still be running.',
  'tracking.already-stopped': '{name} already stopped tracking this run ({when}).',
  'tracking.not-stopped': 'This run is being tracked already.',
  'tracking.ended': 'This run has ended, so there is nothing left to track.',
  'tracking.may-not-change':
    'Only {name}, who started this run, and those who can decide its approvals can change whether it is tracked.',
  'tracking.may-not-change-starter':
    'Only the person who started this run and those who can decide its approvals can change whether it is tracked.',
  'tracking.may-not-change-outside':
    'Only those who can decide the approvals of this run can change whether it is tracked.',
} as const;
