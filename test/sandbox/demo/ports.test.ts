import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { requireFreePorts } from '../../../src/sandbox/demo/require-free-ports.ts';
import { freePort } from '../../../src/setup/free-port.ts';

const portsOfDemo = async () => ({ page: await freePort(), crews: await freePort(), bot: await freePort() });

/** What the demo says while something else listens there. */
async function refusalWhile(listening: { port: number; host: string }, ports: Parameters<typeof requireFreePorts>[0]) {
  const server = createServer().listen(listening);
  await once(server, 'listening');
  try {
    return await requireFreePorts(ports).then(
      () => '',
      (error) => `${error.name}: ${error.message}`,
    );
  } finally {
    server.close();
    await once(server, 'close');
  }
}

it.each([
  ['page', "the workspace's page"],
  ['crews', 'the crews'],
  ['bot', 'the bot'],
] as const)('The demo says whose port is taken, and how to choose another one (%s)', async (name, what) => {
  const ports = await portsOfDemo();
  await expect(requireFreePorts(ports)).resolves.toBeUndefined();
  expect(await refusalWhile({ port: ports[name], host: '127.0.0.1' }, ports)).toBe(
    `SetupError: Port ${ports[name]}, for ${what}, is in use (by another demo?). Stop what uses it, or choose another one with --port: npm run demo -- --port 5000 --folder .demo/second`,
  );
});

it('The demo’s bot needs its port on the addresses beside loopback, too', async () => {
  const ports = await portsOfDemo();
  const host = '127.0.0.2';
  expect(await refusalWhile({ port: ports.bot, host }, ports)).toContain('for the bot, is in use');
  expect(await refusalWhile({ port: ports.page, host }, ports)).toBe('');
});
