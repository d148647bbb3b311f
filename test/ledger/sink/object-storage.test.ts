import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readSinkSettings } from '../../../src/config/sink-settings.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import type { SinkSettings } from '../../../src/ledger/sink/receiver.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { eventually, redisForTests } from '../../redis/store-under-test.ts';
import { AUDIT_DAYS, append, exported, refOf, seed } from '../ledger-under-test.ts';
import { provenBy } from './outsider.ts';
import { startS3rver } from './s3rver.ts';
import { RECORD } from './siem.ts';
import { isUpToDate, logging, seal, startSending, stateKeyOf } from './sink-under-test.ts';
import { KEYS, startStrictStorage } from './strict-storage.ts';

const { redis, another } = redisForTests();

function settingsOf(address: string, keys = KEYS, session?: string): SinkSettings {
  const settings = readSinkSettings({
    AUDIT_SINK: address,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_SESSION_TOKEN: session,
  });
  if (!settings.ok || settings.value === null) throw new Error('these settings are valid');
  return settings.value;
}

async function startStorage() {
  const { address, keys, objects } = await startS3rver();
  return { settings: settingsOf(address, keys), objects };
}

const recordsIn = (body: string) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => RECORD.parse(JSON.parse(line)));

it('stores the whole ledger as objects whose names are in its order, each with its range', async () => {
  const { settings, objects } = await startStorage();
  await seed(redis(), 70);
  await seal(redis());
  for (const client of [redis(), another()]) startSending(client, settings);
  await eventually(() => isUpToDate(redis(), settings));
  await append(redis(), refOf(100));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  const stored = await objects();
  expect(stored.map(({ name }) => name.replace(/-[0-9a-f]{32}\.jsonl$/, ''))).toEqual([
    '000000000000-000000000256',
    '000000000256-000000000351',
    '000000000351-000000000356',
  ]);
  const records = stored.flatMap(({ body }) => recordsIn(body));
  expect(provenBy(records)).toEqual([351, 356]);
  const hashes = records.flatMap((record) => ('entry' in record ? [record.entry.hash] : []));
  const exportedLines = (await exported(redis())).split('\n').filter((line) => line.includes('"kind":'));
  expect(hashes).toEqual(exportedLines.map((line) => JSON.parse(line).hash));
});

it('stores the same object again where nobody knows whether it is stored, and never replaces another', async () => {
  const { settings, objects } = await startStorage();
  await seed(redis(), 3);
  await seal(redis());
  const sink = startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await sink.stop();
  const [first] = await objects();
  await redis().hset(stateKeyOf(settings), 'sent', 0);
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  expect(await objects()).toEqual([first]);
  // As after a restored backup: other entries at the same places.
  await redis().flushall();
  await seed(redis(), 2);
  await append(redis(), refOf(50));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  const stored = await objects();
  expect(stored).toHaveLength(2);
  expect(stored).toContainEqual(first);
});

it.each([
  ['none', undefined],
  ['by-default', undefined],
  ['where-asked', 'GOVERNANCE'],
  ['kept from us', undefined],
] as const)('storage whose object lock is %s takes what is signed and sent with a checksum', async (lock, mode) => {
  const storage = await startStrictStorage(lock);
  const settings = settingsOf(`s3://audit?region=us-east-1&endpoint=${storage.endpoint}`, KEYS, 'a session token');
  await seed(redis(), 2);
  await seal(redis());
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await append(redis(), refOf(9));
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  expect(storage.stored).toHaveLength(2);
  for (const { headers, body } of storage.stored) {
    expect(headers['content-md5']).toBe(createHash('md5').update(body).digest('base64'));
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(headers['x-amz-security-token']).toBe('a session token');
    expect(headers['x-amz-object-lock-mode']).toBe(mode);
    const until = headers['x-amz-object-lock-retain-until-date'];
    if (mode === undefined) expect(until).toBeUndefined();
    else expect(Math.abs(Date.parse(String(until)) - Date.now() - AUDIT_DAYS * DAY_MS)).toBeLessThan(60_000);
  }
  expect(storage.requests.filter((each) => each.startsWith('GET'))).toEqual(['GET /audit?object-lock']);
});

it.each([
  [500, 'InternalError'],
  [503, 'SlowDown'],
  [301, 'PermanentRedirect'],
  [403, 'RequestTimeTooSkewed'],
])('what storage answers with %i is stored later, and where it asks for retention, with that', async (status, code) => {
  const storage = await startStrictStorage('where-asked');
  const settings = settingsOf(`s3://audit/a/b/?region=us-east-1&endpoint=${storage.endpoint}`);
  const { log, lines } = logging();
  await seed(redis(), 2);
  await seal(redis());
  storage.refuseWith(status, code);
  startSending(redis(), settings, { log });
  await eventually(async () => Number(await redis().hget(stateKeyOf(settings), 'tries')) > 2);
  storage.refuseWith(null);
  await eventually(() => isUpToDate(redis(), settings));
  expect(storage.stored.map(({ key }) => key.replace(/-[0-9a-f]{32}/, ''))).toEqual([
    'a/b/000000000000-000000000011.jsonl',
  ]);
  expect(storage.stored[0]?.headers['x-amz-object-lock-mode']).toBe('GOVERNANCE');
  expect(lines.map((line) => JSON.parse(line).why)).toEqual([`it answers ${status} (${code})`]);
});

it('says which bucket or key is wrong, and no key', async () => {
  const storage = await startStrictStorage('none');
  const endpoint = `endpoint=${storage.endpoint}&region=us-east-1`;
  const { log, lines } = logging();
  await seed(redis(), 1);
  await seal(redis());
  const wrongKey = { accessKeyId: KEYS.accessKeyId, secretAccessKey: 'SECRET-that-is-wrong' };
  startSending(redis(), settingsOf(`s3://audit?${endpoint}`, wrongKey), { log });
  startSending(another(), settingsOf(`s3://nowhere?${endpoint}`), { log });
  await eventually(async () => lines.length >= 2);
  const whys = lines.map((line) => JSON.parse(line).why);
  expect(whys).toEqual(
    expect.arrayContaining(['it answers 403 (SignatureDoesNotMatch)', 'it answers 404 (NoSuchBucket)']),
  );
  for (const secret of [...Object.values(KEYS), 'SECRET']) expect(lines.join('\n')).not.toContain(secret);
  expect(storage.stored).toEqual([]);
});

it('stores no empty object for what has expired', async () => {
  const { settings, objects } = await startStorage();
  await append(redis(), refOf(1));
  await seal(redis());
  await redis().del(ledgerKey(refOf(1)));
  startSending(redis(), settings);
  await eventually(() => isUpToDate(redis(), settings));
  await seed(redis(), 1);
  await seal(redis());
  await eventually(() => isUpToDate(redis(), settings));
  expect((await objects()).map(({ name }) => name.slice(0, 25))).toEqual(['000000000005-000000000011']);
});
