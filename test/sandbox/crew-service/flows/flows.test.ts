import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contentReviewFlow } from '../../../../src/sandbox/crew-service/crews/content-review.ts';
import { defineFlow } from '../../../../src/sandbox/crew-service/define-flow.ts';
import { connectCrewSandbox } from '../../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { objectIn, textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';
import { type FlowCaller, flowCaller, respond, SECRET, signatureOf, TOKEN } from './flow-caller.ts';

/** Asks for a text alone, and says what it was told. */
const plain = defineFlow({
  name: 'plain',
  inputs: {},
  methods: {
    ask: { next: 'repeat', humanFeedback: { message: 'What now?' }, run: () => 'a question' },
    repeat: { run: ({ humanFeedback }) => JSON.stringify(humanFeedback) },
  },
});

/** Two outcomes, none of them the default one. */
const choosing = defineFlow({
  name: 'choosing',
  inputs: {},
  methods: {
    ask: {
      humanFeedback: { message: 'Which?', emit: { approve: 'say', approve_later: 'say', reject: null } },
      run: () => 'a choice',
    },
    say: { run: ({ humanFeedback }) => `chosen: ${humanFeedback.at(-1)?.outcome}` },
  },
});

const PATH = '/hitl';
const NEWS = { topic: 'Dark mode', highlights: 'Easy on the eyes\nFollows your system' };

const redis = sharedRedis();
const receiver = sharedReceiver();
let service: CrewService;
let flow: FlowCaller;

const dashboard = () => ({ url: receiver.urlOf(PATH), secret: SECRET });

const start = (port = 0) =>
  startCrewService({
    crews: [contentReviewFlow(), plain, choosing],
    tokens: { organisation: TOKEN, users: [{ user: 'maria', token: 'maria-token' }] },
    redisUrl: redis.socketPath,
    dialect: 'flows',
    sandboxApi: 'on',
    dashboard: dashboard(),
    port,
  });

const callerOf = (name: string) => flowCaller(name, { service, receiver, path: PATH });

beforeAll(async () => {
  service = await start();
  flow = callerOf('content-review');
});

afterAll(() => service.close());

beforeEach(async () => {
  receiver.answerWith(200);
  await service.sandbox.clearFaults();
  await service.sandbox.clearRecords();
  await service.sandbox.setDashboard(dashboard());
});

describe('a flow that asks for feedback', () => {
  it('says PAUSED while it waits, and tells the dashboard’s webhook all about it, signed', async () => {
    const kickoffId = await flow.start(NEWS);
    const asked = await flow.asked(kickoffId, 1);
    const text = '# Dark mode\n\nDark mode is here. What it brings:\n\n- Easy on the eyes\n- Follows your system';
    expect(asked.body).toEqual({
      event_type: 'new_request',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'pending',
      flow_id: kickoffId,
      flow_class: 'ContentReviewFlow',
      method_name: 'write',
      message: 'Is this announcement ready to be published?',
      output: text,
      emit: ['approved', 'rejected', 'needs_revision'],
      default_outcome: 'needs_revision',
      state: { ...NEWS, write: text, id: kickoffId },
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      callback_url: `${service.baseUrlOf('content-review')}/crewai_plus/api/v1/human_feedback_requests/${asked.body.id}/respond?token=${asked.body.response_token}`,
      response_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      deployment_id: 1,
      deployment_name: 'content-review',
      flow_execution_id: kickoffId,
      assigned_to_email: null,
      assigned_at: null,
      escalated_at: null,
      sla_target_minutes: null,
      routing: null,
    });
    expect(asked.headers['x-crewai-signature']).toBe(signatureOf(asked));
    expect(asked.headers).not.toHaveProperty('x-signature');
    expect(Math.abs(Date.now() / 1000 - Number(asked.headers['x-crewai-timestamp']))).toBeLessThan(60);
    expect(await flow.statusOf(kickoffId)).toMatchObject({ state: 'PAUSED', status: 'awaiting_human_feedback' });
  });

  it('goes on by the outcome: writes again, publishes, and ends with its state as the result', async () => {
    const kickoffId = await flow.start(NEWS);
    const first = await flow.asked(kickoffId, 1);
    const revision = await respond(first, { feedback: 'needs_revision: title: Night shift', source: 'signoff' });
    expect([revision.status, revision.body]).toEqual([
      200,
      {
        status: 'accepted',
        request: {
          id: first.body.id,
          status: 'responded',
          feedback: 'needs_revision: title: Night shift',
          outcome: 'needs_revision',
          responded_at: expect.stringMatching(/^\d{4}-.*Z$/),
          responded_via: 'signoff',
        },
      },
    ]);
    const second = await flow.asked(kickoffId, 2);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.body.flow_execution_id).not.toBe(kickoffId);
    expect(textIn(second.body, 'output')).toMatch(/^# Night shift\n/);
    expect((await respond(second, { feedback: 'Approved' })).status).toBe(200);
    const ended = await flow.reaches(kickoffId, 'SUCCESS');
    expect(ended.result).toEqual(ended.result_json);
    expect(objectIn(ended, 'result_json')).toMatchObject({ id: kickoffId, topic: 'Dark mode' });
    expect(textIn(objectIn(ended, 'result'), 'publish')).toMatch(/^Published\.\n\n# Night shift/);
  });

  it('hands on the feedback alone where there are no outcomes', async () => {
    const asking = callerOf('plain');
    const kickoffId = await asking.start({});
    const asked = await asking.asked(kickoffId, 1);
    expect(asked.body.emit).toBeNull();
    expect((await respond(asked, { feedback: 'Carry on.' })).body).toMatchObject({ request: { outcome: null } });
    const { result } = await asking.reaches(kickoffId, 'SUCCESS');
    expect(result).toMatchObject({ repeat: '[{"method":"ask","outcome":null,"feedback":"Carry on."}]' });
  });

  it.each([
    ['approve', 'approve'],
    ['APPROVE_LATER, please', 'approve_later'],
    ['I would reject rather than approve', 'reject'],
    ['no idea', 'reject'],
  ])('takes “%s” for %s', async (feedback, outcome) => {
    const caller = callerOf('choosing');
    const kickoffId = await caller.start({});
    const answer = await respond(await caller.asked(kickoffId, 1), { feedback });
    expect(answer.body).toMatchObject({ request: { outcome } });
    const { result } = await caller.reaches(kickoffId, 'SUCCESS');
    expect(objectIn({ result }, 'result').say).toBe(outcome === 'reject' ? undefined : `chosen: ${outcome}`);
  });

  it('takes the default outcome where the feedback names none', async () => {
    const kickoffId = await flow.start(NEWS);
    const answer = await respond(await flow.asked(kickoffId, 1), { feedback: 'shorter' });
    expect(answer.body).toMatchObject({ request: { outcome: 'needs_revision' } });
    expect((await flow.asked(kickoffId, 2)).body.output).not.toContain('Follows your system');
  });

  it('writes the nested shape with its own header, and whom the request is assigned to', async () => {
    const assignedTo = 'maria@example.com';
    await service.sandbox.setDashboard({ ...dashboard(), shape: 'nested', assignedTo });
    const kickoffId = await flow.start(NEWS);
    const nested = () =>
      receiver.at(PATH).find(({ body }) => objectIn({ request: {}, ...body }, 'request').flow_id === kickoffId);
    const asked = await until('the nested request', nested);
    expect(asked.body).toEqual({ event: 'new_request', request: expect.anything(), callback_url: expect.any(String) });
    expect(asked.body.request).toMatchObject({
      emit_options: ['approved', 'rejected', 'needs_revision'],
      assigned_to: { email: assignedTo },
    });
    expect(asked.headers['x-signature']).toBe(signatureOf(asked));
    expect(asked.headers).not.toHaveProperty('x-crewai-signature');
    expect((await respond(asked, { feedback: 'approved' })).status).toBe(200);

    await service.sandbox.setDashboard({ ...dashboard(), assignedTo });
    const flat = await flow.asked(await flow.start(NEWS), 1);
    expect(flat.body).toMatchObject({ assigned_to_email: assignedTo, assigned_at: flat.body.created_at });
  });

  it('tells the webhook once, whatever it answers', async () => {
    receiver.answerWith(500);
    const kickoffId = await flow.start(NEWS);
    await flow.asked(kickoffId, 1);
    const sent = async () => (await service.sandbox.webhooks()).filter(({ runId }) => runId === kickoffId);
    const report = async () => (await flow.crew.get(`/executions/${kickoffId}`)).body;
    await until('the failure', async () => JSON.stringify(await report()).includes('given-up'));
    expect(await sent()).toMatchObject([{ kind: 'human-feedback', outcome: { status: 500 } }]);
    expect(JSON.stringify(await report())).not.toContain((await flow.asked(kickoffId, 1)).body.response_token);
    expect(await flow.statusOf(kickoffId)).toMatchObject({ state: 'PAUSED' });
  });

  it('pauses unannounced without a webhook, and goes on from the dashboard', async () => {
    await service.sandbox.setDashboard(null);
    const kickoffId = await flow.start(NEWS);
    await flow.reaches(kickoffId, 'PAUSED');
    const [asked] = (await service.sandbox.feedbackRequests()).filter((one) => one.kickoffId === kickoffId);
    await service.sandbox.answerInDashboard(asked?.id ?? '', 'rejected: not now');
    const { result } = await flow.reaches(kickoffId, 'SUCCESS');
    expect(result).toMatchObject({ archive: 'Archived, since the reviewer said: not now' });
    expect(receiver.at(PATH).filter(({ body }) => body.flow_id === kickoffId)).toEqual([]);
  });

  it('begins with the state of an earlier run, also one that still waits; of an unknown one it begins anew', async () => {
    const earlier = await flow.start({ ...NEWS, topic: 'Tea' });
    await respond(await flow.asked(earlier, 1), { feedback: 'needs_revision: title: Biscuits' });
    await flow.asked(earlier, 2);
    const later = await flow.start({}, { restoreFromStateId: earlier });
    const asked = await flow.asked(later, 1);
    expect(asked.body).toMatchObject({
      state: { topic: 'Tea', id: later },
      output: expect.stringMatching(/^# Biscuits/),
    });
    const { body } = await flow.crew.get(`/status/${earlier}`);
    expect(body.state).toBe('PAUSED');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const anew = await flow.start(NEWS, { restoreFromStateId: unknown });
    expect((await flow.asked(anew, 1)).body.output).toMatch(/^# Dark mode/);
    expect((await flow.crew.post('/kickoff', { inputs: NEWS, restoreFromStateId: 'x' })).status).toBe(400);
  });

  it('answers 404 to a resume, as flows have none', async () => {
    const kickoffId = await flow.start(NEWS);
    await flow.asked(kickoffId, 1);
    const body = { executionId: kickoffId, taskId: 't', humanFeedback: 'x', isApprove: true };
    for (const sent of [body, {}]) {
      const answer = await flow.crew.post('/resume', sent);
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Not Found' }]);
    }
  });
});

describe('the callback of a request for feedback', () => {
  const asked = async () => {
    const kickoffId = await flow.start(NEWS);
    return flow.asked(kickoffId, 1);
  };

  it('needs no other credential, and takes each token once', async () => {
    const request = await asked();
    expect((await respond(request, { feedback: 'approved' })).status).toBe(200);
    const again = await respond(request, { feedback: 'approved' });
    expect([again.status, again.body]).toEqual([401, { error: 'unauthorized', message: 'Invalid response token' }]);
    const mine = (await service.sandbox.feedbackRequests()).filter(({ id }) => id === request.body.id);
    expect(mine).toMatchObject([{ answer: { feedback: 'approved', outcome: 'approved', via: 'callback' } }]);
    const calls = (await service.sandbox.requests()).filter(({ route }) => route === 'respond');
    expect(calls.map(({ answer }) => answer)).toMatchObject([{ status: 200 }, { status: 401 }]);
    expect(JSON.stringify(calls)).not.toContain(request.body.response_token);
  });

  it('takes one of many answers at the same moment', async () => {
    const request = await asked();
    const answers = await Promise.all(Array.from({ length: 10 }, () => respond(request, { feedback: 'approved' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)]);
  });

  it('answers 409 once somebody has answered in the dashboard, who can’t do so twice', async () => {
    const request = await asked();
    const id = textIn(request.body, 'id');
    await service.sandbox.answerInDashboard(id, 'rejected');
    const late = await respond(request, { feedback: 'approved' });
    expect([late.status, late.body]).toEqual([
      409,
      {
        error: 'already_responded',
        message: expect.stringMatching(/^Feedback already provided via dashboard at \d{4}-.*Z$/),
      },
    ]);
    await expect(service.sandbox.answerInDashboard(id, 'approved')).rejects.toThrow('No request for feedback waits');
  });

  it.each([
    ['another token', 401, (url: string) => url.replace(/token=.*/, `token=${'0'.repeat(64)}`)],
    ['no token', 401, (url: string) => url.replace(/\?.*/, '')],
    ['an unknown request', 404, (url: string) => url.replace(/requests\/[^/]+/, 'requests/nothing')],
    ['another crew', 404, (url: string) => url.replace('/crews/content-review/', '/crews/plain/')],
  ])('refuses %s with %i', async (_what, status, change) => {
    const request = await asked();
    const callback_url = change(textIn(request.body, 'callback_url'));
    expect((await respond({ body: { callback_url } }, { feedback: 'approved' })).status).toBe(status);
    expect(await flow.statusOf(textIn(request.body, 'flow_id'))).toMatchObject({ state: 'PAUSED' });
  });

  it.each([
    ['without feedback', {}, 422],
    ['with blank feedback', { feedback: ' ' }, 422],
    ['with feedback that is no text', { feedback: 1 }, 400],
    ['that is no object', ['approved'], 400],
  ])('refuses an answer %s, and still takes a better one', async (_what, answer, status) => {
    const request = await asked();
    const refused = await respond(request, answer);
    expect([refused.status, refused.body.error]).toEqual([status, expect.any(String)]);
    expect((await respond(request, { feedback: 'approved' })).status).toBe(200);
  });

  it('refuses what isn’t JSON with 400, and another method with 405', async () => {
    const request = await asked();
    const caller = crewCaller(textIn(request.body, 'callback_url'), undefined);
    expect((await caller.send('POST', '', { body: 'feedback=approved' })).status).toBe(400);
    const got = await caller.get('');
    expect([got.status, got.headers.allow]).toEqual([405, 'POST']);
  });
});

it('still waits after a restart, under the same address, and the dashboard keeps what a test has set', async () => {
  const elsewhere = receiver.urlOf('/elsewhere');
  const kickoffId = await flow.start(NEWS);
  const request = await flow.asked(kickoffId, 1);
  const { port } = service;
  await service.sandbox.setDashboard({ ...dashboard(), url: elsewhere });
  await service.close();
  service = await start(port);
  flow = callerOf('content-review');
  expect(await flow.statusOf(kickoffId)).toMatchObject({ state: 'PAUSED' });
  expect((await respond(request, { feedback: 'needs_revision' })).status).toBe(200);
  await receiver.nth('/elsewhere', 1);
});

it('is told from another process: the dashboard, what was asked, and an answer', async () => {
  const sandbox = connectCrewSandbox({ origin: service.origin, token: TOKEN });
  await sandbox.setDashboard(null);
  const kickoffId = await flow.start(NEWS);
  await flow.reaches(kickoffId, 'PAUSED');
  const request = (await sandbox.feedbackRequests()).find((one) => one.kickoffId === kickoffId);
  expect(request).toMatchObject({ crew: 'content-review', method: 'write', answer: null });
  await sandbox.answerInDashboard(request?.id ?? '', 'approved');
  await expect(sandbox.answerInDashboard(request?.id ?? '', 'approved')).rejects.toThrow('409');
  await flow.reaches(kickoffId, 'SUCCESS');
  await expect(sandbox.setDashboard({ url: 'nowhere', secret: 's' })).rejects.toThrow('400');
});

it('serves a flow in no other dialect', async () => {
  const options = { crews: [plain], tokens: { organisation: TOKEN }, redisUrl: redis.socketPath, keyPrefix: 'other:' };
  await expect(startCrewService({ ...options, dialect: 'observed' })).rejects.toThrow(
    '"plain" is a flow: serve it in the dialect flows, not observed.',
  );
});

it.each([
  ['a method', { humanFeedback: { message: '?', emit: { yes: 'nowhere' } } }, 'has no method "nowhere"'],
  ['a method', { next: 'nowhere' }, 'has no method "nowhere"'],
  ['a default', { humanFeedback: { message: '?', emit: { yes: null }, defaultOutcome: 'no' } }, '"no" of the method'],
])('refuses a flow that goes on to %s that it doesn’t have', (_what, definition, words) => {
  // As JavaScript may write it.
  const methods = { only: { ...definition, run: () => '' } } as never;
  expect(() => defineFlow({ name: 'wrong', inputs: {}, methods })).toThrow(words);
});
