import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardModel } from '../../../../src/core/messages/view-models.ts';
import { DEFAULT_POLICY } from '../../../../src/core/policy/policy.ts';
import { StoreUnavailable } from '../../../../src/core/ports.ts';
import { findFeedbackForm } from '../../../../src/slack/features/card/feedback.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { execution } from '../../../support/executions.ts';
import { pending } from '../../../support/requests.ts';
import { inForce } from '../../../support/rules-in-force.ts';
import { submissionPayload, TEAM } from '../../../support/slack-server.ts';
import { APPROVER } from '../../app/listeners/requests/cast.ts';
import { prepareRun, startObligingSlack } from '../../app/listeners/requests/outcome.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

it.each(['feedback', 'feedback:1', 'feedback:12'])(
  'feedback that is missing is asked for in its field: %s',
  async (id) => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const payload = submissionPayload(
      {
        callbackId: 'give_feedback',
        metadata: approvalValue({ ref: keys.ref, approvalId: '1', hash: pending().question.output.hash }),
        values: {
          'template:1': { any: { type: 'static_select' } },
          [id]: { any: { type: 'plain_text_input', value: ' ' } },
        },
      },
      { by: APPROVER, team: TEAM },
    );
    const { before, after, acks } = await outcomeOf({ kind: 'view_submission', payload: Object(payload) });
    expect(after).toEqual(before);
    expect(acks).toEqual([{ response_action: 'errors', errors: { [id]: 'Write what should change.' } }]);
  },
);

it('says in words what is missing where the form has no field for it', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const payload = submissionPayload(
    {
      callbackId: 'give_reason',
      metadata: approvalValue({ ref: keys.ref, approvalId: '1', hash: pending().question.output.hash }),
      values: {},
    },
    { by: APPROVER, team: TEAM },
  );
  const { before, after, acks } = await outcomeOf({ kind: 'view_submission', payload: Object(payload) });
  expect(after).toEqual(before);
  expect(JSON.stringify(acks)).toContain('Write why you decline this.');
  expect(acks).toMatchObject([{ response_action: 'update' }]);
});

it('the form for feedback opens although the node with what a person sent before is away', async () => {
  const run = execution({ requests: [pending()] });
  const [asked = pending()] = run.requests;
  const away = async () => {
    throw new StoreUnavailable('no answer');
  };
  const form = await findFeedbackForm(
    { recentFeedback: { add: away, latest: away } },
    { card: cardModel(run, asked), policies: [inForce(DEFAULT_POLICY)] },
    'U_JON',
  );
  expect(form).toMatchObject({ comment: 'required', recent: [] });
});
