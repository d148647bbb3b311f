import { expect, it } from 'vitest';
import { sharedWorkspace } from '../support/scripted-app.ts';

const playground = sharedWorkspace();

it('challenges a request URL as Slack does when it is entered', async () => {
  // https://docs.slack.dev/reference/events/url_verification
  const { slack, app } = playground;
  app.reply = ({ payload }) => ({ body: { challenge: String(payload.challenge) } });
  expect(await slack.verifyRequestUrl()).toBe(true);
  app.reply = ({ payload }) => ({ body: String(payload.challenge) });
  expect(await slack.verifyRequestUrl()).toBe(true);
  app.reply = () => ({ body: 'hello' });
  expect(await slack.verifyRequestUrl()).toBe(false);
});

it('delivers the same thing again on request', async () => {
  const { slack, app } = playground;
  app.reply = () => ({});
  await slack.as('maria').command('#general', '/kickoff', 'once');
  expect(await slack.redeliver('/kickoff')).toMatchObject({ ok: true });
  const [first, second] = app.received.slice(-2);
  expect(second?.payload).toEqual(first?.payload);
  expect(await slack.redeliver('view_submission')).toBeUndefined();
});
