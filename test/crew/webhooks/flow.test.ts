import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settleKickoff } from '../../../src/core/execution/start.ts';
import type { RulesOf } from '../../../src/core/policy/crew.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { ok } from '../../../src/core/values/result.ts';
import { createRefs } from '../../../src/crew/credentials.ts';
import { parseJsonBody } from '../../../src/crew/payload.ts';
import type { WebhookContext } from '../../../src/crew/webhooks/context.ts';
import { parseFlowNotification } from '../../../src/crew/webhooks/flow.ts';
import { settleAdoption } from '../../../src/crew/webhooks/settle-adoption.ts';
import { FLOW_SECRET, flatRequest, nestedRequest, type Signing, signed } from '../../support/flow-feedback.ts';
import { RULES } from '../../support/requests.ts';
import { crew, SECRET } from '../crew-values.ts';
import { CREW, type WebhookBot, webhookBotForTests } from '../webhook-bot.ts';

const SHAPES = [
  ['flat', flatRequest],
  ['nested', nestedRequest],
] as const;

describe.each(SHAPES)('a request of a flow in the %s shape', (shape, request) => {
  const read = (change: Record<string, Json> = {}) => parseFlowNotification(request(change));
  const outcomes = (emit: Json) => {
    const found = read({ emit });
    return found.kind === 'request' ? found.request.flow.outcomes : found.kind;
  };

  it('is read', () => {
    expect(read({ assigned_to_email: 'jon@sandbox.example' })).toEqual({
      kind: 'request',
      shape,
      request: {
        kind: 'human-input',
        kickoffId: 'F1',
        executionId: 'F1',
        taskId: 'write',
        taskName: 'write',
        output: 'Is this ready?\n\n# Tea\n\nAbout tea.',
        metaRef: null,
        flow: {
          requestId: 'R1',
          callbackUrl: flatRequest().callback_url,
          outcomes: ['approved', 'rejected', 'needs_revision'],
          inputs: { assigned_to_email: 'jon@sandbox.example' },
        },
      },
    });
  });

  it('shows its question above what it is about, whichever of them there is', () => {
    const text = (message: Json, output: Json) => {
      const found = read({ message, output });
      return found.kind === 'request' && found.request.output;
    };
    expect(text(null, 'About tea.')).toBe('About tea.');
    expect(text(' \n', 'About tea.')).toBe('About tea.');
    expect(text('Ready?', '')).toBe('Ready?');
    expect(text('Ready?', null)).toBe('Ready?');
    expect(text(7, 'About tea.')).toBe('About tea.');
    const pretty = '{\n  "topic": "tea"\n}';
    for (const data of ['{"topic":"tea"}', { topic: 'tea' }]) {
      expect(text('Ready?', data)).toBe(`Ready?\n\n\`\`\`json\n${pretty}\n\`\`\``);
      expect(text(null, data)).toBe(pretty);
    }
    for (const plain of ['7', '"tea"', 'null', '{"topic":']) expect(text('Ready?', plain)).toBe(`Ready?\n\n${plain}`);
  });

  it('offers its outcomes as they are called, each once', () => {
    expect(outcomes(['yes', ' no ', 'yes', '', 7, null, { name: 'x' }])).toEqual(['yes', 'no']);
    expect(outcomes(['<!channel> *now*', '`no` & <b>'])).toEqual(['<!channel> *now*', '`no` & <b>']);
    expect(outcomes(['__proto__', 'constructor'])).toEqual(['__proto__', 'constructor']);
    const twenty = Array.from({ length: 20 }, (_, n) => `outcome ${n}`);
    expect(outcomes(twenty)).toEqual(twenty);
  });

  it.each([
    [null],
    [[]],
    [['one']],
    [['one', ' one ']],
    [[1, 2, 3]],
    ['approved,rejected'],
    [{ a: 1 }],
    [true],
  ] as Json[][])('that emits %j is approved or rejected', (emit) => expect(outcomes(emit as Json)).toBeNull());

  it('whose outcomes can’t be shown as they are is unreadable, never changed', () => {
    const many = Array.from({ length: 101 }, (_, n) => `outcome ${n}`);
    for (const emit of [['yes', 'n'.repeat(76)], many, ['yes', 'no \ud800']])
      expect(outcomes(emit)).toBe('unsupported');
    expect(outcomes(['yes', 'n'.repeat(75)])).toHaveLength(2);
    expect(outcomes(many.slice(1))).toHaveLength(100);
  });

  it('without what it takes to answer it is unreadable', () => {
    for (const [name, values] of Object.entries({
      id: [null, {}, '', 'x'.repeat(301)],
      method_name: [null, ['write'], ' '],
      callback_url: [null, 7, {}, `https://a/${'x'.repeat(2_000)}`],
    }))
      for (const value of values)
        expect(read({ [name]: value }), `${name} ${JSON.stringify(value)}`).toMatchObject({ kind: 'unsupported' });
    expect(read({ flow_id: null, flow_execution_id: null })).toMatchObject({ kind: 'unsupported' });
  });

  it('is known by the one id that it has', () => {
    expect(read({ flow_id: null })).toMatchObject({ request: { kickoffId: null, executionId: 'F1' } });
    expect(read({ flow_execution_id: 7 })).toMatchObject({ request: { kickoffId: 'F1', executionId: '7' } });
  });

  it('says whom it is assigned to, also if that is nobody', () => {
    for (const [given, found] of [
      [' jon@sandbox.example ', 'jon@sandbox.example'],
      [null, null],
      [7, null],
      ['', null],
    ] as const)
      expect(read({ assigned_to_email: given })).toMatchObject({
        request: { flow: { inputs: { assigned_to_email: found } } },
      });
  });

  it('is the same if it is escalated', () => {
    const { event_type: _, ...rest } = flatRequest();
    expect(read({ event_type: 'escalation' })).toEqual(read());
    expect(parseFlowNotification(rest)).toEqual(parseFlowNotification(flatRequest()));
  });

  it('that waits no more, and whatever else a flow tells, asks nothing', () => {
    for (const change of [{ status: 'responded' }, { event_type: 'responded' }, { event_type: 'something_new' }])
      expect(read(change)).toEqual({ kind: 'other', shape });
  });
});

it('what is no request at all is named by its keys', () => {
  const found = parseFlowNotification({ hello: 1, '<b>x</b>': 2 });
  expect(found).toEqual({ kind: 'unsupported', shape: 'flat', keys: ['hello', 'x'] });
  for (const body of [null, 7, 'text', [], [flatRequest()]])
    expect(parseFlowNotification(body)).toMatchObject({ keys: [] });
});

it('fields of every object are none of a notification', () => {
  const found = parseJsonBody(
    '{"__proto__":{"event_type":"new_request","id":"R1"},"request":{"__proto__":{"id":"R1"}}}',
  );
  expect(parseFlowNotification(found?.value ?? null)).toMatchObject({ kind: 'unsupported' });
});

it('never throws, whatever its fields are', () => {
  const names = Object.keys(flatRequest());
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), fc.boolean(), (name, value, isNested) => {
      const change = { [name]: value as Json };
      parseFlowNotification(isNested ? nestedRequest(change) : flatRequest(change));
    }),
  );
});

const bot = webhookBotForTests();

const REF = 'abcdefghijklmnopqrstuvwxyz';
const ADDRESS = `/webhooks/crews/${CREW}/flow`;
const adopted = createRefs([SECRET]).adoptedRef(CREW, 'F1');

const withFlows = (change: Partial<WebhookContext> = {}) =>
  bot({
    crews: [
      crew({ name: CREW, flowSecrets: [FLOW_SECRET], callbackHosts: ['app.crewai.com'] }),
      crew({ name: 'writing', flowSecrets: ['whsec_of-another-crew'], callbackHosts: ['app.crewai.com'] }),
      crew({ name: 'plain', callbackHosts: ['app.crewai.com'] }),
    ],
    ...change,
  });

type Sending = Signing & { path?: string; headers?: Headers | Record<string, string> };

/** Posts as the control panel does, and answers what comes back. */
async function sends({ origin }: WebhookBot, value: Json, { path = ADDRESS, headers, ...signing }: Sending = {}) {
  const body = JSON.stringify(value);
  const answer = await fetch(`${origin}${path}`, { method: 'POST', body, headers: headers ?? signed(body, signing) });
  const said = z.object({ status: z.string(), message: z.string().optional() }).parse(await answer.json());
  return { code: answer.status, ...said };
}

/** The status, and what the body says. */
async function tells(of: WebhookBot, value: Json, sending: Sending = {}): Promise<[number, string]> {
  const { code, status } = await sends(of, value, sending);
  return [code, status];
}

const now = () => Math.floor(Date.now() / 1_000);

describe('a signed notification of a flow', () => {
  it('opens a request with its outcomes, and keeps the address for the answer sealed', async () => {
    const of = await withFlows();
    expect(await tells(of, flatRequest())).toEqual([200, 'accepted']);
    const found = await of.load(adopted);
    expect(found).toMatchObject({ crew: CREW, channel: 'C_CREW', origin: { kind: 'elsewhere' }, kickoffIds: ['F1'] });
    const [request] = found.requests;
    expect(request).toMatchObject({
      question: {
        ...{ taskId: 'write', taskName: 'write', requestId: 'R1', heading: 'Tea' },
        outcomes: ['approved', 'rejected', 'needs_revision'],
        inputs: { assigned_to_email: null },
      },
      state: { status: 'pending' },
    });
    expect(JSON.stringify(found)).not.toContain('single-use');
    const sealed = request?.question.destination?.kind === 'flow' ? request.question.destination.sealedUrl : '';
    expect(of.context.addresses.open(sealed, adopted)).toBe(flatRequest().callback_url);
    expect(new Set(of.changed)).toEqual(new Set([adopted]));
  });

  it('that comes twice, or is escalated, is a duplicate; the next of its method is a new round', async () => {
    const of = await withFlows();
    for (const said of ['accepted', 'duplicate', 'duplicate'])
      expect(await tells(of, flatRequest())).toEqual([200, said]);
    expect(await tells(of, nestedRequest({ event_type: 'escalation', output: 'x' }))).toEqual([200, 'duplicate']);
    expect(await tells(of, nestedRequest({ id: 'R2' }))).toEqual([200, 'accepted']);
    expect(await tells(of, flatRequest())).toEqual([200, 'duplicate']);
    expect((await of.load(adopted)).requests).toMatchObject([
      { question: { round: 1 }, state: { status: 'superseded' } },
      { question: { round: 2 }, state: { status: 'pending' } },
    ]);
  });

  it('of an escalation whose request never came opens it', async () => {
    const of = await withFlows();
    expect(await tells(of, flatRequest({ event_type: 'escalation' }))).toEqual([200, 'accepted']);
  });

  it('belongs to the run that was started here, which keeps the id that it is known by', async () => {
    const of = await withFlows();
    await of.execution(REF, { kickoffIds: ['K1'] });
    await of.context.executions.linkId(CREW, 'K1', REF);
    expect(await tells(of, flatRequest({ flow_id: 'other', flow_execution_id: 'K1' }))).toMatchObject([
      200,
      'accepted',
    ]);
    expect(await of.load(REF)).toMatchObject({ kickoffIds: ['K1'], requests: [{ state: { status: 'pending' } }] });
    expect(await tells(of, flatRequest({ id: 'R2', flow_id: 'other', flow_execution_id: 'E2' }))).toHaveProperty(
      '0',
      200,
    );
    expect((await of.load(REF)).requests).toHaveLength(2);
  });

  it('that overtakes the answer to its start is merged with it, and can still be answered', async () => {
    const of = await withFlows();
    await of.execution(REF, {
      run: { status: 'starting' },
      kickoff: { status: 'sending', tries: 1, delayedBy: null, claim: null, until: 9e15 },
      kickoffIds: [],
    });
    await tells(of, flatRequest());
    await of.context.executions.linkId(CREW, 'F1', REF);
    await of.context.executions.change(REF, (each, at) =>
      ok(settleKickoff(each, { kind: 'accepted', kickoffId: 'F1' }, at)),
    );
    expect(await settleAdoption(of.context, adopted)).toEqual({ kind: 'merged', into: REF });
    const [request] = (await of.load(REF)).requests;
    expect(request).toMatchObject({
      question: { requestId: 'R1', outcomes: ['approved', 'rejected', 'needs_revision'] },
    });
    const sealed = request?.question.destination?.kind === 'flow' ? request.question.destination.sealedUrl : '';
    expect(of.context.addresses.open(sealed, REF)).toBe(flatRequest().callback_url);
    expect(await tells(of, flatRequest())).toEqual([200, 'duplicate']);
  });

  it('of anything else is taken, and changes nothing', async () => {
    const of = await withFlows();
    expect(await tells(of, flatRequest({ event_type: 'sla_breached' }))).toEqual([200, 'ignored']);
    expect(await of.context.executions.load(adopted)).toBeNull();
    expect(of.reports).toEqual([]);
  });

  it('that can’t be read is reported, and kept without the address for its answer', async () => {
    const of = await withFlows();
    const unreadable = nestedRequest({ emit: ['yes', 'n'.repeat(80)] });
    const puts: string[] = [];
    const { outputs } = of.context;
    const put = outputs.put.bind(outputs);
    outputs.put = (ref, text) => {
      puts.push(text);
      return put(ref, text);
    };
    expect(await tells(of, unreadable)).toEqual([200, 'unsupported']);
    expect(of.reports).toEqual([
      { kind: 'unreadable-request', crew: CREW, ref: null, keys: ['event', 'request', 'callback_url'] },
    ]);
    expect(puts).toHaveLength(1);
    expect(puts[0]).toContain('n'.repeat(80));
    expect(puts[0]).not.toContain('single-use');
    expect(of.logged()).not.toContain('single-use');
  });

  it.each([
    [
      'https://evil.example/respond?token=t',
      'evil.example',
      "is on evil.example, which callback_hosts of the crew doesn't name",
    ],
    [
      'https://169.254.169.254/latest',
      '169.254.169.254',
      "is on 169.254.169.254, which callback_hosts of the crew doesn't name",
    ],
    ['http://app.crewai.com/respond', '', 'must begin with https://'],
    ['https://app.crewai.com@evil.example/', 'evil.example', 'must have no user name and no password'],
    ['file:///etc/passwd', '', 'must begin with https://'],
    ['<!channel>', '', 'is no address'],
  ])('that wants its answer at %s is refused and reported, and leaves nothing', async (callback_url, host, why) => {
    const of = await withFlows();
    expect(await sends(of, flatRequest({ callback_url }))).toEqual({
      code: 403,
      status: 'refused',
      message: `The callback_url ${why}.`,
    });
    expect(of.reports).toEqual([{ kind: 'unanswerable-request', crew: CREW, ref: null, host }]);
    expect(await of.context.executions.load(adopted)).toBeNull();
  });

  it('reports twenty in an hour at most, whatever is wrong with them', async () => {
    const of = await withFlows();
    const wrong = flatRequest({ callback_url: 'https://evil.example/' });
    for (let n = 0; n < 10; n++) await tells(of, wrong);
    for (let n = 0; n < 10; n++) await tells(of, { hello: n });
    expect(await tells(of, wrong)).toEqual([429, 'refused']);
    expect(await tells(of, { hello: 1 })).toEqual([429, 'refused']);
    expect(of.reports).toHaveLength(20);
  });

  it('of a run started elsewhere is refused where the crew refuses those', async () => {
    const rulesOf: RulesOf = () => ({ ...RULES, startedElsewhere: 'refused' });
    const of = await withFlows({ rulesOf });
    expect(await tells(of, flatRequest())).toEqual([403, 'refused']);
    expect(await of.context.executions.load(adopted)).toBeNull();
  });
});

describe('the signature of a flow', () => {
  it.each([
    ['all of the secret', FLOW_SECRET, FLOW_SECRET, 'whole'],
    ['what its hex digits stand for', FLOW_SECRET, Buffer.from('5e'.repeat(32), 'hex'), 'decoded'],
    [
      'what its base64 stands for',
      `whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`,
      'k'.repeat(32),
      'decoded',
    ],
    ['a secret without a prefix', 'a-secret-of-its-own', 'a-secret-of-its-own', 'whole'],
  ])('is made with %s, in either header; the log says once how', async (_name, secret, key, form) => {
    const of = await withFlows({
      crews: [crew({ name: CREW, flowSecrets: [secret, 'whsec_of-before-this'], callbackHosts: ['app.crewai.com'] })],
    });
    expect(await tells(of, nestedRequest(), { key, header: 'x-signature' })).toEqual([200, 'accepted']);
    expect(await tells(of, flatRequest(), { key })).toEqual([200, 'duplicate']);
    expect(await tells(of, flatRequest(), { key: 'whsec_of-before-this' })).toEqual([200, 'duplicate']);
    const met = of
      .logged()
      .split('\n')
      .filter((line) => line.includes('has notified'));
    expect(met).toHaveLength(1);
    expect(JSON.parse(met[0] ?? '{}')).toMatchObject({ crew: CREW, shape: 'nested', header: 'x-signature', key: form });
    expect(of.logged()).not.toContain(secret);
  });

  it('is five minutes old at most, and no more ahead', async () => {
    const of = await withFlows();
    for (const at of [now() - 290, now() + 290])
      expect(await tells(of, flatRequest(), { at })).toHaveProperty('0', 200);
    for (const at of [now() - 310, now() + 310, 0, Date.now()])
      expect(await tells(of, flatRequest(), { at })).toEqual([401, 'refused']);
    expect(of.logged()).toContain('out-of-time');
  });

  it('opens nothing but its own crew’s address', async () => {
    const of = await withFlows();
    const body = JSON.stringify(flatRequest());
    const right = signed(body);
    const wrong: [string, Record<string, string>][] = [
      [ADDRESS, {}],
      [ADDRESS, { authorization: `Bearer ${FLOW_SECRET}` }],
      [ADDRESS, signed(body, { key: 'whsec_of-another-crew' })],
      [ADDRESS, signed(body, { key: '' })],
      [ADDRESS, signed(`${body} `)],
      [ADDRESS, { ...right, 'x-crewai-signature': '' }],
      [ADDRESS, { ...right, 'x-crewai-signature': 'sha256=' }],
      [ADDRESS, { ...right, 'x-crewai-signature': right['x-crewai-signature']?.replace('sha256=', 'sha1=') ?? '' }],
      [ADDRESS, { ...right, 'x-crewai-timestamp': String(now() - 1) }],
      [ADDRESS, { ...right, 'x-crewai-timestamp': '' }],
      [ADDRESS, { ...right, 'x-crewai-timestamp': `${right['x-crewai-timestamp']}.0` }],
      ['/webhooks/crews/writing/flow', right],
      ['/webhooks/crews/plain/flow', right],
      ['/webhooks/crews/plain/flow', signed(body, { key: '' })],
      ['/webhooks/crews/nobody/flow', right],
      [`/webhooks/crews/${CREW}/human-input`, right],
    ];
    const answers = new Set<string>();
    for (const [path, headers] of wrong) {
      const answer = await fetch(`${of.origin}${path}`, { method: 'POST', body, headers });
      answers.add(`${answer.status} ${await answer.text()} ${answer.headers.get('www-authenticate')}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 /)]);
    expect(await of.context.executions.load(adopted)).toBeNull();
    for (const path of [`${ADDRESS}/more`, '/webhooks/executions/flow', `/webhooks/crews/${CREW}/token/flow`])
      expect(await tells(of, flatRequest(), { path })).not.toHaveProperty('0', 200);
  });

  it('is none if a header comes twice', async () => {
    const of = await withFlows();
    const body = JSON.stringify(flatRequest());
    for (const name of ['x-crewai-signature', 'x-crewai-timestamp']) {
      const headers = new Headers(signed(body));
      headers.append(name, headers.get(name) ?? '');
      expect(await tells(of, flatRequest(), { headers })).toHaveProperty('0', 401);
    }
  });
});
