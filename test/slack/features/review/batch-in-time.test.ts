import { expect, it } from 'vitest';
import { batchValue } from '../../../../src/slack/features/home/selection.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { pending } from '../../../support/requests.ts';
import { submissionPayload, TEAM } from '../../../support/slack-server.ts';
import { APPROVER, DIRECTORY } from '../../app/listeners/requests/cast.ts';
import { prepareRun, startObligingSlack } from '../../app/listeners/requests/outcome.ts';

const { redis } = redisForTests();

it('answers within Slack’s three seconds, names what isn’t stored by then, and offers it again', async () => {
  const slack = await startObligingSlack();
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { hash } = pending().question.output;
  const metadata = batchValue(['1', '2'].map((approvalId) => ({ ref: keys.ref, approvalId, hash })));
  const submitted = submissionPayload(
    { callbackId: 'approve_batch', metadata, values: {} },
    { by: APPROVER, team: TEAM },
  );
  const sent = { kind: 'view_submission', payload: Object(submitted) } as const;
  const directory = { ...DIRECTORY, account: () => new Promise<null>(() => {}) };
  const began = performance.now();
  const { before, after, acks } = await outcomeOf(sent, { directory: Object(directory) });
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(after).toEqual(before);
  const answer = JSON.stringify(acks);
  for (const words of [
    '*Still open*',
    '*Draft* · guarded · tea · started by Starter: perhaps approved',
    'A request: not approved yet',
    'Approve 2',
  ])
    expect(answer).toContain(words);
  await slack.close();
});
