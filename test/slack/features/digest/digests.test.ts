import { beforeEach, describe, expect, it } from 'vitest';
import type { DigestSlot } from '../../../../src/core/inbox/digest.ts';
import { type PersonSettings, USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import type { OpenRequest } from '../../../../src/core/inbox/snapshot.ts';
import { withSnooze } from '../../../../src/core/inbox/snooze.ts';
import { createDigestClaims } from '../../../../src/redis/personal-state.ts';
import { createDigests, type DigestOutcome } from '../../../../src/slack/features/digest/digests.ts';
import { openRequest } from '../../../core/inbox/open-requests.ts';
import { silent } from '../../../crew/crew-values.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';

const { redis } = redisForTests();
const at = (text: string) => Date.parse(`2026-${text}Z`);
const MARIA = 'U_MARIA';

let settings: Map<string, PersonSettings>;
let zone: string | null;
let sent: string[];
let requests: OpenRequest[];

beforeEach(() => {
  settings = new Map([[MARIA, { ...USUAL_SETTINGS, tell: { kind: 'daily', at: 540, since: 0 } }]]);
  zone = 'Europe/Berlin';
  sent = [];
  requests = [];
});

/** What people have chosen, and what waits. */
const stored = () => ({
  personSettings: {
    all: async () => settings,
    async change(personId: string, change: (each: PersonSettings, now: number) => PersonSettings) {
      const changed = change(settings.get(personId) ?? USUAL_SETTINGS, 0);
      settings.set(personId, changed);
      return changed;
    },
  },
  overview: { openRequests: async () => requests },
});

/** A process of the bot, whose Slack answers as told, and takes everything from then on. */
function process(...outcomes: DigestOutcome[]) {
  return createDigests({
    ...stored(),
    claims: createDigestClaims(redis()),
    people: { timeZoneOf: async () => zone },
    send: async (personId, back) => {
      const outcome = outcomes.shift() ?? 'sent';
      sent.push([personId, outcome, ...(back ?? []).map(({ approvalId }) => approvalId)].join(' '));
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
      ...stored(),
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

describe('what was snoozed', () => {
  const snooze = (approvalId: string, until: string) => ({ ref: 'r1', approvalId, until: at(until) });
  const snoozes = (tell: PersonSettings['tell'], ...snoozed: PersonSettings['snoozed']) =>
    settings.set(MARIA, { ...USUAL_SETTINGS, tell, snoozed });

  beforeEach(() => {
    requests = ['1', '2', '3'].map((approvalId) => openRequest({ approvalId }));
  });

  it('is told once when it is back, to who is told at once', async () => {
    snoozes({ kind: 'at-once' }, snooze('1', '11-23T08:00'), snooze('2', '11-23T09:00'), snooze('gone', '11-23T08:00'));
    const [one, other] = [process('later'), process()];
    await one(at('11-23T07:59'));
    expect(sent).toEqual([]);
    await one(at('11-23T08:00'));
    await Promise.all([one(at('11-23T08:01')), other(at('11-23T08:01'))]);
    await other(at('11-23T08:02'));
    expect(sent).toEqual(['U_MARIA later 1', 'U_MARIA sent 1']);
    await other(at('11-23T09:00'));
    await one(at('11-23T09:00'));
    expect(sent.slice(2)).toEqual(['U_MARIA sent 2']);
  });

  it('is told together after quiet hours, and an hour before it expires', async () => {
    const quiet = { from: 22 * 60, to: 7 * 60 };
    requests = [...requests, openRequest({ approvalId: '4', expireAt: at('11-23T07:00') })];
    const snoozed = [snooze('1', '11-22T23:00'), snooze('2', '11-23T01:00'), snooze('4', '11-25T01:00')];
    settings.set(MARIA, { ...USUAL_SETTINGS, tell: { kind: 'at-once' }, quiet, snoozed });
    const one = process();
    await one(at('11-23T05:59'));
    expect(sent).toEqual([]);
    await one(at('11-23T06:00'));
    expect(sent).toEqual(['U_MARIA sent 1 2 4']);
  });

  it('stays snoozed if that was done again while its person was being told', async () => {
    requests = [openRequest({ approvalId: '1', expireAt: at('11-23T09:00') }), openRequest({ approvalId: '2' })];
    snoozes({ kind: 'at-once' }, snooze('1', '11-25T01:00'), snooze('2', '11-23T08:00'));
    const anew = snooze('2', '11-24T08:00');
    const telling = createDigests({
      ...stored(),
      claims: createDigestClaims(redis()),
      people: { timeZoneOf: async () => zone },
      send: async () => {
        await stored().personSettings.change(MARIA, (each) => ({
          ...each,
          snoozed: withSnooze(each.snoozed, anew, at('11-23T08:00')),
        }));
        return 'sent';
      },
      log: silent,
    });
    await telling(at('11-23T08:00'));
    expect(settings.get(MARIA)?.snoozed).toEqual([anew]);
  });

  it('is told to nobody else, and forgotten after a day', async () => {
    snoozes({ kind: 'off' }, snooze('1', '11-23T08:00'));
    await process()(at('11-24T08:00'));
    expect(settings.get(MARIA)?.snoozed).toHaveLength(1);
    await process()(at('11-24T08:01'));
    expect([settings.get(MARIA)?.snoozed, sent]).toEqual([[], []]);
  });
});
