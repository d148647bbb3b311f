import type { ModalView } from '@slack/types';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordKeys } from '../../src/redis/keys.ts';
import { append, STORY } from '../ledger/ledger-under-test.ts';
import { redisForTests } from '../redis/store-under-test.ts';
import { DIRECTORY, GUARDED, CHANNEL as ROOM } from '../slack/app/listeners/requests/cast.ts';
import { createDispatching } from '../slack/app/listeners/requests/dispatching.ts';
import { startObligingSlack } from '../slack/app/listeners/requests/outcome.ts';
import { ROOT_TS, storeRun } from '../slack/app/listeners/requests/runs.ts';
import type { AnsweringSlack } from '../slack/directory/answering-slack.ts';
import { said } from '../slack/ui/said.ts';
import { clickPayload } from '../support/slack-server.ts';

// Whoever changes what a button carries may read no more of a run than who can see its channel. Slack says where a button was
// clicked; what it carries is theirs.
const { redis } = redisForTests();

const ELSEWHERE = 'C0OTHER01';
const REF = 'run-of-the-room';
const TOLD = 'asked for approval of “publish the draft”';
const CLOSED = 'Only those who are in the channel of this run can see this.';
const UNSURE = 'Slack can’t say right now whether you are in the channel of this run.';

let slack: AnsweringSlack;
let shown: ModalView[];
let bot: ReturnType<typeof createDispatching>;

beforeAll(async () => {
  slack = await startObligingSlack();
  const show = (args: URLSearchParams) => {
    shown.push(JSON.parse(args.get('view') ?? '{}'));
    return { view: { id: 'V1' } };
  };
  for (const method of ['views.open', 'views.push', 'views.update']) slack.answers[method] = show;
});
afterAll(() => slack.close());
beforeEach(async () => {
  shown = [];
  bot = createDispatching(redis(), slack);
  await storeRun(bot.store, REF, 'running');
  await append(redis(), REF, STORY);
});

type Members = readonly string[] | 'Slack can’t tell';

interface Attempt {
  actionId: string;
  /** Null for the Home tab, or a modal. */
  clickedIn: string | null;
  /** What the modal remembers that was clicked in. */
  remembers?: object;
  /** Who is in the channel of the run. */
  members?: Members;
  team?: string;
}

/** What somebody is shown who clicks on something that carries the ref of the run. */
async function shownTo({ actionId, clickedIn, remembers, members = [], team }: Attempt): Promise<string> {
  const message = { channel: clickedIn ?? '', ts: ROOT_TS };
  const value = remembers ? JSON.stringify({ ref: REF, page: 0 }) : REF;
  const clicked = Object(clickPayload({ actionId, value }, { by: 'UMALLORY1', message, ...(team && { team }) }));
  const { message: _, channel: __, container: ___, ...anywhere } = clicked;
  const view = {
    id: 'V0',
    hash: '1.x',
    type: 'modal',
    callback_id: 'history',
    private_metadata: JSON.stringify(remembers),
  };
  const payload = clickedIn === null ? { ...anywhere, ...(remembers && { view }) } : clicked;
  const membersOf = async () => (members === 'Slack can’t tell' ? null : new Set(members));
  const directory = {
    ...DIRECTORY,
    membersOf,
    mentionsOf: async () => [],
    approverNames: async () => (name: string) => name,
  };
  await bot.send(payload, { kind: 'block_actions', crew: GUARDED, directory });
  return shown.map((each) => `${said(each)}\n${JSON.stringify(each.blocks)}`).join('\n');
}

const MEMBER = ['UMALLORY1'];

describe.each([
  ['history', TOLD],
  ['copy_reference', REF],
])('a click on %s', (actionId, told) => {
  const only = actionId === 'history' ? told : `"initial_value":"${told}"`;

  it('in the channel of the run shows it, without a question to Slack', async () => {
    expect(await shownTo({ actionId, clickedIn: ROOM, members: 'Slack can’t tell' })).toContain(only);
  });

  it.each([ELSEWHERE, 'D0MALLORY', null])('in %s shows it to a member of the channel alone', async (clickedIn) => {
    expect(await shownTo({ actionId, clickedIn, members: MEMBER })).toContain(only);
    shown = [];
    const answer = await shownTo({ actionId, clickedIn, members: ['USOMEBODY'] });
    expect(answer).toContain(CLOSED);
    expect(answer).not.toContain(only);
  });

  it('elsewhere shows nothing as long as Slack can’t tell who is in the channel', async () => {
    const answer = await shownTo({ actionId, clickedIn: ELSEWHERE, members: 'Slack can’t tell' });
    expect(answer).toContain(UNSURE);
    expect(answer).not.toContain(only);
  });

  it('shows nothing to people of other organisations, who see the message of a shared channel', async () => {
    const answer = await shownTo({ actionId, clickedIn: ROOM, members: MEMBER, team: 'T0NORTHWND' });
    expect(answer).not.toContain(only);
    expect(answer).not.toBe('');
  });

  it('goes by the entries where the record has expired, and shows nothing where they have, too', async () => {
    await redis().del(recordKeys(REF).record);
    const elsewhere = await shownTo({ actionId, clickedIn: ROOM, members: [] });
    expect(elsewhere).toContain(CLOSED);
    shown = [];
    expect(await shownTo({ actionId, clickedIn: 'C0123456789' })).toContain(only);
    shown = [];
    await redis().flushall();
    expect(await shownTo({ actionId, clickedIn: ROOM, members: MEMBER })).toContain('its entries have expired');
  });
});

describe('a page of the history', () => {
  const turn = (remembers: object, members: Members = []) =>
    shownTo({ actionId: 'history_next', clickedIn: null, remembers, members });

  it('is turned by whoever was shown the first one', async () => {
    expect(await turn({ ref: REF, seenIn: ROOM })).toContain(TOLD);
    expect(await turn({ ref: REF, seenIn: null }, MEMBER)).toContain(TOLD);
  });

  it('is closed to those who aren’t in the channel any more, and to a modal that we didn’t write', async () => {
    expect(await turn({ ref: REF, seenIn: ELSEWHERE })).not.toContain(TOLD);
    expect(await turn({ ref: REF, seenIn: null })).not.toContain(TOLD);
    expect(await turn({ ref: REF })).not.toContain(TOLD);
  });
});
