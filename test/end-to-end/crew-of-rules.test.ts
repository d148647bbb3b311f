import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let bot: Bot;

beforeAll(async () => {
  world = await startWorld({
    crews: [
      { name: 'editorial', settings: { channel: 'releases' } },
      { name: 'agents', deployed: false, settings: { channel: 'releases' } },
    ],
  });
  bot = await world.startBot();
});
afterAll(() => world.stop());

describe('a crew without an address', () => {
  const types = async (words: string) => {
    const maria = world.slack.as('maria');
    const before = (await maria.privately('#releases')).length;
    await maria.command('#releases', '/kickoff', words);
    const told = await eventually(
      async () => (await maria.privately('#releases'))[before],
      async () => `no answer to ${words}`,
    );
    return visibleText(told);
  };

  it('lends its rules to programs that ask', async () => {
    const { ask, fetch } = askingProgram(() => bot.port, 'agents');
    const ref = refOf(await ask({ text: 'By *rules* alone.' }));
    const jon = world.slack.as('jon');
    await jon.click('Approve', { in: await jon.sees('#releases', 'By *rules* alone.') });
    expect((await fetch(ref, 50)).body).toMatchObject({ decision: 'approved' });
  });

  it.each(['agents', 'agents topic=tea', 'help agents', 'who agents', 'connect agents'])(
    'can’t be started, as “/kickoff %s” says',
    async (words) => {
      expect(await types(words)).toContain('agents* can’t be started');
    },
  );

  it('isn’t offered among those that can', async () => {
    const help = await types('help');
    expect(help).toContain('Crew: editorial');
  });
});
