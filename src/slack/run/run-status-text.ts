import type { RootModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { kickoffTroubleText } from './kickoff-trouble-text.ts';

/** A run's state as a symbol and words, which are always shown together. */
interface RunLabel {
  symbol: string;
  word: string;
}

export function runLabel(model: RootModel, say: Say): RunLabel {
  const { symbol, word } = labelOf(model);
  return { symbol, word: say(word) };
}

function labelOf({ run, openCard, waitingUnseen, hasExpired, unfollowed }: RootModel) {
  switch (run.status) {
    case 'starting':
      return { symbol: '⏳', word: 'run.starting' } as const;
    case 'running':
      return unfollowed ? NOT_TRACKED : ({ symbol: '▶️', word: 'run.running' } as const);
    case 'waiting':
      if (unfollowed) return NOT_TRACKED;
      if (openCard?.isDelayed) return { symbol: '⏳', word: 'run.decided' } as const;
      if (waitingUnseen && hasExpired) return { symbol: '⌛', word: 'run.expired' } as const;
      return { symbol: '✋', word: openCard || waitingUnseen ? 'run.waiting-for-approval' : 'run.waiting' } as const;
    case 'completed':
      return { symbol: '✅', word: 'run.completed' } as const;
    case 'failed':
      return { symbol: '❌', word: 'run.failed' } as const;
    case 'lost':
      return { symbol: '❓', word: 'run.lost' } as const;
    case 'not-started':
      return { symbol: '🚫', word: 'run.not-started' } as const;
    case 'unconfirmed':
      return { symbol: '❓', word: 'run.unconfirmed' } as const;
  }
}

const NOT_TRACKED = { symbol: '⏹️', word: 'run.not-tracked' } as const;

/** What the state means and what to do about it; null if the label says it all. Plain text. */
export function runExplanation({ run, crew }: RootModel, say: Say): string | null {
  switch (run.status) {
    case 'lost':
      return say('problem.lost');
    case 'not-started':
      return kickoffTroubleText({ kind: 'refused', refusal: run.refusal }, { crew, reader: 'everybody', say }).sentence;
    case 'unconfirmed':
      return kickoffTroubleText({ kind: 'doubt', doubt: run.doubt }, { crew, reader: 'everybody', say }).sentence;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
      return null;
  }
}

/** What keeps us from hearing of the crew at the moment; null if nothing does, or the run isn't tracked. Plain text. */
export function connectionProblem(model: RootModel, say: Say): string | null {
  const { trouble, waitingUnseen, hasExpired, unfollowed, openCard, crewMissing } = model;
  if (crewMissing) return say('missing-crew.run');
  if (unfollowed) return null;
  if (waitingUnseen) return say(hasExpired ? 'problem.expired' : 'problem.unseen');
  switch (trouble) {
    case 'unauthorized':
      return say('problem.unauthorized');
    case 'unreachable':
      // The undelivered decision already says so.
      return openCard?.isDelayed ? null : say('problem.unreachable');
    case null:
      return null;
  }
}
