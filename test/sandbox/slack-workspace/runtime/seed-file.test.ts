import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSeed } from '../../../../src/sandbox/slack-workspace/seed-file.ts';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';

const PEOPLE = `
team: { name: Tea House, domain: tea-house }
people:
  - { name: zoe, realName: Zoe Kern, role: admin, timeZone: Europe/Berlin }
  - { name: ben.o, realName: Ben Otto }
  - { name: gus, realName: Gus Hale, kind: guest }
groups:
  - { handle: cooks, name: Cooks, members: [ben.o] }
channels:
  - { name: general }
  - { name: kitchen, id: C0KITCHEN1, kind: private, topic: What we brew, members: [zoe, ben.o, "@app"] }
messages:
  - channel: kitchen
    from: zoe
    text: "Who is thirsty? <@UBEN0O>"
    replies:
      - { from: ben.o, text: I am }
      - { from: "@app", text: Coming }
  - { channel: general, from: slackbot, text: Hello }
`;

it('a file of people, groups, channels and messages is what is there at first, with the same ids at each start', async () => {
  const slack = await startSlackWorkspace({ seed: parseSeed(parse(PEOPLE)) });
  const [zoe, ben, gus] = ['zoe', 'UBEN0O', 'gus'].map((name) => slack.as(name));
  const asked = await zoe?.sees('#kitchen', 'Who is thirsty?');
  expect(asked).toMatchObject({ channel: 'C0KITCHEN1', userId: 'UZOE', notifies: ['UBEN0O'] });
  expect((asked && (await ben?.thread(asked)))?.map(({ userId, text }) => `${userId}: ${text}`)).toEqual([
    'UBEN0O: I am',
    'U0SIGNOFF1: Coming',
  ]);
  await zoe?.sees('#general', 'Hello');
  const seen = await gus?.snapshot();
  expect(seen).toMatchObject({ team: { name: 'Tea House', domain: 'tea-house' }, channels: [] });
  expect(seen?.groups).toMatchObject([{ id: 'SCOOKS', handle: 'cooks', memberIds: ['UBEN0O'] }]);
  await slack.close();
});

const people = [{ name: 'zoe', realName: 'Zoe' }];
const channels = [{ name: 'general' }];
it.each<[string, object, string]>([
  ['without people', { people: [], channels }, '/people: '],
  ['without channels', { people }, '/channels: '],
  ['with a field that it doesn’t know', { people, channels, person: [] }, 'person'],
  [
    'with a handle that Slack wouldn’t take',
    { people: [{ name: 'Zoe K', realName: 'Zoe' }], channels },
    '/people/0/name: must be',
  ],
  [
    'with a time zone that there isn’t',
    { people: [{ name: 'zoe', realName: 'Zoe', timeZone: 'Mars' }], channels },
    '/people/0/timeZone: must be a time zone',
  ],
  [
    'with a person twice',
    { people: [...people, ...people], channels },
    '/people/1: there are two with the name or id zoe',
  ],
  [
    'with an id twice',
    { people, channels: [...channels, { name: 'all', id: 'CGENERAL' }] },
    '/channels/1: there are two with the name or id CGENERAL',
  ],
  [
    'with a stranger in a channel',
    { people, channels: [{ name: 'all', members: ['jon'] }] },
    '/channels/0/members/0: there is no person jon',
  ],
  [
    'with a stranger in a group',
    { people, channels, groups: [{ handle: 'cooks', name: 'Cooks', members: ['jon'] }] },
    '/groups/0/members/0: there is no person jon',
  ],
  [
    'with a message of nobody',
    { people, channels, messages: [{ channel: 'general', from: 'jon', text: 'x' }] },
    '/messages/0/from: there is no person jon',
  ],
  [
    'with a message in no channel',
    { people, channels, messages: [{ channel: '#general', from: 'zoe', text: 'x' }] },
    '/messages/0/channel: there is no channel #general',
  ],
  [
    'with a reply of nobody',
    {
      people,
      channels,
      messages: [{ channel: 'general', from: 'zoe', text: 'x', replies: [{ from: 'jon', text: 'y' }] }],
    },
    '/messages/0/replies/0: there is no person jon',
  ],
])('a seed %s is refused, with the place and the reason', (_, seed, reason) => {
  expect(() => parseSeed(JSON.parse(JSON.stringify(seed)))).toThrow(reason);
});
