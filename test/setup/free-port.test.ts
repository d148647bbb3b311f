import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, reservePort } from '../../src/setup/free-port.ts';

it('returns a port only once, even while nothing listens on it', async () => {
  const port = await freePort();
  expect(await reservePort(port)).toBe(false);
});

it('reserves a port for one process, and releases it when that process is killed', async () => {
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

it('never returns a port that a server is listening on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await reservePort(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await reservePort(port)).toBe(true);
});
