import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createRemoteClient } from '../../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import type { LiveUpdate } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { actions, button } from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

const playground = sharedWorkspace();

const at = (path: string) => `${playground.slack.pageUrl}${path}`;

describe('the page’s API', () => {
  it('says who one can be: people, not the app', async () => {
    const { members } = (await (await fetch(at('api/members'))).json()) as { members: { name: string }[] };
    expect(members.map(({ name }) => name)).toEqual(['maria', 'jon', 'aiko', 'priya', 'gina', 'sam']);
  });

  it('shows each member their own workspace', async () => {
    const names = async (id: string) => {
      const snapshot = (await (await fetch(at(`api/snapshot?as=${id}`))).json()) as { channels: { name: string }[] };
      return snapshot.channels.map(({ name }) => name);
    };
    expect(await names('UMARIA001')).toEqual([
      'general',
      'releases',
      'incidents',
      'partners',
      'random',
      'leadership',
      'launch-2025',
    ]);
    expect(await names('UAIKO0003')).toEqual(['general', 'releases', 'partners', 'random', 'launch-2025']);
    expect(await names('UGUEST005')).toEqual(['releases']);
    expect(await names('USTRANGE6')).toEqual(['partners']);
    expect((await fetch(at('api/snapshot?as=UNOBODY'))).status).toBe(404);
  });

  it('lets a person in another process do what one here does', async () => {
    const maria = createPerson(createRemoteClient(playground.slack.pageUrl), 'UMARIA001');
    const { body } = await playground.call('chat.postMessage', {
      channel: 'C0GENERAL1',
      text: 'x',
      blocks: [actions(button('Go'))],
    });
    expect(body.ok).toBe(true);
    await maria.click('Go', { in: await maria.sees('#general', '[Go]') });
    expect(playground.app.received.at(-1)?.payload).toMatchObject({ type: 'block_actions', user: { id: 'UMARIA001' } });
    playground.app.reply = () => ({ status: 500 });
    await expect(maria.command('#general', '/kickoff')).rejects.toMatchObject({ problem: { code: 'app_error' } });
    playground.app.reply = () => ({});
  });

  it('tells of changes and of the wire as they happen', async () => {
    const abort = new AbortController();
    const response = await fetch(at('api/live?as=UMARIA001'), { signal: abort.signal });
    const updates = updatesOf(response);
    expect((await updates.next()).value).toMatchObject({ type: 'session' });
    expect((await updates.next()).value).toMatchObject({ type: 'controls' });
    expect((await updates.next()).value).toMatchObject({ type: 'snapshot', snapshot: { me: { id: 'UMARIA001' } } });
    await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'news' });
    const seen: string[] = [];
    while (!(seen.includes('wire') && seen.includes('news'))) {
      const { value } = await updates.next();
      if (value?.type === 'wire') seen.push('wire');
      if (value?.type === 'snapshot') seen.push(value.snapshot.messages.C0GENERAL1?.at(-1)?.text ?? '');
    }
    abort.abort();
  });

  // “Ephemeral messages do not persist across reloads”: https://docs.slack.dev/reference/methods/chat.postEphemeral
  it('shows ephemeral messages in the sessions that were open, not in later ones', async () => {
    const whisper = (text: string) =>
      playground.call('chat.postEphemeral', { channel: 'C0RELEASE2', user: 'UMARIA001', text });
    await whisper('before');
    const first = await opened('UMARIA001');
    expect(first.privately).toEqual([]);
    await whisper('meanwhile');
    expect((await opened('UMARIA001', first.session)).privately).toEqual(['meanwhile']);
    expect((await opened('UMARIA001')).privately).toEqual([]);
    const driver = await playground.slack.as('maria').privately('#releases');
    expect(driver.map(({ text }) => text)).toEqual(['before', 'meanwhile']);
  });

  it('takes only actions that exist', async () => {
    const act = (body: string) => fetch(at('api/act?as=UMARIA001'), { method: 'POST', body });
    expect((await act('{"type":"fly"}')).status).toBe(400);
    expect((await act('{"type":"send","channel":"C0GENERAL1"}')).status).toBe(400);
    expect((await act('nonsense')).status).toBe(400);
    expect((await act('{"type":"join","channel":"C0SECRET06"}')).status).toBe(200);
  });

  it('answers to no page from elsewhere', async () => {
    const from = (headers: Record<string, string>) => fetch(at('api/members'), { headers });
    expect((await from({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await from({ origin: playground.slack.pageUrl.slice(0, -1) })).status).toBe(200);
  });

  it.each([
    ['evil.example', 403],
    ['slack.com.evil.example', 403],
    ['evilslack.com', 403],
    ['localhost', 200],
    ['slack.com', 200],
    ['files.slack.com:443', 200],
  ])('answers to no foreign name that points here, but to Slack’s: %s', async (host, status) => {
    const request = get(at('api/members'), { headers: { host } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it('counts what is unread, and what of it is for them', async () => {
    const { slack } = playground;
    await slack.as('maria').say('#incidents', 'look, @jon');
    const said = await slack.as('maria').say('#incidents', 'and this');
    const jon = slack.as('jon');
    const incidents = async () => (await jon.snapshot()).channels.find(({ name }) => name === 'incidents');
    expect(await incidents()).toMatchObject({ unread: 2, mentions: 1 });
    await jon.markRead(said);
    expect(await incidents()).toMatchObject({ unread: 0, mentions: 0, lastReadTs: said.ts });
    const { id } = await incidents().then((channel) => channel ?? expect.unreachable());
    await playground.call('chat.postEphemeral', { channel: id, user: 'UJON00002', text: 'for you alone' });
    expect(await incidents()).toMatchObject({ unread: 0 });
  });
});

/** What a page is told first, in this session or else in a new one. */
async function opened(as: string, session?: string): Promise<{ session: string; privately: string[] }> {
  const abort = new AbortController();
  const address = at(`api/live?${new URLSearchParams({ as, ...(session && { session }) })}`);
  const updates = updatesOf(await fetch(address, { signal: abort.signal }));
  const { value: begun } = await updates.next();
  await updates.next();
  const { value: seen } = await updates.next();
  abort.abort();
  if (begun?.type !== 'session' || seen?.type !== 'snapshot') throw new Error('unexpected updates');
  const shown = (seen.snapshot.messages.C0RELEASE2 ?? []).filter(({ ephemeral }) => ephemeral);
  return { session: begun.session, privately: shown.map(({ text }) => text) };
}

async function* updatesOf(response: Response): AsyncGenerator<LiveUpdate, void> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6)) as LiveUpdate;
  }
}
