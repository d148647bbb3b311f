import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../../src/core/state/execution.ts';
import {
  indexChanges,
  indexesOf,
  mayExpire,
  readDecided,
  readEnded,
  refOfPending,
  writeDecided,
} from '../../src/redis/indexes.ts';
import { execution, starting } from '../support/executions.ts';
import {
  decided,
  delivered,
  JON,
  MARIA,
  pending,
  posted,
  refused,
  START,
  sending,
  superseded,
  unconfirmed,
} from '../support/requests.ts';
import { runs } from '../support/sample.ts';
import { anyExecution } from './any-execution.ts';

/** The members of each index with their scores, as Redis has them. */
const placesOf = (each: Execution | null) =>
  new Map<string, number>(
    (each === null ? [] : indexesOf(each)).flatMap(({ key, member, score }) =>
      score === null ? [] : [[`${key} ${member}`, score] as const],
    ),
  );

function changed(before: Execution | null, after: Execution) {
  const places = placesOf(before);
  for (const { key, member, score } of indexChanges(before, after)) {
    if (score === null) places.delete(`${key} ${member}`);
    else places.set(`${key} ${member}`, score);
  }
  return places;
}

describe('an index', () => {
  it('has after each change what it has of the execution as it is then', () => {
    fc.assert(
      fc.property(fc.option(anyExecution), anyExecution, (before, { ref: _, ...next }) => {
        const after = { ...next, ref: before?.ref ?? 'ref1' };
        expect(changed(before, after)).toEqual(placesOf(after));
      }),
      runs({ some: 200, all: 2_000 }),
    );
  });

  const root = posted();
  const LEFT = { unfollowed: { by: MARIA, at: START }, poll: { ...execution().poll, nextAt: null } };
  it.each([
    ['the channel', execution({ root }), execution({ root, channel: 'C2' })],
    ['the thread', execution(), execution({ root })],
    ['the ids', execution({ root, kickoffIds: ['k1'] }), execution({ root, kickoffIds: ['k1', 'k2'] })],
    ['a refused post', execution({ root }), execution({ root: { status: 'due', tries: 3, notBefore: START } })],
    ['a decision', execution({ requests: [pending()] }), execution({ requests: [decided()] })],
  ])('follows a change of %s, and changes nothing else', (_, before, after) => {
    expect(changed(before, after)).toEqual(placesOf(after));
    const changes = indexChanges(before, after).map(({ key, member }) => `${key} ${member}`);
    const [was, is] = [placesOf(before), placesOf(after)];
    for (const place of changes) expect(was.get(place)).not.toBe(is.get(place));
    expect(indexChanges(after, after)).toEqual([]);
  });

  const completed = { status: 'completed', result: null, endedAt: START } as const;
  it.each<[string, Execution, string[]]>([
    ['runs', execution({ run: { status: 'running' } }), ['open', 'runs 1']],
    ['waits for a person', execution({ requests: [pending()] }), ['open', 'pending', 'runs 2']],
    ['starts', starting(), ['open', 'runs 0', 'unanswered 1']],
    ['has ended', execution({ run: completed }), ['ended']],
    ['isn’t confirmed', execution({ run: { status: 'not-confirmed', doubt: 'no-answer', since: START } }), ['open']],
    ['sends a decision', execution({ requests: [sending()] }), ['decided', 'open', 'runs 2', 'unanswered 1']],
    ['has told the crew', execution({ requests: [delivered()] }), ['decided', 'open', 'runs 1']],
    ['could not tell the crew', execution({ requests: [refused()] }), ['decided', 'open', 'runs 2', 'undelivered 0']],
    ['may have told it', execution({ requests: [unconfirmed()] }), ['decided', 'open', 'runs 2', 'undelivered 1']],
    ['isn’t followed, while messages are due', execution(LEFT), ['runs 1']],
    [
      'isn’t followed, but was waiting,',
      execution({ ...LEFT, requests: [superseded({ by: 'unfollowed' })] }),
      ['open', 'runs 1'],
    ],
  ])('lists an execution that %s', (_, each, wanted) => {
    const places = [...placesOf(each)].map(([place, score]) => {
      const name = /open|pending|run-names|runs|unanswered|undelivered|decided|ended|refused/.exec(place)?.[0] ?? place;
      return name === 'runs' || name.startsWith('un') ? `${name} ${score}` : name;
    });
    expect(places.filter((place) => place !== 'run-names').sort()).toEqual(wanted);
  });
});

it.each([
  ['has ended', execution({ run: { status: 'failed', error: 'no', endedAt: START } }), true],
  ['waits', execution({ requests: [pending()] }), false],
  [
    'awaits an answer',
    execution({ run: { status: 'failed', error: 'no', endedAt: START }, requests: [sending()] }),
    false,
  ],
  ['awaits its start', starting(), false],
])('a record of a run that %s may expire: %s', (_, each, wanted) => {
  expect(mayExpire(each)).toBe(wanted);
});

it('what was decided and what has ended is read as it was written, and nothing else is', () => {
  const request = {
    ...{ ref: 'r1', approvalId: '1', crew: 'editorial', task: 'Draft', round: 1, outcome: 'approve' as const },
    ...{ by: [JON.id], askedAt: START, decidedAt: START + 1 },
  };
  expect(readDecided(writeDecided(request), START + 1)).toEqual(request);
  const long = readDecided(writeDecided({ ...request, task: 'x'.repeat(99) }), START);
  expect(long?.task).toHaveLength(40);
  expect([readDecided('{}', START), readDecided('no JSON', START), readEnded('[]', START)]).toEqual([null, null, null]);
  expect(readEnded('{"ref":"r1","startedBy":null}', START)).toEqual({ ref: 'r1', startedBy: null, endedAt: START });
  expect(refOfPending('r:1:2')).toBe('r:1');
});
