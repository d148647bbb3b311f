import { expect, it } from 'vitest';
import { LOOK_AGAIN_MS, recordShortages, reportedUndecidable } from '../../../src/core/request/undecidable.ts';
import type { Shortage } from '../../../src/core/state/shortage.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import { execution } from '../../support/executions.ts';
import { decided, JON, MARIA, pending, RULES, START, vote } from '../../support/requests.ts';

const NOW = START + 60_000;
const NOBODY: Shortage = {
  ...{ place: '', stage: null, isOpen: true, lack: 'nobody', why: 'inactive', needed: 1, untilEscalated: false },
  ...{ approvers: ['@leads'], left: [] },
};
const KNOWN = { since: START, shortages: [NOBODY], isLeftToNobody: true, isReported: true };

it.each([
  [
    'is said once, to the starter',
    null,
    [NOBODY],
    { since: NOW, isLeftToNobody: true, isReported: false },
    ['undecidable'],
  ],
  ['is not said again', KNOWN, [NOBODY], KNOWN, []],
  [
    'is known since it was said',
    KNOWN,
    [{ ...NOBODY, isOpen: false }],
    { since: START, isLeftToNobody: false, isReported: true },
    [],
  ],
  ['is taken back once people can', KNOWN, [], null, ['decidable']],
  ['is not said while people can', null, [], null, []],
  ['stays while Slack can’t tell', KNOWN, 'unsure' as const, KNOWN, []],
])('that nobody can decide %s', (_, undecidable, shortages, wanted, alerts) => {
  const request = pending({ undecidable });
  const found = { judged: request, shortages };
  const [after] = recordShortages(execution({ requests: [request] }), found, RULES, NOW).requests;
  if (wanted === null) expect(after?.discussion.undecidable).toBeNull();
  else expect(after?.discussion.undecidable).toMatchObject(wanted);
  expect(after?.discussion.alerts.map(({ kind }) => kind)).toEqual(alerts);
  expect(after?.discussion.alerts.flatMap(({ mentions }) => mentions)).toEqual(
    alerts[0] === 'undecidable' ? [MARIA.id] : [],
  );
});

it.each([
  ['after ten minutes', pending(), {}, NOW, LOOK_AGAIN_MS],
  ['sooner, where that is asked', pending(), { lookAgainMs: 1_000 }, NOW, 1_000],
  ['hourly after a day', pending(), {}, START + DAY_MS, 3_600_000],
  ['seldom after a day, where that is asked', pending(), { lookAgainMs: DAY_MS }, START + DAY_MS, DAY_MS],
  ['at once, where somebody has voted meanwhile', pending({ votes: [vote(JON)] }), {}, NOW, 0],
])('who can decide is looked up again %s', (_, request, change, now, pauseMs) => {
  const found = { judged: pending(), shortages: [], ...change };
  const [after] = recordShortages(execution({ requests: [request] }), found, RULES, now).requests;
  expect(after?.discussion.times.lookAt).toBe(now + pauseMs);
});

it('a request that is decided or was never short stays as it is, and operators are told once', () => {
  const closed = execution({ requests: [decided()] });
  expect(recordShortages(closed, { judged: pending(), shortages: [NOBODY] }, RULES, NOW)).toBe(closed);
  expect(reportedUndecidable(closed, '1')).toBe(closed);
  expect(reportedUndecidable(closed, '7')).toBe(closed);
  const short = execution({ requests: [pending({ undecidable: { ...KNOWN, isReported: false } })] });
  expect(reportedUndecidable(short, '1').requests[0]?.discussion.undecidable).toEqual(KNOWN);
});
