import { beforeEach, describe, expect, it } from 'vitest';
import { type PersonSettings, USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { personSettingsKey } from '../../src/redis/keys.ts';
import { createPersonSettings } from '../../src/redis/person-settings.ts';
import { readableLog } from '../crew/crew-values.ts';
import { redisForTests } from './store-under-test.ts';

const MARIA = 'U_MARIA';
const JON = { id: 'U_JON', name: 'Jon “the” Müller' };
const TOLD: PersonSettings = { ...USUAL_SETTINGS, tell: { kind: 'at-once' } };

const { redis, server } = redisForTests();
let log: ReturnType<typeof readableLog>;
let clock = 0;

beforeEach(() => {
  log = readableLog();
});

const open = () => createPersonSettings(redis(), { log: log.log, now: () => clock });

describe('settings', () => {
  it.each<PersonSettings>([
    { tell: { kind: 'at-once' }, hearsEndings: true, away: null },
    { tell: { kind: 'at-once' }, hearsEndings: true, away: { until: 9, since: 5, standIn: null } },
    { tell: { kind: 'off' }, hearsEndings: false, away: { until: 9, since: 5, standIn: JON } },
  ])('are found by another process as they were stored: %o', async (settings) => {
    expect(await open().change(MARIA, () => settings)).toEqual(settings);
    expect(await open().find(MARIA)).toEqual(settings);
    expect(await open().all()).toEqual(new Map([[MARIA, settings]]));
    expect(await open().find(JON.id)).toEqual(USUAL_SETTINGS);
  });

  it.each([
    ['hourly', '{"kind":"hourly","since":7}'],
    ['daily', '{"kind":"daily","at":545,"since":8}'],
  ])(
    'of an earlier build that ask for a digest, %s, ask for direct messages at once, and keep the absence',
    async (_, tell) => {
      const away = { until: 9, standIn: JON, since: 5 };
      const dropped = '"quiet":{"from":1320,"to":420},"snoozed":[{"ref":"r1","approvalId":"2","until":10}]';
      const stored = `{"tell":${tell},"hearsEndings":true,${dropped},"away":${JSON.stringify(away)}}`;
      await redis().hset(personSettingsKey, MARIA, stored);
      const read: PersonSettings = { tell: { kind: 'at-once' }, hearsEndings: true, away };
      const store = open();
      expect(await store.find(MARIA)).toEqual(read);
      await store.change(MARIA, (settings) => settings);
      expect(JSON.parse((await redis().hget(personSettingsKey, MARIA)) ?? '')).toEqual(read);
    },
  );

  it('of an earlier build without a choice that still exists take no room once they are changed', async () => {
    const stored =
      '{"tell":{"kind":"off"},"hearsEndings":false,"quiet":{"from":0,"to":60},"away":null,"snoozed":[{"ref":"r1","approvalId":"1","until":9}]}';
    await redis().hset(personSettingsKey, MARIA, stored);
    const store = open();
    expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
    await store.change(MARIA, (settings) => settings);
    expect(await redis().exists(personSettingsKey)).toBe(0);
  });

  it('take no room once they are the usual ones again', async () => {
    const store = open();
    await store.change(MARIA, () => TOLD);
    await store.change(MARIA, () => USUAL_SETTINGS);
    expect(await redis().exists(personSettingsKey)).toBe(0);
    expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
  });

  it('are known at once where they were changed, and elsewhere three seconds later', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.find(MARIA), other.find(MARIA)]);
    await one.change(MARIA, () => TOLD);
    expect(await one.find(MARIA)).toEqual(TOLD);
    expect(await other.find(MARIA)).toEqual(USUAL_SETTINGS);
    clock += 3_000;
    expect(await other.find(MARIA)).toEqual(TOLD);
  });

  it('keep each of two changes at the same time, and are told the time of the store', async () => {
    const [seconds] = await redis().time();
    const times: number[] = [];
    await Promise.all([
      open().change(MARIA, (settings, now) => {
        times.push(now);
        return { ...settings, hearsEndings: true };
      }),
      open().change(MARIA, (settings) => ({ ...settings, tell: { kind: 'at-once' } })),
    ]);
    expect(await open().find(MARIA)).toEqual({ ...TOLD, hearsEndings: true });
    expect(times[0]).toBeGreaterThanOrEqual(Number(seconds) * 1_000);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"tell":{"kind":"weekly"},"hearsEndings":false,"away":null}',
    '{"tell":{"kind":"off"},"away":null}',
    '{"tell":{"kind":"off"},"hearsEndings":false,"away":{"until":"soon","since":0,"standIn":null}}',
  ])('that can’t be read count as the usual ones, until they are changed: %s', async (text) => {
    await redis().hset(personSettingsKey, MARIA, text);
    const store = open();
    expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
    expect(await store.change(MARIA, (settings) => ({ ...settings, tell: TOLD.tell }))).toEqual(TOLD);
    expect(await open().find(MARIA)).toEqual(TOLD);
  });
});

it('throws while Redis gives no answer, and answers again afterwards', async () => {
  const store = open();
  server().pause();
  try {
    await expect(store.find(MARIA)).rejects.toThrow(StoreUnavailable);
  } finally {
    server().resume();
  }
  expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
});
