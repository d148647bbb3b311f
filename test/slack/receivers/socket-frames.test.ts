import { readFileSync } from 'node:fs';
import { SocketModeClient } from '@slack/socket-mode';
import { expect, it } from 'vitest';
import { filterFrames } from '../../../src/slack/receivers/socket-connection.ts';

/**
 * `filterFrames` rewires an internal event of @slack/socket-mode. When this file fails after an update, compare
 * `SocketModeClient.onWebSocketMessage` and the constructor's listeners with src/slack/receivers/socket-frames.ts, and the
 * emits of `SlackWebSocket`; then move VERIFIED. The whole file can go once the package catches errors in its frame listener.
 */
const VERIFIED = '3.1.0';

const LOOK_AT = 'read SocketModeClient in the new @slack/socket-mode: ';

const versionIn = (path: string, name?: string): unknown => {
  const manifest = JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
  return name === undefined ? manifest.version : manifest.dependencies[name];
};

const newClient = () => new SocketModeClient({ appToken: 'xapp-1', autoReconnectEnabled: false });

/** The one listener that the client has for frames. */
function frameListenerOf(client: SocketModeClient): (data: string, isBinary: boolean) => unknown {
  const [listener, ...others] = client.listeners('ws_message');
  if (!listener || others.length > 0) throw new Error(`${LOOK_AT}frames no longer go to one listener of ws_message`);
  return (data, isBinary) => listener.call(client, data, isBinary);
}

/** What the client emits for a frame. */
function emittedFor(client: SocketModeClient, frame: unknown): unknown[] {
  const emitted: unknown[] = [];
  client.on('slack_event', ({ envelope_id: id, body }) => emitted.push({ id, body }));
  client.emit('ws_message', typeof frame === 'string' ? frame : JSON.stringify(frame), false);
  return emitted;
}

const COMMAND = { type: 'slash_commands', envelope_id: 'E1', payload: { command: '/kickoff' } };

it('is verified against the version that is pinned and installed', () => {
  const pinned = versionIn('package.json', '@slack/socket-mode');
  const installed = versionIn('node_modules/@slack/socket-mode/package.json');
  expect([pinned, installed], `${LOOK_AT}is the comment above still right?`).toEqual([VERIFIED, VERIFIED]);
});

it('finds the one listener that parses frames', () => {
  const client = newClient();
  frameListenerOf(client);
  expect(emittedFor(client, COMMAND), `${LOOK_AT}ws_message no longer leads to slack_event`).toEqual([
    { id: 'E1', body: COMMAND.payload },
  ]);
});

it('is needed, since that listener rejects for a frame that it can’t read', async () => {
  const listener = frameListenerOf(newClient());
  await expect(listener('null', false), `${LOOK_AT}is the guard still needed?`).rejects.toThrow(TypeError);
});

it('passes known frames on and hides all others', () => {
  const client = newClient();
  let ignored = 0;
  filterFrames(client, {
    onIgnored: () => {
      ignored += 1;
    },
  });
  expect(emittedFor(client, COMMAND)).toEqual([{ id: 'E1', body: COMMAND.payload }]);
  expect(emittedFor(client, 'null')).toEqual([]);
  expect(emittedFor(client, { type: 'unheard_of' })).toEqual([]);
  expect(ignored).toBe(2);
});

it.each(['warning', 'refresh_requested'])(
  'tells of a dismissal that leaves time (%s), but not the client',
  (reason) => {
    const client = newClient();
    const told: string[] = [];
    const came: unknown[] = [];
    client.removeAllListeners('ws_message');
    client.on('ws_message', (data) => came.push(JSON.parse(data).type));
    filterFrames(client, { onIgnored: () => {}, onDismissed: (dismissal) => told.push(dismissal) });
    for (const frame of [
      { type: 'disconnect', reason },
      { type: 'disconnect', reason: 'link_disabled' },
    ])
      client.emit('ws_message', JSON.stringify(frame), false);
    expect([told, came]).toEqual([[reason, 'link_disabled'], ['disconnect']]);
  },
);

it.each([
  [{ reason: 'link_disabled' }, 'link_disabled'],
  [{ reason: 'unheard_of' }, 'other'],
  [{}, 'other'],
])('says why Slack dismisses a connection: %j', (frame, reason) => {
  const client = newClient();
  const told: string[] = [];
  filterFrames(client, { onIgnored: () => {}, onDismissed: (dismissal) => told.push(dismissal) });
  client.emit('ws_message', JSON.stringify({ type: 'disconnect', ...frame }), false);
  expect(told).toEqual([reason]);
});

it('still connects with a hello, and disconnects without reconnecting', () => {
  const client = newClient();
  filterFrames(client, { onIgnored: () => {} });
  const heard: string[] = [];
  for (const event of ['connected', 'reconnecting', 'disconnected'])
    client.on(event, () => {
      heard.push(event);
    });
  client.emit('ws_message', JSON.stringify({ type: 'hello' }), false);
  client.emit('close');
  expect(heard, `${LOOK_AT}autoReconnectEnabled, or what hello and close lead to`).toEqual([
    'connected',
    'disconnected',
  ]);
});
