import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { demoControls } from '../../../src/sandbox/demo/controls.ts';
import type { Supervised } from '../../../src/sandbox/demo/supervisor.ts';
import { startWorkspace } from '../../../src/sandbox/demo/workspace.ts';
import type { JsonObject } from '../../../src/sandbox/slack-workspace/json.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import { type Reply, startScriptedApp } from '../slack-workspace/support/scripted-app.ts';

const RUNNING: Supervised = { kill: async () => 'The bot was killed.', stop: async () => {} };

/** Presses a button of a demo whose bot does as told with each command, by its words, and whether it is new. */
async function press(id: string, reply: (words: string, isNew: boolean) => Reply): Promise<string> {
  const [folder, app] = [await mkdtemp(join(tmpdir(), 'signoff-controls-')), await startScriptedApp()];
  const slack = await startWorkspace({ folder, port: await freePort(), requestUrl: app.url, controls: [] });
  onTestFinished(async () => {
    await Promise.all([slack.close(), app.close()]);
    await rm(folder, { recursive: true });
  });
  const post = async (message: JsonObject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` };
    const init = { method: 'POST', headers, body: JSON.stringify(message) };
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, init);
    return (await response.json()) as { ts: string };
  };
  const seen = new Set<string>();
  app.reply = async ({ payload }) => {
    if (payload.command !== '/kickoff') return {};
    const [words, channel] = [String(payload.text), String(payload.channel_id)];
    const answer = reply(words, !seen.has(words));
    seen.add(words);
    if (answer.breaks) return answer;
    const { ts } = await post({ channel, text: 'Waiting for approval. Started by Jon Bell' });
    await post({ channel, thread_ts: ts, text: 'Approval needed' });
    return answer;
  };
  const options = { sample: null, log: '/x.log' };
  const control = demoControls({ slack, parts: new Map([['bot', RUNNING]]) }, options).find((each) => each.id === id);
  return control?.press() ?? '';
}

it('The inbox is filled by people who try again where the bot doesn’t answer', async () => {
  const said = await press('fill-inbox', (_, isNew) => (isNew ? { breaks: true } : {}));
  expect(said).toContain('5 runs were started by Jon, Aiko, Priya and Lena. 5 more requests wait,');
});

it('The inbox has what was started although its command seemed to fail, too', async () => {
  const fails = (words: string) => words.includes('customers_affected=41');
  const said = await press('fill-inbox', (words, isNew) => (isNew && fails(words) ? { status: 500 } : {}));
  expect(said).toContain('6 runs were started by Jon, Aiko, Priya and Lena. 6 more requests wait,');
});
