import { expect, it } from 'vitest';
import { createPeople, type SlackUser } from '../../../src/slack/api/users.ts';

const HOME = { kind: 'workspace', teamId: 'T1' } as const;

const USER: SlackUser = {
  ...{ id: 'U1', name: null, teamId: 'T1', teamIds: [], enterpriseId: null, enterpriseUserId: null },
  ...{ email: null, locale: null },
  ...{ isBot: false, isDeactivated: false, isRestricted: false, isStranger: false, timeZone: null },
};

it.each([
  ['that of the person', { ...USER, timeZone: 'Asia/Kolkata' }, 'Asia/Kolkata'],
  ['UTC for one that this platform doesn’t know', { ...USER, timeZone: 'Europe/Atlantis' }, 'UTC'],
  ['UTC where Slack has none', USER, 'UTC'],
  ['UTC for a person who is gone', null, 'UTC'],
])('the time zone of a person is %s', async (_, user, timeZone) => {
  expect(await createPeople({ find: async () => user }, HOME).timeZoneOf('U1')).toBe(timeZone);
});

it('the time zone of a person is unknown while Slack can’t tell', async () => {
  expect(await createPeople({ find: () => Promise.reject(new Error('down')) }, HOME).timeZoneOf('U1')).toBeNull();
});
