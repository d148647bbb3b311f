import { expect, it, onTestFinished } from 'vitest';
import type { PageControl } from '../../../../src/sandbox/slack-workspace/page-controls.ts';
import type { ControlBar, LiveUpdate } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';

async function workspaceWith(controls: readonly PageControl[]) {
  const slack = await startSlackWorkspace({ controls });
  onTestFinished(() => slack.close());
  return {
    slack,
    press: (id: string, headers: Record<string, string> = {}) =>
      fetch(new URL(`/api/controls?id=${id}`, slack.pageUrl), { method: 'POST', headers }),
    watch: () => watch(slack.pageUrl),
  };
}

/** The bars that an open page is sent, the latest last. */
async function watch(pageUrl: string): Promise<ControlBar[]> {
  const bars: ControlBar[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(new URL('/api/live?as=UMARIA001', pageUrl), { signal: stop.signal });
  const read = async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const update: LiveUpdate = JSON.parse(event.slice('data: '.length));
        if (update.type === 'controls') bars.push(update.bar);
      }
    }
  };
  read().catch(() => undefined);
  await expect.poll(() => bars.length).toBe(1);
  return bars;
}

it('presses a button for every page: busy until it is done, then a line with its time', async () => {
  let finish = (_said: string) => {};
  const { press, watch: open } = await workspaceWith([
    {
      id: 'kill',
      label: 'Kill the bot',
      press: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    },
  ]);
  const [one, other] = [await open(), await open()];
  expect(one).toEqual([{ controls: [{ id: 'kill', label: 'Kill the bot', isBusy: false }], notices: [] }]);

  expect((await press('kill')).status).toBe(202);
  await expect.poll(() => other.at(-1)?.controls).toMatchObject([{ isBusy: true }]);
  finish('The bot was killed and is back.');
  for (const page of [one, other]) {
    await expect.poll(() => page.at(-1)?.notices).toMatchObject([{ text: 'The bot was killed and is back.' }]);
    expect(page.at(-1)?.controls).toMatchObject([{ isBusy: false }]);
  }
  expect(Math.abs(Date.now() - (one.at(-1)?.notices[0]?.at ?? 0))).toBeLessThan(60_000);
});

it('says what failed, and can be pressed again', async () => {
  const { press, watch: open } = await workspaceWith([
    { id: 'kill', label: 'Kill the bot', press: () => Promise.reject(new Error('there is no bot')) },
  ]);
  const bars = await open();
  await press('kill');
  await expect.poll(() => bars.at(-1)?.notices.at(-1)?.text).toBe('“Kill the bot” failed: there is no bot');
  expect(bars.at(-1)?.controls).toMatchObject([{ isBusy: false }]);
});

it('shows pages that are opened later the last twenty lines', async () => {
  const { slack, watch: open } = await workspaceWith([]);
  for (let n = 1; n <= 25; n += 1) slack.announce(`Line ${n}`);
  const [bar] = await open();
  expect(bar?.notices.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, index) => `Line ${index + 6}`));
});

it('The page presses no busy button again, knows no other, and takes none from pages of other sites', async () => {
  let pressed = 0;
  const busy = () => {
    pressed += 1;
    return new Promise<never>(() => undefined);
  };
  const { press } = await workspaceWith([{ id: 'kill', label: 'Kill the bot', press: busy }]);
  expect((await press('other')).status).toBe(404);
  expect((await press('kill', { origin: 'https://evil.example' })).status).toBe(403);
  expect(pressed).toBe(0);
  await press('kill');
  await press('kill');
  expect(pressed).toBe(1);
});
