import { describe, expect, it } from 'vitest';
import { type PersonSettings, USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import { findStandIn, mergeSettings } from '../../../../src/slack/features/settings/listeners.ts';
import { readSettings, settingsModal } from '../../../../src/slack/features/settings/modal.ts';
import { settingsLine } from '../../../../src/slack/features/settings/settings-line.ts';
import type { FormValues } from '../../../../src/slack/ui/button-value.ts';
import { account, JON, MARIA } from '../../../support/requests.ts';
import { sayIn } from '../../../support/say.ts';

const say = sayIn('en');
const now = Date.parse('2026-11-23T12:00Z');
const BERLIN = 'Europe/Berlin';
const NOBODY = { tell: { kind: 'off' }, hearsEndings: false, away: null } as const;

const option = (value: string) => ({ type: 'radio_buttons', selected_option: { value } });
const date = (selected_date: string | null) => ({ type: 'datepicker', selected_date });
const form = (fields: Record<string, FormValues[string][string]>): FormValues =>
  Object.fromEntries(Object.entries(fields).map(([block, value]) => [block, { input: value }]));
const read = (fields: Record<string, FormValues[string][string]>, timeZone: string | null = BERLIN) =>
  readSettings(form(fields), { now, timeZone, say });

describe('the form of the settings', () => {
  it.each([
    [{}, NOBODY],
    [{ tell: option('off') }, NOBODY],
    [{ tell: option('at-once') }, { ...NOBODY, tell: { kind: 'at-once' } }],
  ])('is read: %j', (fields, value) => {
    expect(read(fields)).toEqual({ ok: true, value });
  });

  it('takes an absence until the end of its last day where the person is', () => {
    const until = Date.parse('2026-12-01T23:00Z');
    expect(read({ away_until: date('2026-12-01') })).toMatchObject({ value: { away: { until, standInId: null } } });
    expect(read({ away_until: date('2026-11-23') })).toMatchObject({ ok: true });
  });

  it.each([
    [{ away_until: date('2026-11-22') }, { away_until: 'This day is over. Choose today or a later day.' }],
    [{ stand_in: { type: 'users_select', selected_user: JON.id } }, { away_until: 'Choose until when you’re away.' }],
  ])('says beside the field what is wrong: %j', (fields, refusal) => {
    expect(read(fields)).toEqual({ ok: false, refusal });
  });

  it('takes no absence while nobody knows when the day ends', () => {
    expect(read({ away_until: date('2026-12-01') }, null)).toMatchObject({
      refusal: { away_until: expect.stringContaining('time zone') },
    });
  });

  it('shows what was chosen, and in which time zone', () => {
    const away = { until: Date.parse('2026-12-01T23:00Z'), standIn: JON, since: 0 };
    const settings: PersonSettings = { tell: { kind: 'at-once' }, hearsEndings: true, away };
    const shown = JSON.stringify(settingsModal({ settings, now, timeZone: BERLIN, name: ({ name }) => name, say }));
    for (const part of [
      '"initial_option"',
      '"value":"at-once"',
      '"initial_options"',
      '"2026-12-01"',
      JON.id,
      'Europe/Berlin',
      'home_back',
    ])
      expect(shown).toContain(part);
    const over = { settings, now: away.until, timeZone: null, name: ({ name }: { name: string }) => name, say };
    expect(JSON.stringify(settingsModal(over))).not.toMatch(/2026-12-01|home_back/);
  });
});

describe('a stand-in', () => {
  const find = (change: Parameters<typeof account>[1] | null) =>
    findStandIn(
      {
        directory: { account: async () => change && account(JON.id, change) } as never,
        people: { nameOf: async () => 'Jon Bell' } as never,
      },
      { standInId: JON.id, by: MARIA, say },
    );

  it.each([
    [{ isBot: true }, 'Jon Bell is an app. Choose a person.'],
    [{ isDeactivated: true }, 'Jon Bell’s account is deactivated. Choose another person.'],
    [{ isStranger: true }, 'Jon Bell is from another organisation and can’t stand in. Choose another person.'],
    [{ isGuest: true }, 'Jon Bell is a guest in this workspace and can’t stand in. Choose another person.'],
    [{ identities: [JON.id, MARIA.id] }, 'Choose someone other than yourself.'],
    [null, 'Slack can’t tell right now whether Jon Bell can stand in. Try again in a minute.'],
  ])('isn’t everybody: %j', async (change, refusal) => {
    expect(await find(change)).toEqual({ ok: false, refusal });
  });

  it('is a member', async () => {
    expect(await find({})).toEqual({ ok: true, value: { id: JON.id, name: 'Jon Bell' } });
  });
});

describe('new settings', () => {
  const chosen = { ...NOBODY, standIn: null };

  it('say since when somebody is away', () => {
    const away = { until: now, standInId: JON.id };
    const first = mergeSettings(USUAL_SETTINGS, { ...chosen, away, standIn: JON }, 5);
    expect(first.away).toEqual({ until: now, standIn: JON, since: 5 });
    expect(mergeSettings(first, { ...chosen, away, standIn: JON }, 9).away).toEqual(first.away);
    expect(mergeSettings(first, { ...chosen, away, standIn: null }, 9).away).toMatchObject({ since: 9 });
  });
});

describe('one’s settings on one line', () => {
  const line = (settings: Partial<PersonSettings>) =>
    settingsLine({ ...USUAL_SETTINGS, ...settings }, now, { name: ({ name }) => name, say });

  it('say how one is told', () => {
    expect(line({})).toBe('You get no direct messages about what’s waiting for you');
    expect(line({ tell: { kind: 'at-once' } })).toBe('You get a direct message immediately');
  });

  it('say until when one is away, and no longer', () => {
    const away = { until: Date.parse('2026-12-02T00:00Z'), standIn: { id: 'UX', name: '*Jon*' }, since: 0 };
    expect(line({ tell: { kind: 'at-once' }, away })).toMatch(
      /^You get a direct message immediately · You’re away until <!date\^\d+\^\{date_short\}\|2026-12-01 UTC>; .*Jon.* stands in for you$/,
    );
    expect(line({ away: { ...away, until: now } })).not.toContain('away');
  });
});
