import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/sample.ts';
import { begin, completeBy, type Played, placesOf, placesToCome, play, plays, requestOf } from './possible/play.ts';

const RUNS = { ...runs({ some: 600, all: 6_000 }), seed: Math.floor(Math.random() * 2 ** 31) };

/** Tries the promise after each move of many random requests, of which the oracle expects all that it knows. */
function always(promise: (before: Played, now: Played) => void): void {
  fc.assert(
    fc.property(plays, ([beginning, moves]) => {
      let now = begin(beginning);
      for (const move of moves) {
        const before = now;
        now = play(now, move);
        promise(before, now);
      }
    }),
    RUNS,
  );
}

describe('whatever the rules are, whoever votes, and whatever is learned in whichever order', () => {
  it('the possible rules are those that can turn out to apply, and learning leaves fewer of them', () => {
    always((before, now) => {
      expect(placesOf(now)).toEqual([...now.rules.keys()]);
      for (const place of placesOf(now)) expect(placesOf(before)).toContain(place);
      for (const place of placesToCome(now)) expect(placesOf(now)).toContain(place);
    });
  });

  it('an approval that was completed would have been complete under whatever turns out to apply', () => {
    always((before, now) => {
      const [was, is] = [requestOf(before), requestOf(now)];
      if (was.status !== 'pending' || is.status !== 'decided' || is.decision.verdict !== 'approve') return;
      const { by, signIn } = is.decision;
      const votes = [...is.votes, { by, signIn }].flatMap((vote) =>
        vote.by ? [{ id: vote.by.id, isSigned: vote.signIn !== undefined }] : [],
      );
      const complete = completeBy({ ...before, now: now.now }, votes);
      for (const place of placesToCome(before)) expect([place, complete.get(place)]).toEqual([place, true]);
    });
  });

  it('learning something never makes a complete approval incomplete, and nothing is ever opened again but by undoing it', () => {
    always((before, now) => {
      const [was, is] = [requestOf(before), requestOf(now)];
      if (was.status === 'decided' && !now.happened.includes('undone')) {
        expect(is.status).toBe('decided');
        expect('decision' in is && is.decision).toEqual(was.decision);
      }
    });
  });
});
