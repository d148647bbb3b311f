import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, reservePort } from '../../src/setup/free-port.ts';

it('gives a port once, though nobody listens there yet', async () => {
  const port = await freePort();
  expect(await reservePort(port)).toBe(false);
});

it('gives a port to one process at a time, and again when that one has been killed', async () => {
  const program = `
    import { freePort } from './src/setup/free-port.ts';
    process.stdout.write(String(await freePort()));
    process.stdin.resume();`;
  const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]);
  const [said] = await once(other.stdout, 'data');
  const port = Number(said);
  expect(await reservePort(port)).toBe(false);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(await reservePort(port)).toBe(true);
});

it('gives no port on which somebody listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await reservePort(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await reservePort(port)).toBe(true);
});
