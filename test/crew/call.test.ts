import { expect, it } from 'vitest';
import { createCaller } from '../../src/crew/call.ts';
import { startAnsweringServer } from './answering-server.ts';

it('a call waits for its answer while others go to any number of addresses, and none is made once they are closed', async () => {
  const servers = await Promise.all(Array.from({ length: 40 }, startAnsweringServer));
  const caller = createCaller();
  const call = (baseUrl: string) => {
    const limits = { until: performance.now() + 10_000, mostBytes: 1_000 };
    return caller.once({ method: 'POST', baseUrl, path: '/', token: null, body: '{}', ...limits });
  };
  const [slow, ...others] = servers;
  const waiting = new Promise<() => void>((resolve) => {
    slow?.answerWith((response) => resolve(() => response.end('{}')));
  });
  const answer = call(slow?.origin ?? '');
  const endWait = await waiting;
  for (const { origin } of [...others, ...others])
    expect(await call(origin)).toMatchObject({ kind: 'answered', status: 200 });
  endWait();
  expect(await answer).toMatchObject({ kind: 'answered', status: 200 });
  for (const { received } of others)
    expect(new Set(received.map(({ connection }) => connection))).toEqual(new Set([1, 2]));
  await caller.close();
  expect(await call(slow?.origin ?? '')).toMatchObject({ kind: 'not-sent' });
  await Promise.all(servers.map((server) => server.close()));
});
