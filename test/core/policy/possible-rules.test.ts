import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, SEED } from '../../support/sample.ts';
import { begin, completeBy, type Played, placesOf, placesToCome, play, plays, requestOf } from './possible/play.ts';

const RUNS = { ...runs({ some: 500, all: 5_000 }), seed: SEED };

type Promised = (before: Played, now: Played) => void;

function playAll([beginning, moves]: typeof plays extends fc.Arbitrary<infer Each> ? Each : never): Played[] {
  const all = [begin(beginning)];
  for (const move of moves) for (const last of all.slice(-1)) all.push(play(last, move));
  return all;
}

/** Playing them takes most of the time, and nothing changes them: all promises are tried on the same ones. */
const PLAYED = new Map<typeof RUNS, Played[][]>();

/** Tries the promise after each move of many random requests, of which `play` itself expects all that the oracle knows. */
function always(promise: Promised): void {
  const tryOn = (all: Played[]) => {
    for (const [i, now] of all.entries()) promise(all[i - 1] ?? now, now);
  };
  try {
    const played = PLAYED.get(RUNS) ?? fc.sample(plays, RUNS).map(playAll);
    PLAYED.set(RUNS, played);
    for (const all of played) tryOn(all);
  } catch (broken) {
    fc.assert(
      fc.property(plays, (each) => tryOn(playAll(each))),
      RUNS,
    );
    throw broken;
  }
}

describe('whatever the rules are, whoever votes, and whatever is learned in whichever order', () => {
  it('the possible rules are those that can turn out to apply, and learning leaves fewer of them', () => {
    always((before, now) => {
      const [places, placesBefore] = [placesOf(now), placesOf(before)];
      expect(places).toEqual([...now.rules.keys()]);
      if (places.length !== placesBefore.length) expect(placesBefore).toEqual(expect.arrayContaining(places));
      for (const place of placesToCome(now)) if (!places.includes(place)) expect(places).toContain(place);
    });
  });

  it('an approval that was completed would have been complete under whatever turns out to apply', () => {
    always((before, now) => {
      const [was, is] = [requestOf(before), requestOf(now)];
      if (was.state.status !== 'pending' || is.state.status !== 'decided' || is.state.decision.verdict !== 'approve')
        return;
      const { by, signIn } = is.state.decision;
      const votes = [...is.discussion.votes, { by, signIn }].flatMap((vote) =>
        vote.by ? [{ id: vote.by.id, isSigned: vote.signIn !== undefined }] : [],
      );
      const complete = completeBy({ ...before, now: now.now }, votes);
      for (const place of placesToCome(now)) expect([place, complete.get(place)]).toEqual([place, true]);
    });
  });

  it('learning something never makes a complete approval incomplete, and nothing is opened again but by undoing it', () => {
    always((before, now) => {
      const [was, is] = [requestOf(before), requestOf(now)];
      if (was.state.status !== 'decided' || now.happened.some((each) => each.endsWith('undone'))) return;
      expect([is.state.status, 'decision' in is.state && is.state.decision]).toEqual([
        was.state.status,
        was.state.decision,
      ]);
    });
  });

  it('the played requests have all of it in them', () => {
    const happened = new Set<string>();
    const missing = () => ALL_KINDS.filter((kind) => !happened.has(kind));
    always((_, now) => {
      for (const each of now.happened) happened.add(each);
    });
    // The rarest kinds may need more of them.
    for (let more = 1; missing().length > 0 && more <= MOST_MORE; more++)
      for (const all of fc.sample(plays, { numRuns: 50, seed: RUNS.seed + more }).map(playAll))
        for (const each of all.flatMap((now) => now.happened)) happened.add(each);
    expect(missing()).toEqual([]);
  });
});

/** Batches of plays besides those of the promises. */
const MOST_MORE = 100;

const ALL_KINDS = [
  ...['decided by one', 'decided by several', 'decided by learning', 'voted by one', 'voted by several', 'stage'],
  ...[
    'named after votes',
    'named pending',
    'named decided',
    'judged incomplete',
    'judged later',
    'withdrawn',
    'undone',
  ],
  ...['edited', 'edits withdrawn', 'edits undone'],
  ...[
    'escalated',
    'refused to undo',
    'refused to decline',
    'refused to reject',
    'reject by several',
    'decline by several',
  ],
  ...['refused: denied', 'refused: right-used', 'refused: sign-in-needed'],
];
