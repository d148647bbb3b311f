import { expect, it } from 'vitest';
import type { LogFacts } from '../../../src/slack/receivers/log-facts.ts';
import { processRequest } from '../../../src/slack/receivers/request.ts';
import { keysIn } from '../../../src/slack/ui/button-value.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { bareApp, FakeReceiver } from '../../support/fake-receiver.ts';

const CLICK = { type: 'block_actions', user: { id: 'UMARIA001' }, actions: [{ action_id: 'approve' }] };

/** The lines about a request whose listener adds these facts, one after the other, and then ends like this. */
async function linesAbout(facts: Partial<LogFacts>[], end: () => void = () => {}): Promise<Record<string, unknown>[]> {
  const { log, text } = readableLog();
  const app = bareApp(new FakeReceiver());
  app.action(/./, async ({ context }) => {
    for (const each of facts) context.addToLog(each);
    end();
  });
  await processRequest(app, { body: CLICK, ack: async () => {}, retry: {} }, { log, onFault: () => {} });
  const lines = text().trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const PRESSED = { by: 'UMARIA001', pressed: 'approve', ref: 'r1', approvalId: '2' };

it('a click leaves one line that says who pressed what, and what became of it', async () => {
  const found = await linesAbout([PRESSED, { action: 'approve', verdict: 'approve', status: 'decided' }]);
  expect(found).toEqual([
    {
      ...{ level: 30, time: expect.any(Number), pid: expect.any(Number), hostname: expect.any(String) },
      ...{ kind: 'block_actions', ...PRESSED, action: 'approve', verdict: 'approve', status: 'decided' },
      msg: 'answered a request',
    },
  ]);
});

it('a request that fails leaves one line with the same facts', async () => {
  const fail = () => {
    throw new Error('away');
  };
  expect(await linesAbout([PRESSED], fail)).toEqual([
    expect.objectContaining({ level: 50, ...PRESSED, msg: 'a listener failed' }),
  ]);
});

it('a request that nobody made leaves none', async () => {
  expect(await linesAbout([])).toEqual([]);
});

it.each([
  ['{"ref":"r1","approvalId":"2"}', { ref: 'r1', approvalId: '2' }],
  ['{"ref":"r1","title":"What a crew wrote"}', { ref: 'r1' }],
  ['{"ref":"What a crew wrote"}', {}],
  ['What a person typed', {}],
  ['', {}],
])('of the value %s only ids are facts', (value, keys) => {
  expect(keysIn(value)).toEqual(keys);
});
