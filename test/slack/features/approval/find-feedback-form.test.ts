import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../../src/core/approval/policy/policy.ts';
import { cardModel } from '../../../../src/core/messages/view-models.ts';
import { StoreUnavailable } from '../../../../src/core/ports.ts';
import { findFeedbackForm } from '../../../../src/slack/features/approval/feedback.ts';
import { pending } from '../../../support/approvals.ts';
import { execution } from '../../../support/executions.ts';

it('the form for feedback opens although the node with what a person sent before is away', async () => {
  const run = execution({ approvals: [pending()] });
  const [asked = pending()] = run.approvals;
  const away = async () => {
    throw new StoreUnavailable('no answer');
  };
  const form = await findFeedbackForm(
    {
      outputs: { get: async () => 'A draft.', put: away },
      recentFeedback: { add: away, latest: away },
    },
    { card: cardModel(run, asked), policy: DEFAULT_POLICY },
    'U_JON',
  );
  expect(form).toMatchObject({ output: 'A draft.', recent: [] });
});
