import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { connectCrewSandbox } from '../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { startCrewService } from '../../../src/sandbox/crew-service/service.ts';
import { ensureRedisServer } from '../../../src/setup/system-programs.mjs';
import { receivedBy, statusesIn } from '../../support/raw-http.ts';
import { sharedRedis } from '../shared.ts';
import { BUILT_PACKAGE } from './built-package.ts';
import { crewCaller } from './crew-caller.ts';
import { asking } from './hanging-crews.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { until } from './until.ts';
import { sharedReceiver } from './webhook-receiver.ts';

const CREWS = fileURLToPath(new URL('./hanging-crews.ts', import.meta.url));

const redis = sharedRedis();
const receiver = sharedReceiver();

const started: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
  await redis.flush();
});

/** A service with a task that hangs, or computes forever, and a notification that isn't answered. */
async function busyService(task: { computes: boolean } = { computes: false }): Promise<ServiceProcess> {
  receiver.answerWith('silence');
  receiver.answerWith(200, '/hangs');
  const known = receiver.all().length;
  const service = await startServiceProcess(redis.socketPath, CREWS);
  started.push(service);
  const at = (crew: string) => crewCaller(`${service.origin}/crews/${crew}`, PROCESS_TOKEN);
  await at('hanging').post('/kickoff', { inputs: { ...task, told: receiver.urlOf('/hangs') } });
  await until('the task that hangs', () => receiver.all().length > known);
  const humanInputWebhook = { url: receiver.urlOf('/slow') };
  await at('asking').post('/kickoff', { inputs: {}, humanInputWebhook });
  await until('the notification', () => receiver.all().length > known + 1);
  return service;
}

/** A kickoff of which only the beginning is sent. */
function beginKickoff({ origin }: ServiceProcess) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const received = receivedBy(socket, 30_000);
  const headers = `Host: x\r\nAuthorization: Bearer ${PROCESS_TOKEN}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
  socket.write(`POST /crews/asking/kickoff HTTP/1.1\r\n${headers}Content-Length: 13\r\n\r\n`);
  return { socket, received, begun: until('100 Continue', () => socket.bytesRead > 0) };
}

it('SIGTERM ends the service within 10 seconds, whatever goes on; what is in flight is answered, the rest comes later', async () => {
  const service = await busyService({ computes: true });
  const sandbox = connectCrewSandbox({ origin: service.origin, token: PROCESS_TOKEN });
  await sandbox.addFault({ route: 'inputs', gate: 'never opened' });
  const held = crewCaller(`${service.origin}/crews/asking`, PROCESS_TOKEN).get('/inputs');
  held.catch(() => {});
  const kickoff = beginKickoff(service);
  const neverSent = beginKickoff(service);
  await Promise.all([kickoff.begun, neverSent.begun]);

  const signalledAt = performance.now();
  service.process.kill('SIGTERM');
  await expect(held).rejects.toThrow();
  kickoff.socket.write('{"inputs":{}}');
  const answer = await kickoff.received;
  expect(statusesIn(answer)).toEqual([100, 200]);
  expect(answer).toContain('connection: close');
  expect(await service.exited).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(10_000);
  expect(statusesIn(await neverSent.received)).toEqual([100]);

  receiver.answerWith(200);
  const sent = receiver.at('/slow').length;
  const next = await startCrewService({ crews: [asking], tokens: { organisation: 'x' }, redisUrl: redis.socketPath });
  await receiver.nth('/slow', sent + 1);
  const runs = await next.sandbox.runs();
  expect(runs.map(({ crew }) => crew).sort()).toEqual(['asking', 'asking', 'hanging']);
  expect(runs.find(({ crew }) => crew === 'hanging')?.status).toBe('running');
  await next.close();
});

it('a test’s process that stops its service ends at once, and so does the Redis that the service has started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'own-redis-'));
  const program = `
    const { scriptedCrew, startCrewService } = await import(${JSON.stringify(pathToFileURL(join(BUILT_PACKAGE, 'service.js')).href)});
    const tea = scriptedCrew({ name: 'tea', tasks: [{ name: 'brew', humanInput: true, output: 'Tea' }] });
    const service = await startCrewService({ crews: [tea], tokens: { organisation: 'x' } });
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    await fetch(service.baseUrlOf('tea') + '/kickoff', { method: 'POST', headers, body: '{"inputs":{}}' });
    await service.close();
    const at = performance.now();
    process.on('exit', () => console.log(Math.round(performance.now() - at)));`;
  const PATH = [dirname(await ensureRedisServer()), process.env.PATH].join(delimiter);
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, PATH } });
  expect(Number(stdout)).toBeLessThan(2_000);
  const toRedis = once(connect(join(folder, '.crew-service/redis/redis.sock')), 'connect');
  await expect(toRedis).rejects.toThrow(/ECONNREFUSED|ENOENT/);
  await rm(folder, { recursive: true });
});

it('a second signal ends the service at once', async () => {
  const service = await busyService();
  let signals = 0;
  await until('the end', () => {
    service.process.kill('SIGTERM');
    signals++;
    return service.process.exitCode !== null;
  });
  expect(await service.exited).toBe(128 + 15);
  expect(signals).toBeGreaterThan(1);
});

it('one Ctrl-C that comes twice, from the terminal and from npm, is one', async () => {
  const service = await busyService();
  service.process.kill('SIGINT');
  service.process.kill('SIGINT');
  expect(await service.exited).toBe(0);
});
