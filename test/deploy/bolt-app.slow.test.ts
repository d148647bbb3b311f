import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../src/setup/free-port.ts';
import { steps } from '../../src/slack/features/workflow/listeners.ts';
import { startWorld, type World } from '../support/world.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
/** The listeners for the command, buttons, modals, shortcuts and events, and one for each step of a workflow. */
const LISTENERS = 5 + Object.keys(steps).length;

let http: World;
let socket: World;
beforeAll(async () => {
  [http, socket] = await Promise.all([startWorld({ slackMode: 'http' }), startWorld({ slackMode: 'socket' })]);
});
afterAll(() => Promise.all([http.stop(), socket.stop()]));

/** The production build, with an inspector. */
async function startProduction(env: Record<string, string>): Promise<{ child: ChildProcess; inspector: string }> {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'src/setup/run.mjs', 'dist/main.js'], {
    cwd: CHECKOUT,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  await expect.poll(() => printed).toContain('Signoff is ready');
  const [, inspector = ''] = /Debugger listening on (ws:\S+)/.exec(printed) ?? [];
  return { child, inspector };
}

/** Runs in the bot: what all its objects say that it is. */
const LOOK = `function () {
  const named = (name) => this.filter((each) => {
    try {
      return each.constructor.name === name && each !== each.constructor.prototype;
    } catch {
      return false;
    }
  });
  return {
    apps: named('App').map(({ receiver, listeners }) => [receiver.constructor.name, listeners.length]),
    listening: named('Server').filter(({ listening }) => listening).length,
    stock: ['HTTPReceiver', 'ExpressReceiver', 'SocketModeReceiver'].filter((name) => named(name).length > 0),
  };
}`;

/** https://chromedevtools.github.io/devtools-protocol/v8/Runtime/ */
async function look(inspector: string): Promise<unknown> {
  const connection = new WebSocket(inspector);
  await once(connection, 'open');
  const call = async (id: number, method: string, params: object) => {
    connection.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [data] = await once(connection, 'message');
      const answer = JSON.parse(String(data));
      if (answer.id === id) return answer.result;
    }
  };
  const { result: prototype } = await call(1, 'Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = await call(2, 'Runtime.queryObjects', { prototypeObjectId: prototype.objectId });
  const asked = { objectId: objects.objectId, functionDeclaration: LOOK, returnByValue: true };
  const { result } = await call(3, 'Runtime.callFunctionOn', asked);
  connection.close();
  return result.value;
}

it.each(['http', 'socket'] as const)(
  'the production build is one Bolt app in %s mode, with all listeners, and nothing of Bolt’s own listens',
  async (mode) => {
    const world = mode === 'http' ? http : socket;
    const { child, inspector } = await startProduction(world.env(await freePort()));
    const seen = await look(inspector).finally(() => child.kill());
    const receiver = mode === 'http' ? 'HttpReceiver' : 'SocketReceiver';
    expect(seen).toEqual({ apps: [[receiver, LISTENERS]], listening: 1, stock: [] });
  },
);
