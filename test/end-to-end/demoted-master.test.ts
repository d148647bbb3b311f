import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import type { Fixture } from '../support/fixture.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { isFollowing, onNode, untilSaid } from '../support/redis-cluster.ts';
import { startWorld, type World } from '../support/world.ts';

/** The bot is left behind on a server that isn't the master any more, and that lacks what others have stored since. */
describe.concurrent('a bot on a demoted master, where a replica must confirm', () => {
  let world: World;
  let replica: TestRedis;
  let port: number;
  let fixture: Fixture;
  let card: Message;
  let ref: string;
  const program = askingProgram(() => port, 'crew-1');

  beforeAll(async () => {
    world = await startWorld({ fixtures: 1, redisOfBots: 'one server', env: { REDIS_MIN_REPLICAS: '1' } });
    const follow = ['--replicaof', '127.0.0.1', String(world.redis.port), '--repl-diskless-sync-delay', '0'];
    replica = await startRedis({ args: follow });
    port = await freePort();
    await onNode(replica, (client) => untilSaid(client, ['INFO', 'replication'], isFollowing));
    await world.startBot({ port });
    fixture = await world.fixture();
    await fixture.start();
    card = await fixture.linkedCard();
    ref = refOf(await program.ask());
    await fixture.jon.click('Reject…', { in: card });
    await fixture.jon.fill('What should change?', 'Please cite the sources.');

    const [old, promoted] = [new Redis(world.redis.socketPath), new Redis(replica.socketPath)];
    await promoted.replicaof('NO', 'ONE');
    for (const key of await old.keys('signoff:*:execution:*')) await old.del(key);
    for (const key of await old.keys('signoff:*:id:*')) await old.del(key);
    for (const client of [old, promoted]) client.disconnect();
  });
  afterAll(async () => {
    await world.stop();
    await replica.stop();
  });

  it('asks a crew to notify it again, as it can’t know that a run is gone', async () => {
    const [kickoff] = await fixture.asked('kickoff', 1);
    const { humanInputWebhook, taskWebhookUrl } = JSON.parse(kickoff?.body ?? '{}');
    const headers = {
      authorization: `Bearer ${humanInputWebhook.authentication.token}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      execution_id: 'e-unknown',
      task_id: 't1',
      task_output: 'A draft',
      kickoff_id: 'k-unknown',
      output: 'A draft',
    });
    for (const url of [humanInputWebhook.url, taskWebhookUrl])
      expect((await fetch(url, { method: 'POST', headers, body })).status, url).toBe(503);
  });

  it('asks a program to look again for what it has asked', async () => {
    expect((await program.fetch(ref)).status).toBe(503);
    expect((await program.withdraw(ref)).status).toBe(503);
  });

  it('asks a person to send a form again, with what they have typed', async () => {
    await expect(fixture.jon.submit()).rejects.toThrow('app_error');
    expect(await fixture.jon.screen()).toContain('We had some trouble connecting. Try again?');
  });

  it('asks a person to click again, and doesn’t say that the request is gone', async () => {
    await expect(fixture.maria.click('Approve', { in: card })).rejects.toThrow('app_error');
    expect(await fixture.maria.screen()).not.toContain('doesn’t have this');
  });
});
