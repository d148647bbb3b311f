import type { HomeView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PersonSettings, USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import type { Snapshot } from '../../../../src/core/inbox/snapshot.ts';
import { StoreUnavailable } from '../../../../src/core/ports.ts';
import { createSlackClients, slackLogger } from '../../../../src/slack/api/clients.ts';
import { RateLimiter } from '../../../../src/slack/api/rate-limiter.ts';
import { HomePublisher } from '../../../../src/slack/features/home/publisher.ts';
import { silent } from '../../../crew/crew-values.ts';
import { type AnsweringSlack, refusal, startAnsweringSlack } from '../../directory/answering-slack.ts';

const SNAPSHOT: Snapshot = { at: 0, requests: [], runs: [], decisions: [], ended: [] };
const FAST = { everyMs: 5, hastyMs: 5, atLeastMs: 60_000, followMs: 60_000 };

/** Publishes that Slack got: of whom, of what, and instead of what. */
interface Published {
  user: string;
  words: string;
  hash: string | null;
  at: number;
}

let slack: AnsweringSlack;
let published: Published[];
let publisher: HomePublisher;
/** What there is to be shown, and whether it can be found out. */
let world: {
  snapshot: Snapshot;
  settings: PersonSettings;
  words: string;
  isDown: boolean;
  areCardsWaiting: boolean;
  otherProcesses: boolean[];
};

const viewOf = (words: string): HomeView => ({
  type: 'home',
  blocks: [{ type: 'section', text: { type: 'plain_text', text: words } }],
});

beforeEach(async () => {
  published = [];
  world = {
    snapshot: SNAPSHOT,
    settings: USUAL_SETTINGS,
    words: 'nothing',
    isDown: false,
    areCardsWaiting: false,
    otherProcesses: [],
  };
  slack = await startAnsweringSlack({
    'views.publish': (args) => {
      const { blocks } = JSON.parse(args.get('view') ?? '');
      const [user, hash] = [args.get('user_id') ?? '', args.get('hash')];
      published.push({ user, words: blocks[0].text.text, hash, at: performance.now() });
      return { view: { hash: `hash-${published.length}` } };
    },
  });
});

afterEach(async () => {
  publisher.stop();
  await slack.close();
});

function start({
  gapMs = 0,
  everyMs = 60_000,
  followMs = 3_600_000,
  rate = { everyMs: 1, burst: 100 },
} = {}): HomePublisher {
  const ifUp = <Value>(value: Value): Value => {
    if (world.isDown) throw new StoreUnavailable();
    return value;
  };
  publisher = new HomePublisher(
    {
      overview: { latest: async () => ifUp(world.snapshot) },
      settingsOf: async () => ifUp(structuredClone(world.settings)),
      findHome: async (personId, metadata) =>
        ifUp({
          fingerprint: `${world.words}${metadata}`,
          views: async () => [viewOf(`${personId} ${world.words}${metadata}`)],
        }),
      noStoreView: async () => viewOf('no store'),
      clients: createSlackClients({ token: slack.botToken, apiUrl: slack.apiUrl, logger: slackLogger(silent) }),
      limiter: new RateLimiter(rate),
      areCardsWaiting: () => world.areCardsWaiting,
      yieldToOthers: async () => {},
      takeTurn: async () => ifUp(world.otherProcesses.shift() ?? true),
      ...{ gapMs, log: silent },
    },
    { ...FAST, everyMs, followMs },
  );
  return publisher;
}

const words = () => published.map((each) => each.words);

function change(to: string): void {
  Object.assign(world, { words: to, snapshot: { ...SNAPSHOT } });
}

describe('a Home', () => {
  it('is published when it is opened, and again only when it would show something else', async () => {
    await start({ everyMs: 5 }).show('UMARIA', '');
    change('one');
    await expect.poll(words).toEqual(['UMARIA nothing', 'UMARIA one']);
    world.snapshot = { ...SNAPSHOT };
    await publisher.show('UJON', '');
    change('two');
    await expect
      .poll(() => words().toSorted())
      .toEqual(['UJON one', 'UJON two', 'UMARIA nothing', 'UMARIA one', 'UMARIA two']);
    expect(published.map(({ hash }) => hash)).toEqual([null, 'hash-1', null, expect.any(String), expect.any(String)]);
  });

  it('follows what the person sets, also in another process', async () => {
    await start({ everyMs: 5 }).show('UMARIA', '');
    await publisher.show('UJON', '');
    Object.assign(world, { words: 'told', settings: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
    await expect.poll(() => words().slice(2).toSorted()).toEqual(['UJON told', 'UMARIA told']);
  });

  it('follows at once what this process changes', async () => {
    await start().show('UMARIA', '');
    change('one');
    publisher.onStored();
    await expect.poll(words).toEqual(['UMARIA nothing', 'UMARIA one']);
  });

  it('is not put off by changes that follow on each other without end', async () => {
    await start().show('UMARIA', '');
    change('one');
    const changing = setInterval(() => publisher.onStored(), 1);
    try {
      await expect.poll(words).toEqual(['UMARIA nothing', 'UMARIA one']);
    } finally {
      clearInterval(changing);
    }
  });

  it('is published no more than once in a while, for all that is wanted meanwhile', async () => {
    start({ gapMs: 100 });
    await Promise.all([
      publisher.show('UMARIA', ''),
      publisher.show('UMARIA', ''),
      publisher.show('UMARIA', '', (seen) => `${seen} a`),
      publisher.show('UMARIA', '', (seen) => `${seen} b`),
    ]);
    await publisher.show('UMARIA', ' c');
    expect(words()).toEqual(['UMARIA nothing a b', 'UMARIA nothing c']);
    const [first, second] = published.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(99);
  });

  it('is left to the process that has published it since', async () => {
    await start({ everyMs: 5 }).show('UMARIA', '');
    const publish = slack.answers['views.publish'];
    let conflicts = 0;
    slack.answers['views.publish'] = (args) => {
      if (!args.has('hash')) return publish?.(args) ?? {};
      conflicts += 1;
      return refusal('hash_conflict');
    };
    change('one');
    await expect.poll(() => conflicts).toBe(1);
    await publisher.show('UJON', '');
    change('two');
    await expect.poll(() => conflicts).toBe(2);
    expect(words()).toEqual(['UMARIA nothing', 'UJON one']);
  });

  it('waits until it is long enough since another process has published it', async () => {
    world.otherProcesses = [false, false, true, false, true];
    await start({ everyMs: 5 }).show('UMARIA', '');
    expect(world.otherProcesses).toEqual([false, true]);
    change('one');
    await expect.poll(words).toEqual(['UMARIA nothing', 'UMARIA one']);
    expect(world.otherProcesses).toEqual([]);
  });

  it('leaves its turn under the rates of Slack to others while another process publishes it', async () => {
    await start({ everyMs: 5, rate: { everyMs: 600_000, burst: 1 } }).show('UMARIA', '');
    world.otherProcesses = [false, false, true];
    change('one');
    await expect.poll(words).toEqual(['UMARIA nothing', 'UMARIA one']);
  });

  it('shows what there is when its turn has come', async () => {
    world.otherProcesses = [false, true];
    const shown = start({ gapMs: 500 }).show('UMARIA', '');
    await expect.poll(() => world.otherProcesses).toEqual([true]);
    change('one');
    await shown;
    expect(words()).toEqual(['UMARIA one']);
  });

  it('waits while cards do', async () => {
    world.areCardsWaiting = true;
    await start({ everyMs: 5 }).show('UMARIA', '');
    change('one');
    await publisher.show('UJON', '');
    expect(words()).toEqual(['UMARIA nothing', 'UJON one']);
    world.areCardsWaiting = false;
    await expect.poll(words).toEqual(['UMARIA nothing', 'UJON one', 'UMARIA one']);
  });

  it('says that nothing can be found out, and recovers by itself', async () => {
    world.isDown = true;
    await start({ everyMs: 5 }).show('UMARIA', '');
    expect(words()).toEqual(['no store']);
    world.isDown = false;
    await expect.poll(words).toEqual(['no store', 'UMARIA nothing']);
  });

  it('is opened as soon as Slack allows it', async () => {
    const publish = slack.answers['views.publish'];
    slack.answers['views.publish'] = () => ({ ok: false, error: 'ratelimited' });
    await start({ everyMs: 5 }).show('UMARIA', '');
    slack.answers['views.publish'] = publish ?? (() => ({}));
    await expect.poll(words).toEqual(['UMARIA nothing']);
  });

  it('is no longer followed long after it was opened', async () => {
    await start({ everyMs: 40, followMs: 1 }).show('UMARIA', '');
    change('one');
    await publisher.show('UJON', '');
    change('two');
    await publisher.show('UAIKO', '');
    expect(words()).toEqual(['UMARIA nothing', 'UJON one', 'UAIKO two']);
  });
});
