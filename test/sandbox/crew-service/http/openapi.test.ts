import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineFlow, z } from '../../../../src/sandbox/crew-service/crew.ts';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { type Described, pointerOf, readDescription } from '../../../support/openapi.ts';
import { rawExchange } from '../../../support/raw-http.ts';
import { sharedRedis } from '../../shared.ts';
import { type Conversation, converse } from '../conversation.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const TOKEN = 'org-token';
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

const editorial = scriptedCrew({
  name: 'editorial',
  inputs: ['topic'],
  tasks: [
    { name: 'research', agent: 'Researcher', output: 'notes', steps: 1 },
    { name: 'write', agent: 'Writer', humanInput: true, steps: 1, output: { draft: 'round {{round}}' } },
    { name: 'print', agent: 'Printer', hold: 'press', output: { pages: 3 }, steps: 1 },
  ],
});
const failing = scriptedCrew({ name: 'failing', tasks: [{ name: 'try', fails: 'no paper in the printer' }] });
const flow = defineFlow({
  name: 'post',
  inputs: { topic: z.string() },
  methods: {
    write: { next: 'print', humanFeedback: { message: 'Is this ready?' }, run: ({ inputs }) => inputs.topic },
    print: { run: () => 'Printed.' },
  },
});

const redis = sharedRedis();
const receiver = sharedReceiver();

describe.each(['spec', 'observed', 'flows'] as const)(
  'The description of the service, in the dialect %s',
  (dialect) => {
    const flows = dialect === 'flows' ? [flow] : [];
    let service: CrewService;
    let conversation: Conversation;
    let described: Described;

    beforeAll(async () => {
      service = await startCrewService({
        crews: [editorial, failing, ...flows],
        tokens: { organisation: TOKEN },
        redisUrl: redis.socketPath,
        keyPrefix: `${dialect}:`,
        dialect,
        bodyLimitBytes: 10_000,
        requestTimeoutMs: 300,
      });
      conversation = converse({ service, receiver, dialect, token: TOKEN });
      described = await readDescription(await (await fetch(`${service.origin}/openapi.json`)).json());
    });

    afterAll(() => service.close());

    const call = (method: string, path: string, init: RequestInit = {}) =>
      fetch(`${service.origin}${path}`, { method, headers: HEADERS, ...init });

    async function expectDescribed(method: string, path: string, status: number, answer: Response): Promise<void> {
      expect(answer.status).toBe(status);
      expect(await described.problem({ method, path, answer })).toBeNull();
    }

    /** The answer to bytes that no client would send. */
    async function rawAnswer(request: string): Promise<Response> {
      const [head = '', body = ''] = (await rawExchange(service.port, request)).split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']);
      return new Response(body, { status: Number(first.split(' ')[1]), headers });
    }

    const statusOf = (crew: string, id: string) => call('GET', `/crews/${crew}/status/${id}`);

    /** Asks for the status, each time checked, until it is this. */
    async function reaches(crew: string, id: string, state: string): Promise<void> {
      await until(`${state} of ${id}`, async () => {
        const answer = await statusOf(crew, id);
        const body = await answer.clone().json();
        await expectDescribed('GET', `/crews/${crew}/status/${id}`, 200, answer);
        return Object(body).state === state;
      });
    }

    function expectDescribedPayload(route: 'kickoff' | 'resume', type: string, pointer: string, body: unknown): void {
      const post = ['paths', `/crews/{crew}/${route}`, 'post'];
      const callback = [...post, 'callbacks', type, `{$request.body#/${pointer}}`, 'post'];
      const schema = pointerOf([...callback, 'requestBody', 'content', 'application/json', 'schema']);
      expect(described.problemAt(schema, body)).toBeNull();
    }

    it('is served to anybody, and names no crew', async () => {
      const answer = await fetch(`${service.origin}/openapi.json`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await answer.text()).not.toContain('editorial');
      const posted = await fetch(`${service.origin}/openapi.json`, { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });

    it('says what a run answers in each of its states, and sends to each of its addresses', async () => {
      await service.sandbox.shutGate('press');
      await expectDescribed('GET', '/crews/editorial/inputs', 200, await call('GET', '/crews/editorial/inputs'));
      const body = JSON.stringify({ inputs: { topic: 'tea' } });
      const started = await call('POST', '/crews/editorial/kickoff', { body });
      await expectDescribed('POST', '/crews/editorial/kickoff', 200, started);
      const run = await conversation.start('editorial', { topic: 'tea' });
      const pause = await run.pause(1);
      expectDescribedPayload('kickoff', 'humanInputWebhook', 'humanInputWebhook/url', pause.body);
      await expectDescribed(
        'GET',
        `/crews/editorial/status/${run.kickoffId}`,
        200,
        await statusOf('editorial', run.kickoffId),
      );
      for (const approved of [false, true]) {
        const verdict = { approved, text: approved ? 'Approved.' : 'Shorter.' };
        const { status, text } = await run.resume(await run.pause(approved ? 2 : 1), verdict, { events: 'named' });
        const headers = { 'content-type': 'application/json' };
        await expectDescribed('POST', '/crews/editorial/resume', 200, new Response(text, { status, headers }));
      }
      const newest = await until('a held run', async () => {
        const summary = await run.summary();
        return summary?.status === 'running' && summary.kickoffId;
      });
      await reaches('editorial', newest, 'RUNNING');
      await service.sandbox.openGate('press');
      await reaches('editorial', newest, 'SUCCESS');
      for (const type of ['task', 'step', 'crew'] as const) {
        const { body: told } = await run.event(type, 1);
        expectDescribedPayload('resume', `${type}WebhookUrl`, `${type}WebhookUrl`, told);
      }
      const failed = await conversation.start('failing', {});
      await reaches('failing', failed.kickoffId, 'FAILED');
      for (const { name } of flows) {
        const { kickoffId } = await conversation.start(name, { topic: 'tea' });
        await reaches(name, kickoffId, 'PAUSED');
        const [asked] = await service.sandbox.feedbackRequests();
        await service.sandbox.answerInDashboard(asked?.id ?? '', 'Fine.');
        await reaches(name, kickoffId, 'SUCCESS');
      }
    });

    it('says by which key a kickoff that is repeated is known, and what another one with it is answered', async () => {
      const path = '/crews/editorial/kickoff';
      const { post } = described.document.paths['/crews/{crew}/kickoff'] ?? {};
      expect(post).toMatchObject({
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
        responses: { 422: { description: expect.stringContaining('Idempotency-Key') } },
      });
      const headers = { ...HEADERS, 'idempotency-key': 'k1' };
      for (const [topic, status] of [
        ['tea', 200],
        ['coffee', 422],
      ] as const) {
        const body = JSON.stringify({ inputs: { topic } });
        await expectDescribed('POST', path, status, await call('POST', path, { headers, body }));
      }
    });

    it('says what is refused, and describes no answer that isn’t met here', async () => {
      const routes = [
        ['GET', 'inputs', '/inputs'],
        ['POST', 'kickoff', '/kickoff'],
        ['GET', 'status', '/status/unknown'],
        ['POST', 'resume', '/resume'],
      ] as const;
      for (const [method, route, below] of routes) {
        const path = `/crews/editorial${below}`;
        const check = async (status: number, answer: Promise<Response>) =>
          expectDescribed(method, path, status, await answer);
        const body = method === 'POST' ? { body: '{}' } : {};
        const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
        await check(400, rawAnswer(`${head}Authorization: x\r\nAuthorization: y\r\n\r\n`));
        await check(401, call(method, path, { headers: {}, ...body }));
        const nobody = await call(method, `/crews/nobody${below}`, body);
        await expectDescribed(method, `/crews/nobody${below}`, 404, nobody);
        await expectDescribed('PUT', path, 405, await call('PUT', path));
        await check(408, rawAnswer(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`));
        await check(431, rawAnswer(`${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`));
        await service.sandbox.addFault({ route, apply: false });
        await check(500, call(method, path, body));
        if (method === 'GET') continue;
        await check(413, call(method, path, { body: 'x'.repeat(10_001) }));
        const compressed = { ...HEADERS, 'content-encoding': 'gzip' };
        await check(415, call(method, path, { headers: compressed, body: gzipSync('{}') }));
        await check(422, call(method, path, body));
        await check(400, call(method, path, { body: '[]' }));
      }
      expect(described.notMet()).toEqual([]);
    });
  },
);
