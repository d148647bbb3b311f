import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../src/sandbox/slack-workspace/driver/queries.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ rateLimits: 'off', admin: true });
});
afterEach(() => playground.close());

const post = (text: string) => playground.call('chat.postMessage', { channel: 'C0GENERAL1', text });
/** A call whose caller may give up. */
const postUntil = ({ slack }: Playground, text: string, { signal }: AbortController) =>
  fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'C0GENERAL1', text }),
    signal,
  });
const said = () => playground.slack.messages().map(({ text }) => text);

describe('a fault on request', () => {
  it('hits the n-th call of a method, as often as told', async () => {
    const { slack } = playground;
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'status', status: 500 }, nth: 2, times: 2 });
    const outcomes = [];
    for (const text of ['a', 'b', 'c', 'd']) outcomes.push((await post(text)).status);
    expect(outcomes).toEqual([200, 500, 500, 200]);
    expect(said().slice(-2)).toEqual(['a', 'd']);
  });

  it('limits the rate, answers with an error of its own, or answers late', async () => {
    const { faults } = playground.slack;
    faults.add({ method: '*', effect: { kind: 'rate-limited', retryAfterSeconds: 7 } });
    const { status, headers } = await post('a');
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    const where = { channel: 'C0GENERAL1' };
    faults.add({ method: 'chat.postMessage', effect: { kind: 'error', error: 'internal_error' }, where });
    expect((await post('a')).body).toEqual({ ok: false, error: 'internal_error' });
    faults.add({ method: 'chat.postMessage', effect: { kind: 'delay', delayMs: 60 } });
    await post('a');
    expect(playground.slack.calls().at(-1)?.tookMs).toBeGreaterThanOrEqual(55);
    faults.add({ method: '*', effect: { kind: 'drop' } });
    faults.clear();
    expect((await post('a')).status).toBe(200);
  });

  it('carries a call out later, though its caller is gone', async () => {
    const { slack } = playground;
    const giveUp = new AbortController();
    let goOn = () => {};
    const until = () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
        giveUp.abort();
      });
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'hold', until } });
    await expect(postUntil(playground, 'late', giveUp)).rejects.toThrow();
    expect(said()).not.toContain('late');
    goOn();
    await eventually(
      async () => said().includes('late') || undefined,
      async () => 'nothing was posted',
    );
  });

  it('breaks the connection before or after applying the call', async () => {
    const { slack } = playground;
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'drop' } });
    await expect(post('unheard')).rejects.toThrow();
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' } });
    await expect(post('heard')).rejects.toThrow();
    expect(said()).not.toContain('unheard');
    expect(said()).toContain('heard');
    expect(slack.calls().map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped']);
  });

  it('never answers a call, applied or not, until its caller gives up', async () => {
    const { slack } = playground;
    const waiting = (count: number) =>
      eventually(
        async () => slack.faults.waiting() === count || undefined,
        async () => `${slack.faults.waiting()} calls wait`,
      );
    for (const [text, apply] of Object.entries({ unheard: false, heard: true })) {
      slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'silence', apply } });
      const giveUp = new AbortController();
      const call = postUntil(playground, text, giveUp);
      await waiting(1);
      giveUp.abort();
      await expect(call).rejects.toThrow();
      await waiting(0);
    }
    expect(said()).not.toContain('unheard');
    expect(said()).toContain('heard');
    expect(slack.calls().map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
  });

  it('hits response_urls and uploads as well', async () => {
    const { slack, app, callForm } = playground;
    await slack.as('maria').command('#general', '/kickoff');
    const url = String(app.received[0]?.payload.response_url);
    slack.faults.add({ method: 'response_url', effect: { kind: 'status', status: 502 } });
    const respond = () => fetch(url, { method: 'POST', body: '{"text":"x"}' });
    expect([(await respond()).status, (await respond()).status]).toEqual([502, 200]);
    const { body } = await callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '1' });
    slack.faults.add({ method: 'upload', effect: { kind: 'apply-then-drop' } });
    await expect(fetch(String(body.upload_url), { method: 'POST', body: 'a' })).rejects.toThrow();
    expect(slack.calls().at(-1)).toMatchObject({ name: 'upload', outcome: 'dropped', response: 'OK - 1' });
  });

  it('can be asked for from another process', async () => {
    const { slack } = playground;
    const admin = (path: string, method: string, body?: object) =>
      fetch(`${slack.pageUrl}_sandbox/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    await admin('faults', 'POST', { method: 'chat.postMessage', effect: { kind: 'status', status: 503 } });
    expect((await post('a')).status).toBe(503);
    expect(await (await admin('calls?after=0', 'GET')).json()).toMatchObject([
      { name: 'chat.postMessage', status: 503 },
    ]);
    expect((await admin('faults', 'POST', { method: 'x', effect: { kind: 'magic' } })).status).toBe(400);
    expect((await admin('nothing', 'GET')).status).toBe(404);
    await slack.as('maria').command('#general', '/kickoff');
    expect(await (await admin('redeliver', 'POST', { name: '/kickoff' })).json()).toMatchObject({ ok: true });
    expect(playground.app.received).toHaveLength(2);
  });
});

it('serves no admin routes by default', async () => {
  await playground.close();
  playground = await workspaceWithApp();
  const response = await fetch(`${playground.slack.pageUrl}_sandbox/faults`, { method: 'DELETE' });
  expect(await response.text()).toMatch(/without its web page/);
});
