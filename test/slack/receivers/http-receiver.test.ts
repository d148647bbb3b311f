import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { HttpReceiver } from '../../../src/slack/receivers/http-receiver.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { bareApp } from '../../support/fake-receiver.ts';
import { nowS, proofOf } from '../../support/slack-server.ts';

const SECRET = 'signing secret';

/** How a command is answered whose listener does this, and what is logged. */
async function answerOf(listener: () => void) {
  const { log, text } = readableLog();
  let faults = 0;
  const onFault = () => {
    faults += 1;
  };
  const receiver = new HttpReceiver({ signingSecret: SECRET, log, onFault });
  bareApp(receiver).command('/kickoff', async () => listener());
  const body = 'command=%2Fkickoff&user_id=U1&team_id=T1&channel_id=C1&trigger_id=1.2';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...proofOf({ secret: SECRET, body }) };
  const { status } = await receiver.receive({ headers, body: Buffer.from(body) });
  const lines: unknown[] = text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { status, faults, lines };
}

it.each<[string, () => void, string]>([
  ['a mistake in our code', () => Object(null).missing.field, 'TypeError'],
  ['stored text that isn’t what we stored', () => z.string().parse(1), 'ZodError'],
  ['an error with a code', () => process.chdir('/no/such/folder'), 'Error'],
])('%s is a fault, answered with 500 and logged with its stack', async (_, listener, type) => {
  const { status, faults, lines } = await answerOf(listener);
  expect([status, faults]).toEqual([500, 1]);
  const err = { type, stack: expect.stringContaining('http-receiver.test.ts') };
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, msg: 'a listener failed', err: expect.objectContaining(err) }),
  ]);
});

it('counts refused requests by their reason, and warns of each once a minute without their content', async () => {
  const { log, text } = readableLog();
  const counts: Record<string, number> = {};
  let now = 0;
  const receiver = new HttpReceiver({
    signingSecret: SECRET,
    log,
    now: () => now,
    onRefused: (reason) => {
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
  });
  const body = 'command=%2Fkickoff&text=Hush';
  const send = (headers: IncomingHttpHeaders) =>
    receiver.refuse(headers) ?? receiver.receive({ headers, body: Buffer.from(body) });
  const sendAll = async () => {
    for (const proof of [
      {},
      proofOf({ secret: 'another secret', body }),
      proofOf({ secret: 'another secret', body, stamp: nowS() - 600 }),
      proofOf({ secret: SECRET, body, stamp: nowS() - 600 }),
      proofOf({ secret: SECRET, body, stamp: nowS() + 600 }),
    ])
      expect((await send(proof)).status).toBe(401);
  };
  const warnings = () =>
    text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ level, reason, aheadOfSlackS }) => ({ level, reason, aheadOfSlackS }));
  const once = [
    { level: 40, reason: 'unsigned' },
    { level: 40, reason: 'signature' },
    { level: 40, reason: 'clock', aheadOfSlackS: expect.closeTo(600, -1) },
  ];
  await sendAll();
  now = 59_999;
  await sendAll();
  expect(warnings()).toEqual(once);
  expect(counts).toEqual({ unsigned: 2, signature: 4, clock: 4 });
  now = 60_000;
  await sendAll();
  expect(warnings()).toEqual([...once, ...once]);
  expect(text()).not.toContain('Hush');
});
