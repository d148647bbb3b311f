import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { gatherFacts } from '../../../src/slack/directory/directory.ts';
import { approver, asking } from './asking.ts';

const CROWD = Array.from({ length: 10_000 }, (_, n) => ({ id: `UCROWD${n}X`, name: `crowd-${n}` }));
const names = CROWD.map(({ name }) => name);
const channel = (id: string, members: string[], kind: 'public' | 'private' = 'public') => {
  return { id, name: id.toLowerCase(), members, kind };
};

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await startSlackWorkspace({
    seed: {
      ...DEFAULT_SEED,
      members: [...DEFAULT_SEED.members, ...CROWD.map((each) => ({ ...each, realName: each.name }))],
      channels: [
        ...DEFAULT_SEED.channels,
        channel('C0EVERYBODY', [...names, 'maria', '@app']),
        channel('C0WITHOUTBOT', [...names, 'maria']),
        channel('C0CLOSED', [...names, 'maria', '@app'], 'private'),
        ...Array.from({ length: 250 }, (_, i) => channel(`C0TOPIC${i}X`, ['maria'])),
      ],
    },
  });
});
afterAll(() => slack.close());

/** What is answered, and the calls that it takes. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<[Answer, string[]]> {
  const before = slack.calls().at(-1)?.seq ?? 0;
  const answer = await ask();
  return [answer, slack.calls().flatMap(({ seq, name }) => (seq > before ? [name] : []))];
}

it.each(['C0EVERYBODY', 'C0WITHOUTBOT', 'C0CLOSED'])(
  'knows who of two people is in the channel %s of ten thousand without listing it',
  async (id) => {
    const { directory } = asking(slack);
    const ask = () => directory.membersOf(approver('channel'), id, ['UMARIA001', 'UJON00002']);
    const own = 'users.conversations';
    // Maria's channels fill two pages.
    expect(await asked(ask)).toEqual([new Set(['UMARIA001']), ['conversations.info', own, own, own]]);
    expect(await asked(ask)).toEqual([new Set(['UMARIA001']), []]);
  },
);

it('lists a channel of a page or two once for all', async () => {
  const { directory } = asking(slack);
  const ask = () =>
    Promise.all(['UMARIA001', 'UPRIYA004'].map((id) => directory.membersOf(approver('channel'), 'C0INCIDNT3', [id])));
  const [[maria, priya], calls] = await asked(ask);
  expect([maria?.has('UMARIA001'), priya?.has('UPRIYA004')]).toEqual([true, false]);
  expect(calls).toEqual(['conversations.info', 'conversations.members']);
});

it('lists a large one where many people are in question', async () => {
  const { directory } = asking(slack);
  const people = CROWD.slice(0, 30).map(({ id }) => id);
  const [members, calls] = await asked(() => directory.membersOf(approver('channel'), 'C0EVERYBODY', people));
  expect(people.every((id) => members?.has(id))).toBe(true);
  expect(calls).not.toContain('users.conversations');
});

it('gathers the facts for a decision in a channel of ten thousand with a few calls', async () => {
  const { directory } = asking(slack);
  const question = { people: ['UPRIYA004', 'UMARIA001'], approvers: [approver('channel')], channel: 'C0CLOSED' };
  const [facts, calls] = await asked(() => gatherFacts(directory, question));
  expect(facts.members).toEqual({ channel: new Set(['UMARIA001']) });
  expect(calls.length).toBeLessThanOrEqual(7);
});

it('takes a person whom Slack does not know for one who is in no channel', async () => {
  const { directory } = asking(slack);
  expect(await directory.membersOf(approver('channel'), 'C0EVERYBODY', ['UNOBODY00'])).toEqual(new Set());
});
