import type { RootModel } from '../../core/messages/view-models.ts';
import { kickoffTroubleText } from './kickoff-trouble-text.ts';

/** A run's state as a symbol and words, which are always shown together. */
interface RunLabel {
  symbol: string;
  word: string;
}

export function runLabel({ run, openCard, waitingUnseen, hasExpired, unfollowed }: RootModel): RunLabel {
  switch (run.status) {
    case 'starting':
      return { symbol: '⏳', word: 'Starting' };
    case 'running':
      return unfollowed ? NOT_FOLLOWED : { symbol: '▶️', word: 'Running' };
    case 'waiting':
      if (unfollowed) return NOT_FOLLOWED;
      if (openCard?.isDelayed) return { symbol: '⏳', word: 'Decided, not delivered yet' };
      if (waitingUnseen && hasExpired) return { symbol: '⌛', word: 'Nobody decided in time' };
      return { symbol: '✋', word: openCard || waitingUnseen ? 'Waiting for a person' : 'Waiting' };
    case 'completed':
      return { symbol: '✅', word: 'Completed' };
    case 'failed':
      return { symbol: '❌', word: 'Failed' };
    case 'lost':
      return { symbol: '❓', word: 'Lost sight of' };
    case 'not-started':
      return { symbol: '🚫', word: 'Not started' };
    case 'unconfirmed':
      return { symbol: '❓', word: 'Maybe started' };
  }
}

const NOT_FOLLOWED: RunLabel = { symbol: '⏹️', word: 'No longer followed' };

/** What the state means and what to do about it; null if the label says it all. Plain text. */
export function runExplanation(model: RootModel): string | null {
  const { run } = model;
  switch (run.status) {
    case 'lost':
      return (
        'The crew’s service no longer knows this run. It may be waiting for a decision that nobody told us of: please ' +
        'look in the crew’s own control panel. If it shows a sign of life, this thread goes on.'
      );
    case 'not-started':
      return kickoffTroubleText({ kind: 'refused', refusal: run.refusal }, { crew: model.crew, reader: 'everybody' })
        .sentence;
    case 'unconfirmed':
      return kickoffTroubleText({ kind: 'doubt', doubt: run.doubt }, { crew: model.crew, reader: 'everybody' })
        .sentence;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
      return null;
  }
}

/** What keeps us from hearing of the crew at the moment; null if nothing does, or the run isn't followed. Plain text. */
export function connectionProblem(model: RootModel): string | null {
  const { trouble, waitingUnseen, hasExpired, unfollowed, openCard } = model;
  if (unfollowed) return null;
  if (waitingUnseen && hasExpired)
    return (
      'Nobody decided the last request in time, and the crew still waits. Please answer it in the crew’s own control ' +
      'panel. If nobody needs the run any more, stop following it here.'
    );
  if (waitingUnseen)
    return (
      'The crew says that it waits for a person, but its request has not reached us. Please look in the crew’s own ' +
      'control panel; whoever runs it can check that its human-input webhook points here.'
    );
  switch (trouble) {
    case 'unauthorized':
      return 'The crew’s service no longer accepts our access token, so news may be missing here. Whoever runs Signoff can renew it.';
    case 'unreachable':
      // The undelivered decision already says so.
      if (openCard?.isDelayed) return null;
      return 'The crew can’t be reached right now. We keep trying, and this thread catches up by itself.';
    case null:
      return null;
  }
}
