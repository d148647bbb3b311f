import { expect, it } from 'vitest';
import { hasText, refuseRequest, weightOf } from '../../../src/core/execution/limits.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { execution, request } from '../../support/executions.ts';
import { delivered, output, pending } from '../../support/requests.ts';

const MOST_TEXT = 100 * 1_048_576;
const many = (count: number, each: (i: number) => HumanRequest) => Array.from({ length: count }, (_, i) => each(i));

it.each<[string, number, (i: number) => HumanRequest]>([
  ['open-requests', 50, (i) => pending({ id: `${i}`, taskId: `t${i}` })],
  ['rounds', 100, (i) => delivered({ id: `${i}`, taskId: 'draft' })],
  ['requests', 1_000, (i) => delivered({ id: `${i}`, taskId: `t${i}` })],
  ['texts', 101, (i) => delivered({ id: `${i}`, taskId: `t${i}`, output: output(`${i}`, MOST_TEXT / 100) })],
])('a run that has met the limit of %s is asked nothing more', (limit, most, each) => {
  expect(refuseRequest(execution({ requests: many(most, each) }), request())).toMatchObject({
    ok: false,
    refusal: { kind: 'beyond-limit', limit, isFirst: true },
  });
  expect(refuseRequest(execution({ requests: many(most - 2, each) }), request())).toBeNull();
});

it('further rounds of a task that is open are no further open requests', () => {
  const requests = [
    ...many(49, (i) => pending({ id: `${i}`, taskId: `t${i}` })),
    pending({ id: 'x', taskId: 'draft' }),
  ];
  expect(refuseRequest(execution({ requests }), request())).toBeNull();
});

it('a text counts once, and a notification for at least a kilobyte', () => {
  const each = execution({ requests: [pending({ output: output('all', MOST_TEXT) })] });
  expect(refuseRequest(each, request({ output: output('all', MOST_TEXT) }))).toBeNull();
  expect(refuseRequest(each, request({ output: output('more', 1) }))).toMatchObject({ refusal: { limit: 'texts' } });
  expect([hasText(each, output('all', MOST_TEXT)), hasText(each, output('more', 1))]).toEqual([true, false]);
  expect(weightOf('four')).toBe(1_028);
});
