import { afterAll, beforeAll, expect, it } from 'vitest';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { CHANNEL, GUARDED, KICKER } from '../../app/listeners/requests/cast.ts';
import { createDispatching } from '../../app/listeners/requests/dispatching.ts';
import { startObligingSlack } from '../../app/listeners/requests/outcome.ts';
import { type AnsweringSlack, refusal } from '../../directory/answering-slack.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

const INPUTS = { kind: 'inputs' as const, names: ['topic'], skipped: [] };

it('a start that a repeated delivery stores first is told in the modal of the first delivery, and once', async () => {
  const { store, send } = createDispatching(redis(), slack, { startAnswer: null });
  const answers: (() => void)[] = [];
  const delivered = () =>
    send(
      {
        command: '/kickoff',
        text: `${GUARDED.name} topic=tea`,
        channel_id: CHANNEL,
        user_id: KICKER,
        trigger_id: 'delivered.twice',
      },
      {
        kind: 'command',
        crew: GUARDED,
        crewInputs: { inputs: () => new Promise((resolve) => answers.push(() => resolve(INPUTS))) },
      },
    );
  slack.answers['views.open'] = () => ({ view: { id: 'VFIRST' } });
  const first = delivered();
  await expect.poll(() => slack.calls()).toContain('views.open');
  slack.answers['views.open'] = () => refusal('exchanged_trigger_id');
  const repeat = delivered();
  await expect.poll(() => slack.calls().filter((method) => method === 'views.open')).toHaveLength(2);
  const [answerFirst, answerRepeat] = answers;

  answerRepeat?.();
  expect((await repeat).acks).toEqual([{}]);
  const [ref = ''] = (await store.openIn(CHANNEL)).map(({ ref: each }) => each);
  expect((await store.load(ref))?.execution.origin.kind).toBe('command');

  answerFirst?.();
  expect((await first).acks).toEqual([{}]);
  expect(await store.openIn(CHANNEL)).toHaveLength(1);
  expect((await store.load(ref))?.execution.origin).toMatchObject({ kind: 'form', form: { viewId: 'VFIRST' } });
  expect(slack.calls().filter((method) => method.startsWith('chat.'))).toEqual([]);
});
