import { beforeEach, describe, expect, it } from 'vitest';
import type { DigestSlot } from '../../../../src/core/inbox/digest.ts';
import { type PersonSettings, USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import { createDigestClaims } from '../../../../src/redis/personal-state.ts';
import { createDigests, type DigestOutcome } from '../../../../src/slack/features/digest/digests.ts';
import { silent } from '../../../crew/crew-values.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';

const { redis } = redisForTests();
const at = (text: string) => Date.parse(`2026-${text}Z`);
const MARIA = 'U_MARIA';

let settings: Map<string, PersonSettings>;
let zone: string | null;
let sent: string[];

beforeEach(() => {
  settings = new Map([[MARIA, { ...USUAL_SETTINGS, tell: { kind: 'daily', at: 540, since: 0 } }]]);
  zone = 'Europe/Berlin';
  sent = [];
});

/** A process of the bot, whose Slack answers as told, and takes everything from then on. */
function process(...outcomes: DigestOutcome[]) {
  return createDigests({
    personSettings: { all: async () => settings },
    claims: createDigestClaims(redis()),
    people: { timeZoneOf: async () => zone },
    send: async (personId) => {
      const outcome = outcomes.shift() ?? 'sent';
      sent.push(`${personId} ${outcome}`);
      return outcome;
    },
    log: silent,
  });
}

const tell = (tell: PersonSettings['tell']) => settings.set(MARIA, { ...USUAL_SETTINGS, tell });

describe('a digest', () => {
  it('is sent once, however many processes there are and whenever they start', async () => {
    const [one, other] = [process(), process()];
    await one(at('11-23T07:59'));
    expect(sent).toEqual([]);
    await Promise.all([one(at('11-23T08:00')), other(at('11-23T08:00'))]);
    await Promise.all([one(at('11-23T08:01')), process()(at('11-23T08:01'))]);
    expect(sent).toEqual(['U_MARIA sent']);
    await Promise.all([other(at('11-24T08:00')), one(at('11-24T08:00'))]);
    expect(sent).toHaveLength(2);
  });

  it('isn’t sent by another process after the one that claimed it has died', async () => {
    const dying = createDigests({
      personSettings: { all: async () => settings },
      claims: createDigestClaims(redis()),
      people: { timeZoneOf: async () => zone },
      send: () => Promise.reject(new Error('The process has died.')),
      log: silent,
    });
    await expect(dying(at('11-23T08:00'))).rejects.toThrow('died');
    await process()(at('11-23T08:01'));
    expect(sent).toEqual([]);
  });

  it('is tried again while Slack takes nothing, for a quarter of an hour', async () => {
    const one = process('later', 'later');
    for (const time of ['08:00', '08:01', '08:02', '08:03']) await one(at(`11-23T${time}`));
    expect(sent).toEqual(['U_MARIA later', 'U_MARIA later', 'U_MARIA sent']);
    const late = process('later');
    await late(at('11-24T08:00'));
    await late(at('11-24T08:15'));
    expect(sent).toHaveLength(4);
  });

  it.each<DigestOutcome>(['unknown', 'nothing-waits'])('isn’t tried again once that is %s', async (outcome) => {
    const one = process(outcome);
    await one(at('11-23T08:00'));
    await one(at('11-23T08:01'));
    expect(sent).toEqual([`U_MARIA ${outcome}`]);
  });

  it('isn’t sent any more to who has turned it off meanwhile', async () => {
    const one = process('later');
    await one(at('11-23T08:00'));
    tell({ kind: 'off' });
    await one(at('11-23T08:01'));
    expect(sent).toEqual(['U_MARIA later']);
  });

  it('comes at another time on the same day if that was chosen, and none after it by older settings', async () => {
    await process()(at('11-23T08:00'));
    tell({ kind: 'daily', at: 600, since: at('11-23T08:30') });
    await process()(at('11-23T09:00'));
    tell({ kind: 'daily', at: 540, since: 0 });
    await process()(at('11-23T09:01'));
    expect(sent).toHaveLength(2);
  });

  it('follows people to another time zone, with one a day', async () => {
    const one = process();
    await one(at('11-23T08:00'));
    zone = 'America/New_York';
    await process()(at('11-23T14:00'));
    expect(sent).toHaveLength(1);
    await process()(at('11-24T14:00'));
    expect(sent).toHaveLength(2);
  });

  it('waits while nobody knows where the person is', async () => {
    zone = null;
    const one = process();
    await one(at('11-23T08:00'));
    expect(sent).toEqual([]);
    zone = 'Europe/Berlin';
    await one(at('11-23T08:01'));
    expect(sent).toHaveLength(1);
  });
});

describe('a claim', () => {
  const slot = (key: string, time: number): DigestSlot => ({ key, at: time });

  it('is for the first who asks, and for no earlier digest', async () => {
    const claims = createDigestClaims(redis());
    expect(await claims.claim(MARIA, slot('2026-11-23 540', 5))).toBe(true);
    expect(await claims.claim(MARIA, slot('2026-11-23 540', 9))).toBe(false);
    expect(await claims.claim(MARIA, slot('2026-11-23 600', 4))).toBe(false);
    expect(await claims.claim(MARIA, slot('2026-11-24 540', 9))).toBe(true);
    expect(await claims.claim('U_JON', slot('2026-11-23 540', 5))).toBe(true);
  });

  it('is forgotten after some days', async () => {
    await createDigestClaims(redis()).claim(MARIA, slot('k', 5));
    const [key = ''] = await redis().keys('*digest*');
    expect(await redis().pttl(key)).toBeGreaterThan(2 * 86_400_000);
  });
});
