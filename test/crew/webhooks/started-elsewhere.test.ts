import { describe, expect, it } from 'vitest';
import { adoptExecution, settleKickoff } from '../../../src/core/execution/start.ts';
import type { RulesOf } from '../../../src/core/policy/crew.ts';
import { type Execution, isHeld } from '../../../src/core/state/execution.ts';
import { ok } from '../../../src/core/values/result.ts';
import { createRefs } from '../../../src/crew/credentials.ts';
import { settleAdoption } from '../../../src/crew/webhooks/settle-adoption.ts';
import { RULES } from '../../support/requests.ts';
import { credentials, headerOf, OLD_SECRET, SECRET } from '../crew-values.ts';
import { CREW, type WebhookBot, webhookBotForTests } from '../webhook-bot.ts';

const bot = webhookBotForTests();

const REF = 'abcdefghijklmnopqrstuvwxyz';
const ADDRESS = `/webhooks/crews/${CREW}/human-input`;
const request = { kickoff_id: 'K9', execution_id: 'E9', task_id: 'T1', task_output: 'The draft' };
const SECRET_ADDRESS = `/webhooks/crews/${CREW}/${credentials.crewToken(CREW)}/human-input`;
const right = headerOf(credentials.ofCrew(CREW, 'bearer'));
const adopted = createRefs([SECRET]).adoptedRef(CREW, 'E9');

/** A start of ours whose answer is still awaited. */
const STARTING: Partial<Execution> = {
  run: { status: 'starting' },
  kickoff: { status: 'sending', tries: 1, delayedBy: null, claim: null, until: 9e15 },
  kickoffIds: [],
};

describe('an execution that was started elsewhere', () => {
  it('is adopted into the channel of its crew', async () => {
    const { post, load, changed, context } = await bot();
    expect(await post(ADDRESS, request, right)).toEqual([200, 'accepted']);
    const found = await load(adopted);
    expect(found).toMatchObject({
      crew: CREW,
      channel: 'C_CREW',
      origin: { kind: 'elsewhere', adoptionHold: null },
      executionId: 'E9',
    });
    expect(found.requests).toMatchObject([{ question: { taskId: 'T1', hop: 0 }, state: { status: 'pending' } }]);
    expect(await context.outputs.get(adopted, found.requests[0]?.question.output.hash ?? '')).toBe('The draft');
    expect(new Set(changed)).toEqual(new Set([adopted]));
    for (const id of ['K9', 'E9']) expect(await context.executions.findById(CREW, id)).toBe(adopted);
  });

  it('is adopted once, however often and at once it asks', async () => {
    const { post, load } = await bot();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(ADDRESS, request, right)));
    expect(answers.map(([, said]) => said).sort()).toEqual(['accepted', ...Array(5).fill('duplicate')]);
    expect((await load(adopted)).requests).toHaveLength(1);
  });

  it('may ask without credentials at the secret address of its crew', async () => {
    const { post, load } = await bot();
    expect(await post(SECRET_ADDRESS, request)).toEqual([200, 'accepted']);
    expect(await post(ADDRESS, request, right)).toEqual([200, 'duplicate']);
    expect((await load(adopted)).requests).toHaveLength(1);
    for (const token of ['wrong', credentials.crewToken('writing'), right.replace('Bearer ', '')])
      expect(await post(`/webhooks/crews/${CREW}/${token}/human-input`, request)).toEqual([401, 'refused']);
    expect(await post(`/webhooks/crews/${CREW}/x/human-input`, request, right)).toEqual([401, 'refused']);
  });

  it('is known again by either of its ids', async () => {
    const { post, load } = await bot();
    await post(ADDRESS, request, right);
    await post(ADDRESS, { kickoff_id: 'K9', task_id: 'T2', task_output: 'More' }, right);
    await post(ADDRESS, { execution_id: 'E9', kickoff_id: 'K10', task_id: 'T3', task_output: 'More' }, right);
    expect((await load(adopted)).requests.map(({ question: { taskId } }) => taskId)).toEqual(['T1', 'T2', 'T3']);
  });

  it('is adopted by its kickoff id where it names no other', async () => {
    const { post, load } = await bot();
    await post(ADDRESS, { kickoff_id: 'K9', task_id: 'T1', task_output: 'x' }, right);
    expect(await load(createRefs([SECRET]).adoptedRef(CREW, 'K9'))).toMatchObject({ kickoffIds: ['K9'] });
  });

  it('is known again after the secret was changed, although its ids were never linked', async () => {
    const before = createRefs([OLD_SECRET]);
    const { post, load, context } = await bot({ refs: createRefs([SECRET, OLD_SECRET]) });
    const ref = before.adoptedRef(CREW, 'E9');
    const found = { ref, crew: CREW, channel: 'C_CREW', held: 'free' } as const;
    await context.executions.create(ref, (now) => adoptExecution(found, now));
    expect(await post(ADDRESS, request, right)).toEqual([200, 'accepted']);
    expect((await load(ref)).requests).toHaveLength(1);
  });

  it('is turned away where its crew has no channel, and the log says so', async () => {
    const { post, logged } = await bot({ channelOf: async () => null });
    expect(await post(ADDRESS, request, right)).toEqual([409, 'no-channel']);
    expect(logged()).toContain('has no channel');
  });

  it('is told to people where its request can not be read or names no execution', async () => {
    const { post, reports } = await bot();
    expect(await post(ADDRESS, { hello: 1 }, right)).toEqual([200, 'unsupported']);
    expect(await post(ADDRESS, { task_id: 'T1', task_output: 'x' }, right)).toEqual([200, 'unsupported']);
    expect(reports).toMatchObject([
      { crew: CREW, ref: null, keys: ['hello'] },
      { crew: CREW, ref: null, keys: ['task_id', 'task_output'] },
    ]);
  });
});

describe('an execution that was started elsewhere, whose crew refuses those', () => {
  const rulesOf: RulesOf = () => ({ ...RULES, startedElsewhere: 'refused' });

  it('is answered 403, counted, and leaves nothing', async () => {
    const { post, context, refused, reports } = await bot({ rulesOf });
    expect(await post(ADDRESS, request, right)).toEqual([403, 'refused']);
    expect(await post(ADDRESS, { hello: 1 }, right)).toEqual([403, 'refused']);
    expect(await context.executions.load(adopted)).toBeNull();
    expect([refused, reports]).toEqual([[CREW, CREW], []]);
  });

  it('is answered so, too, where it was adopted before', async () => {
    const { post, context, load } = await bot();
    await post(ADDRESS, request, right);
    const since = await bot({ executions: context.executions, rulesOf });
    expect(await since.post(ADDRESS, { ...request, task_id: 'T2' }, right)).toEqual([403, 'refused']);
    expect((await load(adopted)).requests).toHaveLength(1);
    expect(await post(ADDRESS, request, right)).toEqual([200, 'duplicate']);
  });

  it('is held while a start of ours is unanswered, then merged if it proves ours, and dropped if not', async () => {
    const of = await bot({ rulesOf });
    await of.execution(REF, STARTING);
    expect(await of.post(ADDRESS, request, right)).toEqual([200, 'accepted']);
    const other = { kickoff_id: 'K8', execution_id: 'E8', task_id: 'T1', task_output: 'Of another run' };
    expect(await of.post(ADDRESS, other, right)).toEqual([200, 'accepted']);
    const stranger = createRefs([SECRET]).adoptedRef(CREW, 'E8');
    expect(await settleAdoption(of.context, stranger)).toEqual({ kind: 'waiting' });
    await of.context.executions.linkId(CREW, 'K9', REF);
    await of.context.executions.change(REF, (each, now) =>
      ok(settleKickoff(each, { kind: 'accepted', kickoffId: 'K9' }, now)),
    );
    expect(await settleAdoption(of.context, adopted)).toEqual({ kind: 'merged', into: REF });
    expect((await of.load(REF)).requests).toMatchObject([{ question: { taskId: 'T1' }, state: { status: 'pending' } }]);
    expect(await settleAdoption(of.context, stranger)).toEqual({ kind: 'refused' });
    expect(await of.context.executions.load(stranger)).toBeNull();
    expect(await of.post(ADDRESS, other, right)).toEqual([403, 'refused']);
  });
});

it('opens to the credential of the crew alone', async () => {
  const { post } = await bot();
  const writing = headerOf(credentials.ofCrew('writing', 'bearer'));
  const gone = headerOf(credentials.ofCrew('gone', 'bearer'));
  const execution = headerOf(credentials.ofExecution({ ref: REF, hop: 0 }, 'bearer'));
  for (const wrong of [undefined, writing, execution, 'Bearer x']) {
    expect(await post(ADDRESS, request, wrong)).toEqual([401, 'refused']);
  }
  expect(await post('/webhooks/crews/gone/human-input', request, gone)).toEqual([401, 'refused']);
  const basic = headerOf(credentials.ofCrew(CREW, 'basic'));
  expect(await post(ADDRESS, request, basic)).toEqual([200, 'accepted']);
});

const ASKED = { kind: 'ask', by: null, approvalId: '1', heardAt: null, thread: null } as const;

describe('a run of ours that asks at the address of its crew', () => {
  it('is known by our own meta', async () => {
    const { post, execution, load } = await bot();
    await execution(REF);
    expect(await post(ADDRESS, { ...request, meta: { signoff_ref: REF } }, right)).toEqual([200, 'accepted']);
    expect((await load(REF)).requests).toHaveLength(1);
  });

  it('is known by its ids', async () => {
    const { post, execution, load, context } = await bot();
    await execution(REF);
    await context.executions.linkId(CREW, 'K9', REF);
    await post(ADDRESS, request, right);
    expect((await load(REF)).requests).toHaveLength(1);
  });

  it.each<[string, Partial<Execution>]>([
    ['an execution of another crew', { crew: 'writing' }],
    ['what a program has asked', { origin: { ...ASKED, asker: { kind: 'program', name: 'ops' } } }],
    ['what a workflow has asked', { origin: { ...ASKED, asker: { kind: 'workflow' } } }],
  ])('is not found by a meta that names %s, or none: it is asked as a run of its own', async (_, other) => {
    const { post, execution, load } = await bot();
    await execution(REF, other);
    await post(ADDRESS, { ...request, meta: { signoff_ref: REF } }, right);
    expect((await load(REF)).requests).toEqual([]);
    expect((await load(adopted)).requests).toHaveLength(1);
    const unknown = { ...request, meta: { signoff_ref: 'z'.repeat(26) }, task_id: 'T2' };
    expect(await post(ADDRESS, unknown, right)).toEqual([200, 'accepted']);
    expect((await load(adopted)).requests).toHaveLength(2);
  });
});

describe('while a start of ours is unanswered', () => {
  const settle = (of: WebhookBot) => settleAdoption(of.context, adopted);

  it('an unknown execution is held back, its ids not linked', async () => {
    const of = await bot();
    await of.execution(REF, STARTING);
    expect(await of.post(ADDRESS, request, right)).toEqual([200, 'accepted']);
    expect(isHeld(await of.load(adopted))).toBe(true);
    expect(await of.context.executions.findById(CREW, 'E9')).toBeNull();
    expect(await settle(of)).toEqual({ kind: 'waiting' });
  });

  it('it is merged once the answer shows that it is ours', async () => {
    const of = await bot();
    await of.execution(REF, STARTING);
    await of.post(ADDRESS, request, right);
    await of.context.executions.linkId(CREW, 'K9', REF);
    await of.context.executions.change(REF, (each, now) =>
      ok(settleKickoff(each, { kind: 'accepted', kickoffId: 'K9' }, now)),
    );
    expect(await settle(of)).toEqual({ kind: 'merged', into: REF });
    const { requests } = await of.load(REF);
    expect(requests).toMatchObject([{ question: { taskId: 'T1' }, state: { status: 'pending' } }]);
    expect(await of.context.outputs.get(REF, requests[0]?.question.output.hash ?? '')).toBe('The draft');
    expect(await of.context.executions.load(adopted)).toBeNull();
    expect(await of.post(ADDRESS, request, right)).toEqual([200, 'duplicate']);
    expect(await settle(of)).toEqual({ kind: 'released' });
  });

  it('it is merged without asking twice where the same request came by our own address too', async () => {
    const of = await bot();
    await of.execution(REF, STARTING);
    await of.post(ADDRESS, request, right);
    const own = headerOf(credentials.ofExecution({ ref: REF, hop: 0 }, 'bearer'));
    await of.post(`/webhooks/executions/${REF}/human-input`, request, own);
    expect(await settle(of)).toEqual({ kind: 'merged', into: REF });
    expect((await of.load(REF)).requests).toHaveLength(1);
  });

  it('it is let go when the answers came and it is nobody else’s, and its ids are linked then', async () => {
    const of = await bot();
    await of.execution(REF, STARTING);
    await of.post(ADDRESS, request, right);
    await of.context.executions.change(REF, (each, now) =>
      ok(settleKickoff(each, { kind: 'accepted', kickoffId: 'K1' }, now)),
    );
    expect(await settle(of)).toEqual({ kind: 'released' });
    expect(isHeld(await of.load(adopted))).toBe(false);
    for (const id of ['K9', 'E9']) expect(await of.context.executions.findById(CREW, id)).toBe(adopted);
    expect(await settle(of)).toEqual({ kind: 'released' });
  });
});
