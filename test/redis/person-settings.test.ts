import { beforeEach, describe, expect, it } from 'vitest';
import { type PersonSettings, USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { personSettingsKey } from '../../src/redis/keys.ts';
import { createPersonSettings } from '../../src/redis/person-settings.ts';
import { readableLog } from '../crew/crew-values.ts';
import { redisForTests } from './store-under-test.ts';

const MARIA = 'U_MARIA';
const JON = { id: 'U_JON', name: 'Jon “the” Müller' };
const QUIET: PersonSettings = { ...USUAL_SETTINGS, quiet: { from: 1_320, to: 420 } };

const { redis, server } = redisForTests();
let log: ReturnType<typeof readableLog>;
let clock = 0;

beforeEach(() => {
  log = readableLog();
});

const open = () => createPersonSettings(redis(), { log: log.log, now: () => clock });

describe('settings', () => {
  it.each<PersonSettings>([
    { tell: { kind: 'at-once' }, hearsEndings: true, quiet: { from: 0, to: 1_439 }, away: null, snoozed: [] },
    {
      tell: { kind: 'hourly', since: 7 },
      hearsEndings: true,
      quiet: null,
      away: { until: 9, since: 5, standIn: null },
      snoozed: [],
    },
    {
      tell: { kind: 'daily', at: 545, since: 8 },
      hearsEndings: false,
      quiet: null,
      away: { until: 9, since: 5, standIn: JON },
      snoozed: [{ ref: 'r1', approvalId: '2', until: 10 }],
    },
  ])('are found by another process as they were stored: %o', async (settings) => {
    expect(await open().change(MARIA, () => settings)).toEqual(settings);
    expect(await open().find(MARIA)).toEqual(settings);
    expect(await open().all()).toEqual(new Map([[MARIA, settings]]));
    expect(await open().find(JON.id)).toEqual(USUAL_SETTINGS);
  });

  it('take no room once they are the usual ones again', async () => {
    const store = open();
    await store.change(MARIA, () => QUIET);
    await store.change(MARIA, () => USUAL_SETTINGS);
    expect(await redis().exists(personSettingsKey)).toBe(0);
    expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
  });

  it('are known at once where they were changed, and elsewhere three seconds later', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.find(MARIA), other.find(MARIA)]);
    await one.change(MARIA, () => QUIET);
    expect(await one.find(MARIA)).toEqual(QUIET);
    expect(await other.find(MARIA)).toEqual(USUAL_SETTINGS);
    clock += 3_000;
    expect(await other.find(MARIA)).toEqual(QUIET);
  });

  it('keep each of two changes at the same time, and are told the time of the store', async () => {
    const [seconds] = await redis().time();
    const times: number[] = [];
    await Promise.all([
      open().change(MARIA, (settings, now) => {
        times.push(now);
        return { ...settings, quiet: QUIET.quiet };
      }),
      open().change(MARIA, (settings) => ({ ...settings, tell: { kind: 'at-once' } })),
    ]);
    expect(await open().find(MARIA)).toEqual({ ...QUIET, tell: { kind: 'at-once' } });
    expect(times[0]).toBeGreaterThanOrEqual(Number(seconds) * 1_000);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"tell":{"kind":"daily"},"quiet":null,"away":null}',
    '{"tell":{"kind":"off"},"quiet":{"from":0,"to":1440},"away":null}',
    '{"tell":{"kind":"off"},"quiet":null,"away":{"until":"soon","since":0,"standIn":null}}',
  ])('that can’t be read count as the usual ones, until they are changed: %s', async (text) => {
    await redis().hset(personSettingsKey, MARIA, text);
    const store = open();
    expect(await store.find(MARIA)).toEqual(USUAL_SETTINGS);
    expect(await store.change(MARIA, (settings) => ({ ...settings, quiet: QUIET.quiet }))).toEqual(QUIET);
    expect(await open().find(MARIA)).toEqual(QUIET);
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
