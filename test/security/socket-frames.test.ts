import { afterEach, beforeEach, expect, it } from 'vitest';
import { slackLogger } from '../../src/slack/api/clients.ts';
import { SocketReceiver } from '../../src/slack/receivers/socket-receiver.ts';
import { readableLog } from '../crew/crew-values.ts';
import { bareApp } from '../support/fake-receiver.ts';
import { type HostileSocket, startHostileSocket } from './hostile-socket.ts';

const COMMAND = {
  command: '/kickoff',
  text: 'hello',
  channel_id: 'C1',
  user_id: 'U1',
  team_id: 'T1',
  trigger_id: '1.2',
};

const { log, text: logged } = readableLog();

let slack: HostileSocket;
let receiver: SocketReceiver;
let faults = 0;

beforeEach(async () => {
  slack = await startHostileSocket();
  const onFault = () => {
    faults += 1;
  };
  receiver = new SocketReceiver({ appToken: 'xapp-1', apiUrl: slack.apiUrl, logger: slackLogger(log), log, onFault });
  const app = bareApp(receiver);
  app.command('/kickoff', async ({ ack, command }) => ack({ text: `you said ${command.text}` }));
  app.action(/./, async ({ ack }) => ack());
  app.view(/./, async ({ ack }) => ack());
  await receiver.start();
});
afterEach(async () => {
  await receiver.stop();
  slack.close();
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const FRAMES: [string, string | Buffer][] = [
  ...[
    ...['', 'null', 'true', '1', '"hello"', '[]', '[null]', '{}', '{', 'garbage \u0000\uFFFF', '{"type":null}'],
    ...['{"type":{}}', '{"type":"error"}', '{"type":"error","error":"x"}', '{"type":"nobody knows this"}'],
    ...[
      '{"type":"events_api"}',
      '{"type":"events_api","payload":null}',
      '{"type":"events_api","payload":{"event":null}}',
    ],
    ...['{"type":"events_api","payload":{"event":{"type":"error"}}}', '{"type":"slash_commands","payload":null}'],
    ...['{"type":"interactive"}', '{"type":"interactive","payload":[]}', '{"type":"interactive","payload":{"type":1}}'],
    ...['{"type":"slack_event"}', '{"type":"slack_event","payload":null}', '{"type":"ws_message"}', '{"type":"close"}'],
    ...['{"type":"__proto__","payload":{}}', '{"__proto__":{"type":"interactive"}}', '{"type":"connected"}'],
  ].map((frame): [string, string] => [frame, frame]),
  ['deep nesting', deep],
  ['a deeply nested payload', `{"type":"interactive","payload":{"type":"block_actions","user":${deep}}}`],
  ['bytes', Buffer.from([0, 1, 2, 0xff])],
  ['JSON as bytes', Buffer.from('{"type":"disconnect"}')],
  ['a mebibyte of nothing', ' '.repeat(1_048_576)],
];

it.each(FRAMES)('a frame of %j ends nothing, and the next command is answered', async (_, frame) => {
  slack.frame(frame);
  expect(await slack.envelope('E1', 'slash_commands', COMMAND)).toMatchObject({ text: 'you said hello' });
  expect([receiver.isConnected(), slack.connections()]).toEqual([true, 1]);
});

it('The bot logs a click that can’t be read in one line, and answers the next command', async () => {
  const click = { type: 'block_actions', user: { id: 'U1' }, channel: null, actions: [{ value: 'nobody knows this' }] };
  void slack.envelope('E3', 'interactive', click);
  expect(await slack.envelope('E4', 'slash_commands', COMMAND)).toMatchObject({ text: 'you said hello' });
  expect(logged().match(/could not read a request from Slack/g)).toHaveLength(1);
});

it('The bot logs a command without its fields in one line, leaves it without an answer, and answers the next one', async () => {
  const answered: unknown[] = [];
  const { user_id: _, trigger_id: __, ...rest } = COMMAND;
  void slack.envelope('E5', 'slash_commands', rest).then((answer) => answered.push(answer));
  expect(await slack.envelope('E6', 'slash_commands', COMMAND)).toMatchObject({ text: 'you said hello' });
  const [line, ...more] = logged().match(/.*"kind":"command".*/g) ?? [];
  expect(JSON.parse(line ?? '')).toMatchObject({ level: 40, kind: 'command', fields: ['user_id', 'trigger_id'] });
  expect([more, answered, faults]).toEqual([[], [], 0]);
});

it('a frame that lets us disconnect is followed by a new connection', async () => {
  slack.frame('{"type":"disconnect","reason":"refresh_requested"}');
  await expect.poll(() => [receiver.isConnected(), slack.connections()], { timeout: 10_000 }).toEqual([true, 2]);
  expect(await slack.envelope('E2', 'slash_commands', COMMAND)).toMatchObject({ text: 'you said hello' });
});

it('nothing that came in them is in the log', () => {
  expect(logged()).not.toMatch(/you said|hello|nobody knows this|xapp-1|xoxb-1/);
});
