import { createHmac, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/ledger/entry.ts';
import { policyDocument, policyHash } from '../../../src/core/policy/document.ts';
import { webhookKeys } from '../../../src/ledger/sink/webhook.ts';
import { ledgerKey, policiesKey, treeKey } from '../../../src/redis/keys.ts';
import { readSinkLag } from '../../../src/redis/ledger/sink.ts';
import { eventually, redisForTests } from '../../redis/store-under-test.ts';
import { everyNth } from '../../support/sample.ts';
import { killedClient } from '../intercepted-client.ts';
import { AUDIT_DAYS, append, exported, POLICY, refOf, SECRET, seed, sent } from '../ledger-under-test.ts';
import { provenBy } from './outsider.ts';
import { type Siem, startSiem } from './siem.ts';
import { isUpToDate, logging, receiverOf, seal, startSending, stateKeyOf, webhookAt } from './sink-under-test.ts';

const { redis, another } = redisForTests();
const siemFor = async (secret = SECRET) => {
  const siem = await startSiem(secret);
  return { siem, settings: webhookAt(siem.url) };
};

/** All entries as the ledger has them, in the order in which they were sealed. */
async function sealedHashes(): Promise<string[]> {
  const lines = (await exported(redis())).split('\n').filter((line) => line.includes('"kind":'));
  return lines.map((line) => JSON.parse(line).hash);
}

const hashesOf = (siem: Siem) => siem.entries().map(({ entry }) => entry.hash);

it('sends every entry once, in the order of the ledger, with policies and checkpoints that prove it', async () => {
  const { siem, settings } = await siemFor();
  await seed(redis(), 70);
  await seal(redis());
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await append(redis(), refOf(100));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  const records = siem.taken().flatMap((data) => data.records);
  expect(records.filter((record) => 'entry' in record)).toHaveLength(356);
  expect(hashesOf(siem)).toEqual(await sealedHashes());
  expect(provenBy(records)).toEqual([351, 356]);
  const inForce = records.findIndex((record) => 'entry' in record && record.entry.kind === 'policy');
  expect(records[inForce - 1]).toEqual({ policy: { document: policyDocument(POLICY), hash: policyHash(POLICY) } });
  const batches = siem.taken();
  expect(batches).toHaveLength(4);
  for (const [i, { from }] of batches.entries()) expect(from).toBe(i === 0 ? 0 : batches[i - 1]?.until);
  for (const { body } of siem.seen) expect(body.length).toBeLessThan(100_000);
});

it('signs each by the standard, with a name that tells it from all others, and tampering shows', async () => {
  const { siem, settings } = await siemFor();
  await seed(redis(), 2);
  await seal(redis());
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  const { headers = {}, body = '' } = siem.seen[0] ?? {};
  const [secret = ''] = webhookKeys([SECRET]);
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  expect(key).toHaveLength(32);
  expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  expect(id).toMatch(/^entries_[0-9a-f]{32}$/);
  const told = headers as Record<string, string>;
  const webhook = new Webhook(secret);
  expect(webhook.verify(body, told)).toMatchObject({ type: 'audit.entries' });
  expect(() => webhook.verify(body.replace('U0MARIA', 'U0MALLO'), told)).toThrow('No matching signature');
  expect(() => webhook.verify(body, { ...told, 'webhook-id': `entries_${'0'.repeat(32)}` })).toThrow();
  expect(() => webhook.verify(body, { ...told, 'webhook-timestamp': String(Number(timestamp) - 600) })).toThrow(
    'too old',
  );
  const other = new Webhook(webhookKeys(['another secret of at least thirty-two characters'])[0] ?? '');
  expect(() => other.verify(body, told)).toThrow('No matching signature');
});

it('a receiver with the new secret and one with the old both take what is sent while secrets rotate', async () => {
  const newer = 'a newer secret of at least thirty-two characters';
  await seed(redis(), 1);
  await seal(redis());
  for (const known of [SECRET, newer]) {
    const { siem, settings } = await siemFor(known);
    startSending(another(), settings, { secrets: [newer, SECRET] });
    await eventually(() => isUpToDate(redis(), settings));
    expect(siem.seen[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(hashesOf(siem)).toEqual(await sealedHashes());
  }
});

it('a receiver that is away for an hour loses nothing and blocks nothing, and people are told of it once', async () => {
  const { siem, settings } = await siemFor();
  const posts: string[] = [];
  const { log, messages } = logging();
  const post = async (text: string) => void posts.push(text);
  await siem.goAway();
  await seed(redis(), 1);
  await seal(redis());
  for (const client of [redis(), another()]) startSending(client, settings, { log, post });
  await eventually(async () => (await redis().hget(stateKeyOf(settings), 'tries')) !== null);
  for (let run = 1; run <= 60; run++) {
    await append(redis(), refOf(run));
    await seal(redis());
    await eventually(async () => Number(await redis().hget(stateKeyOf(settings), 'tries')) > run);
  }
  expect(posts).toEqual([]);
  expect(await readSinkLag(redis(), receiverOf(settings).id, AUDIT_DAYS)).toMatchObject({ unsent: 306, missed: 0 });
  await redis().hincrby(stateKeyOf(settings), 'failing-since', -60 * 60_000);
  await eventually(async () => posts.length === 1);
  const tries = Number(await redis().hget(stateKeyOf(settings), 'tries'));
  await eventually(async () => Number(await redis().hget(stateKeyOf(settings), 'tries')) > tries + 5);
  await siem.comeBack();
  await eventually(async () => posts.length === 2);
  expect(hashesOf(siem)).toEqual(await sealedHashes());
  const records = siem.taken().flatMap((data) => data.records);
  expect(records.filter((record) => 'entry' in record)).toHaveLength(306);
  expect(provenBy(records)).toEqual([6, 306]);
  await append(redis(), refOf(100));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  const { host } = new URL(siem.url);
  expect(posts).toEqual([
    `:warning: *Audit* – AUDIT_SINK (${host}) has taken nothing for 1 hour: it doesn't answer (ECONNREFUSED). Unsent: 306 entries, each kept for 400 days. What to do is in docs/operations.md of Signoff, under *Alerts*.`,
    `:white_check_mark: *Audit* – AUDIT_SINK (${host}) takes entries again, and has got all that waited.`,
  ]);
  // Each process says it once.
  expect(messages().filter((msg) => msg.startsWith('could not send'))).toHaveLength(2);
});

const hang = () => {};
const endless = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/plain' });
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};
const plain =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end();

it.each<[string, (response: ServerResponse) => void, string]>([
  ['hangs', hang, "it doesn't answer (TimeoutError)"],
  ['hangs up', (response) => void response.destroy(), "it doesn't answer (UND_ERR_SOCKET)"],
  ['answers 500', plain(500), 'it answers 500'],
  ['answers 400', plain(400), 'it answers 400'],
  ['answers 410', plain(410), 'it answers 410'],
  ['answers 500 without end', endless(500), 'it answers 500'],
])('what a receiver that %s does not take is sent again, the same', async (_, answering, why) => {
  const { siem, settings } = await siemFor();
  const { log, lines } = logging();
  siem.answerWith(answering);
  await seed(redis(), 3);
  await seal(redis());
  startSending(redis(), settings, { log, ...(answering === hang && { answerMs: 300 }) });
  await eventually(async () => siem.seen.length > 2);
  await append(redis(), refOf(9));
  await seal(redis());
  siem.answerWith('take');
  await eventually(() => isUpToDate(redis(), settings));
  expect(hashesOf(siem)).toEqual(await sealedHashes());
  // A busy machine may hang, too.
  expect(new Set(siem.taken().map(({ from, until }) => `${from}-${until}`))).toEqual(new Set(['0-16', '16-21']));
  expect(new Set(siem.seen.slice(0, 3).map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  expect(lines.map((line) => JSON.parse(line).why)).toEqual([why]);
});

it('follows no redirect', async () => {
  const { siem, settings } = await siemFor();
  const { siem: elsewhere } = await siemFor();
  siem.answerWith(plain(301, { location: elsewhere.url }));
  await seed(redis(), 1);
  await seal(redis());
  const { log, lines } = logging();
  startSending(redis(), settings, { log });
  await eventually(async () => siem.seen.length > 2);
  expect(elsewhere.seen).toEqual([]);
  expect(lines.map((line) => JSON.parse(line).why)).toEqual(['it answers 301']);
  siem.answerWith('take');
  await eventually(() => isUpToDate(redis(), settings));
});

it('takes the word of a receiver whose answer has no end', async () => {
  const { siem, settings } = await siemFor();
  siem.answerWith(endless(200));
  await seed(redis(), 1);
  await seal(redis());
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  expect(siem.seen).toHaveLength(1);
});

it('several processes send each entry once, while others are sealed', async () => {
  const { siem, settings } = await siemFor();
  await seed(redis(), 1);
  for (const client of [redis(), another(), another()]) startSending(client, settings, { everyMs: 2 });
  for (let run = 1; run <= 40; run++) {
    await append(redis(), refOf(run));
    await seal(redis());
  }
  await eventually(() => isUpToDate(redis(), settings));
  const records = siem.taken().flatMap((data) => data.records);
  expect(records.filter((record) => 'entry' in record)).toHaveLength(206);
  expect(hashesOf(siem)).toEqual(await sealedHashes());
});

/** How many commands it takes to send a batch and to find that there is no more. */
const STEPS = Array.from({ length: 14 }, (_, i) => i + 1);
const KILLS = STEPS.flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
]);

it.each(everyNth(3, KILLS, randomInt(3)))(
  'a process killed $when its command $step leaves all to the next one, which sends the same',
  async ({ step, when }) => {
    const { siem, settings } = await siemFor();
    await seed(redis(), 2);
    await seal(redis());
    await startSending(killedClient(redis(), step, when), settings).stop();
    await append(redis(), refOf(9));
    await seal(redis());
    // It doesn't come back, so its time runs out.
    await redis().hset(stateKeyOf(settings), 'held-until', 0);
    startSending(another(), settings);
    await eventually(() => isUpToDate(redis(), settings));
    expect(hashesOf(siem)).toEqual(await sealedHashes());
    const byId = new Map(siem.seen.map(({ headers, body }) => [headers['webhook-id'], body]));
    for (const { headers, body } of siem.seen) expect(body).toBe(byId.get(headers['webhook-id']));
  },
);

it('a process that was overtaken while it sent moves nothing', async () => {
  const { siem, settings } = await siemFor();
  await seed(redis(), 1);
  await seal(redis());
  const held: ServerResponse[] = [];
  siem.answerWith((response) => void held.push(response));
  startSending(redis(), settings);
  await eventually(async () => held.length === 1);
  await redis().hset(stateKeyOf(settings), 'held-until', 0);
  siem.answerWith('take');
  startSending(another(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await append(redis(), refOf(9));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  held[0]?.writeHead(200).end();
  await append(redis(), refOf(10));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  expect(siem.taken().map(({ from, until }) => [from, until])).toEqual([
    [0, 6],
    [6, 11],
    [11, 16],
  ]);
});

it('sends what is there at the start, and tells apart what had expired by then and what expires unsent', async () => {
  const { siem, settings } = await siemFor();
  const { log, lines } = logging();
  const lag = () => readSinkLag(redis(), receiverOf(settings).id, AUDIT_DAYS);
  await append(redis(), 'crew:old', Array(300).fill(sent));
  await seal(redis());
  await seed(redis(), 2);
  await seal(redis());
  await redis().del(ledgerKey('crew:old'));
  siem.answerWith(plain(500));
  startSending(redis(), settings, { log });
  await eventually(async () => siem.seen.length > 0);
  expect(await lag()).toEqual({ unsent: 311, lagMs: AUDIT_DAYS * 24 * 60 * 60_000, missed: 0 });
  for (const run of [8, 9]) {
    await append(redis(), refOf(run));
    await seal(redis());
  }
  await redis().del(ledgerKey(refOf(8)));
  siem.answerWith('take');
  await eventually(() => isUpToDate(redis(), settings));
  expect(siem.entries().map(({ index }) => index)).toEqual([...range(300, 311), ...range(316, 321)]);
  expect(await lag()).toEqual({ unsent: 0, lagMs: 0, missed: 5 });
  expect(lines.filter((line) => line.includes('were gone before')).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 50, missed: 5, sink: new URL(siem.url).host }),
  ]);
});

const range = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);

it('signs nothing that is not what was sealed', async () => {
  const { siem, settings } = await siemFor();
  const { log, lines } = logging();
  await seed(redis(), 2);
  await seal(redis());
  const stored = JSON.parse((await redis().lindex(ledgerKey(refOf(0)), 2)) ?? '');
  await redis().lset(ledgerKey(refOf(0)), 2, JSON.stringify({ ...stored, at: stored.at + 1 }));
  await redis().hset(policiesKey, policyHash(POLICY), canonicalJson({ ...policyDocument(POLICY), quorum: 1 }));
  startSending(redis(), settings, { log });
  await eventually(() => isUpToDate(redis(), settings));
  // The changed one, and those that follow on it.
  expect(siem.entries().filter(({ entry }) => entry.ref === refOf(0))).toHaveLength(2);
  expect(siem.entries()).toHaveLength(8);
  expect(siem.taken().flatMap(({ records }) => records.filter((record) => 'policy' in record))).toEqual([]);
  const note = (await redis().hget(treeKey, 'note')) ?? '';
  await redis().hset(treeKey, 'note', note.replace('signoff\n11\n', 'signoff\n12\n'), 'size', 12);
  await eventually(async () => lines.some((line) => line.includes("the ledger can't be read")));
  expect(siem.entries()).toHaveLength(8);
});

it('a new address gets everything, and a new token at the same address goes on', async () => {
  const { siem } = await siemFor();
  await seed(redis(), 1);
  await seal(redis());
  for (const path of ['?token=one', '?token=two', '/other']) {
    const sink = startSending(another(), webhookAt(`${siem.url}${path}`));
    await eventually(() => isUpToDate(redis(), webhookAt(`${siem.url}${path}`)));
    await sink.stop();
  }
  expect(siem.seen.map(({ path }) => path)).toEqual(['/hook?token=one', '/hook/other']);
});

it('begins again where the ledger is another one', async () => {
  const { siem, settings } = await siemFor();
  await seed(redis(), 1);
  await seal(redis());
  await redis().hset(stateKeyOf(settings), { sent: 7, begin: 7, until: 9, tries: 3 });
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  expect(siem.taken().map(({ from, until }) => [from, until])).toEqual([[0, 6]]);
});

it('gives a login as a header, and says no more of the address than its host', async () => {
  const { siem } = await siemFor();
  const { log, lines } = logging();
  const posts: string[] = [];
  const url = siem.url.replace('//', '//collector:p%40ss%2Fword@').concat('/TOKEN-in-path?key=TOKEN-in-query');
  siem.answerWith(plain(403));
  await seed(redis(), 1);
  await seal(redis());
  startSending(redis(), webhookAt(url), { log, post: async (text) => void posts.push(text) });
  await eventually(async () => siem.seen.length > 0);
  await redis().hset(stateKeyOf(webhookAt(url)), 'failing-since', 0);
  await eventually(async () => posts.length > 0);
  await siem.goAway();
  await eventually(async () => lines.some((line) => line.includes('ECONNREFUSED')));
  expect(siem.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('collector:p@ss/word').toString('base64')}`);
  const said = [...lines, ...posts].join('\n');
  expect(said).toContain(new URL(url).host);
  expect(said).not.toMatch(/collector|ss%2Fword|ss\/word|TOKEN|hook/);
});

it('costs one command a minute while there is nothing to send', async () => {
  const { settings } = await siemFor();
  await seed(redis(), 1);
  await seal(redis());
  const sink = startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await sink.stop();
  const commands = async () => (await redis().info('commandstats')).matchAll(/cmdstat_(\w+):calls=(\d+)/g);
  await redis().config('RESETSTAT');
  const idle = startSending(redis(), settings);
  const scripts = async () => [...(await commands())].find(([, name]) => name === 'evalsha')?.[2];
  await eventually(async () => Number(await scripts()) > 5);
  await idle.stop();
  const counts = new Map([...(await commands())].map(([, name, calls]) => [name, calls]));
  // Each script asks for the time once.
  expect(counts.get('evalsha')).toBe(counts.get('time'));
  for (const other of ['lrange', 'get', 'hset', 'hmget', 'eval']) expect(counts.get(other)).toBeUndefined();
});

it('goes on while Redis is away, and what it sends then', async () => {
  const { siem, settings } = await siemFor();
  const { log, messages } = logging();
  await seed(redis(), 1);
  await seal(redis());
  startSending(killedClient(redis(), 3, 'before'), settings, { log });
  await eventually(async () => messages().length > 0);
  startSending(redis(), settings);
  await redis().hset(stateKeyOf(settings), 'held-until', 0);
  await eventually(() => isUpToDate(redis(), settings));
  expect(hashesOf(siem)).toEqual(await sealedHashes());
  expect(new Set(messages())).toEqual(new Set(['could not work for AUDIT_SINK; trying again in a minute']));
});
