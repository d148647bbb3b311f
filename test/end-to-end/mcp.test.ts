import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { type CallToolResult, CallToolResultSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { askingEnv } from '../support/asks.ts';
import { run } from '../support/audit-program.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { programPath } from '../support/program-path.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let bot: BotProcess;
let port: number;
let client: Client;

beforeAll(async () => {
  world = await startWorld({ crews: [{ name: 'agents', settings: { channel: 'releases' } }] });
  port = await freePort();
  bot = await world.startBotProcess({ port });
  client = await connected();
});
afterAll(async () => {
  await client.close();
  await world.stop();
});

/** A session of its own. */
async function connected(): Promise<Client> {
  const agent = new Client({ name: 'a test', version: '1' });
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programPath('mcp')],
      env: askingEnv({ port, crew: 'agents' }),
    }),
  );
  return agent;
}

const askAHuman = (given: Record<string, unknown>, options: RequestOptions = {}, agent = client) =>
  agent.callTool({ name: 'ask_a_human', arguments: given }, CallToolResultSchema, options) as Promise<CallToolResult>;

const refIn = ({ structuredContent }: CallToolResult) => structuredContent?.ref;

const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : '');

describe('an agent that speaks MCP', () => {
  it('has one tool', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_a_human']);
  });

  it('waits for people, also while the bot is killed and started again, and asks only once', async () => {
    const jon = world.slack.as('jon');
    const answer = askAHuman({ title: 'Delete old logs', text: 'May I delete *40 GB*?', outcomes: ['delete', 'keep'] });
    const card = await jon.sees('#releases', 'May I delete *40 GB*?');
    await bot.kill();
    bot = await world.startBotProcess({ port });
    await jon.click('delete', { in: card });
    const told = await answer;
    expect(told.structuredContent).toMatchObject({ status: 'decided', decision: 'approved', outcome: 'delete' });
    expect(textOf(told)).toBe('jon approved, and chose “delete”.');
    await jon.seesChanged(card, 'chose “delete” for “Delete old logs”');
    expect((await jon.screen()).split('for “Delete old logs”')).toHaveLength(2);
  });

  it('gets a ref where nobody decides in time, and asks for the answer later', async () => {
    const first = await askAHuman({ title: 'Rotate keys', text: 'May I *rotate* them?', wait: 1 });
    const { ref } = first.structuredContent as { ref: string };
    expect(first.structuredContent).toMatchObject({ status: 'waiting' });
    expect(textOf(first)).toMatch(new RegExp(`^Not decided yet: .*Call this again with the ref ${ref}\\.$`));
    const jon = world.slack.as('jon');
    await jon.click('Approve', { in: await jon.sees('#releases', 'May I *rotate* them?') });
    expect(textOf(await askAHuman({ ref }))).toBe('jon approved.');
  });

  it('gets the ref that it has where it asks the same thing again, also at the same time', async () => {
    const asked = { title: 'Buy a domain', text: 'May I *buy* it?', wait: 0 };
    const first = await askAHuman(asked);
    const [again, once] = await Promise.all([askAHuman(asked), askAHuman({ ...asked, wait: 1 })]);
    expect(new Set([first, again, once].map(refIn)).size).toBe(1);
    expect(refIn(await askAHuman({ ...asked, text: 'May I *sell* it?' }))).not.toBe(refIn(first));
    const jon = world.slack.as('jon');
    await jon.click('Approve', { in: await jon.sees('#releases', 'May I *buy* it?') });
    expect(textOf(await askAHuman({ ref: refIn(first), wait: 20 }))).toBe('jon approved.');
    expect(refIn(await askAHuman(asked))).not.toBe(refIn(first));
  });

  it.each(['that it cancels', 'that its client gives up'])(
    'leaves nothing to approve behind a call %s, and can ask the same anew',
    async (how) => {
      const jon = world.slack.as('jon');
      const stop = new AbortController();
      const given = { title: `A call ${how}`, text: `May I, in a call ${how}?` };
      const isCancelled = how === 'that it cancels';
      const call = askAHuman(given, isCancelled ? { signal: stop.signal } : { timeout: 5_000 });
      const failing = expect(call).rejects.toThrow();
      if (isCancelled) await jon.sees('#releases', `Approval needed: ${given.title}`);
      stop.abort();
      await failing;
      await jon.sees('#releases', `Approval closed: “${given.title}”`);
      expect((await askAHuman({ ...given, wait: 0 })).structuredContent).toMatchObject({ status: 'waiting' });
    },
  );

  it('leaves open at its end only what it can go on waiting for', async () => {
    const agent = await connected();
    const jon = world.slack.as('jon');
    const kept = await askAHuman({ title: 'Kept', text: 'Is *this* kept?', wait: 0 }, {}, agent);
    const lost = askAHuman({ title: 'Lost', text: 'Is *this* lost?' }, {}, agent).catch(() => 'closed');
    const card = await jon.sees('#releases', 'Is *this* lost?');
    await agent.close();
    expect(await lost).toBe('closed');
    await jon.seesChanged(card, 'The program that asked stopped waiting');
    expect((await askAHuman({ ref: refIn(kept), wait: 0 })).structuredContent).toMatchObject({ status: 'waiting' });
  });

  it('gets an answer that isn’t yes or no', async () => {
    const fields = [{ name: 'amount', label: 'How much?', type: 'number', min: 1 }];
    const answer = askAHuman({ title: 'Refund', text: 'How much *back*?', why: 'It broke.', fields });
    const jon = world.slack.as('jon');
    const card = await jon.sees('#releases', 'How much *back*?');
    expect(visibleText(card)).toContain('It broke.');
    await jon.click('Answer…', { in: card });
    await jon.fill('How much?', '12.5');
    await jon.submit();
    const told = await answer;
    expect(told.structuredContent).toMatchObject({ decision: 'approved', answer: { amount: 12.5 } });
    expect(textOf(told)).toBe('jon approved. The answer: {"amount":12.5}');
  });

  it('says for how long people may decide', async () => {
    const asked = { title: 'Quick', text: 'Is it *quick*?', expires_in: '2s' };
    expect(textOf(await askAHuman(asked))).toBe('Nobody decided in time. That is no approval.');
    expect((await askAHuman({ ...asked, expires_in: 'soon' })).isError).toBe(true);
  });

  it('isn’t served without an address, a token and a crew, each of which is named', async () => {
    const { code, out, errors } = await run([programPath('mcp')], { SIGNOFF_URL: 'ftp://bot' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors.match(/^SIGNOFF_\w+/gm)).toEqual(['SIGNOFF_URL', 'SIGNOFF_ASK_TOKEN', 'SIGNOFF_POLICY']);
  });

  it('is told what is wrong', async () => {
    const wrong = await askAHuman({ title: 'no text' });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('text must be text of 1 to');
  });

  it('is told that nothing was asked under a wrong ref', async () => {
    for (const ref of ['nope', 'a'.repeat(26), '', '..', '../healthz', 'openapi.json', '\ud800', 'a'.repeat(100_000)]) {
      const answer = await askAHuman({ ref });
      const sentence = `Nothing was asked under the ref ${ref.slice(0, 50)}, or no longer.`;
      expect([answer.isError, textOf(answer)]).toEqual([true, sentence]);
    }
  });

  it.each<[string, object, string]>([
    ['an argument', { titel: 'Buy' }, 'titel is no argument of ask_a_human'],
    [
      'several',
      { callback: 'https://x', channel: 'x' },
      'callback is no argument of ask_a_human, and channel is no argument of ask_a_human',
    ],
    ['a setting of a field', { fields: [{ name: 'a', default: 1 }] }, 'default is no setting of a field at fields[0]'],
    [
      'a ref with a question',
      { ref: 'a'.repeat(26) },
      'ref goes on waiting for what was asked before: give it alone, or with wait',
    ],
  ])('is refused with a sentence where it gives what the tool doesn’t take: %s', async (_, given, sentence) => {
    const before = world.slack.messages().length;
    const wrong = await askAHuman({ title: 'Wrong', text: 'Is this *wrong*?', wait: 0, ...given });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toMatch(/: Invalid arguments for tool ask_a_human: /);
    expect(textOf(wrong).endsWith(`: ${sentence}`)).toBe(true);
    expect(world.slack.messages()).toHaveLength(before);
  });

  it('hears while it waits that its call is under way, so that its client doesn’t give up', async () => {
    const heard: number[] = [];
    const options = {
      timeout: 8_000,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress }: Progress) => heard.push(progress),
    };
    const answer = await askAHuman({ title: 'Slow', text: 'Is this *slow*?', wait: 12 }, options);
    expect(answer.structuredContent).toMatchObject({ status: 'waiting' });
    expect(heard).toEqual([5, 10]);
  });
});
