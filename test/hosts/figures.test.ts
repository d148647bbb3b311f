import { expect, it } from 'vitest';
import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { RecordedRequest, RecordedWebhook } from '../../src/sandbox/crew-service/sandbox-api/records.ts';
import type { Chain } from '../faults/chains.ts';
import type { Click } from '../faults/clicks.ts';
import type { Posted } from '../faults/evidence.ts';
import { readDocumented } from './documented.ts';
import { type Faults, faultsIn, type Look, NO_FAULTS, type Story } from './figures.ts';

const REF = 'ref-of-tea';
const [ROOT_TS, CARD_TS] = ['1.1', '1.2'];
const ADDRESS = { humanInputWebhook: { url: `http://bot/webhooks/executions/${REF}/human-input` } };

const posted = (key: string, ts: string, text: string): Posted => ({
  ...{ channel: 'C1', ts, threadTs: key === 'root' ? undefined : ROOT_TS, text, ref: REF, key, notifies: [] },
});
const root = posted('root', ROOT_TS, 'Running');
const openCard = posted('card:1', CARD_TS, 'Round 1 [Approve]');
const decidedCard = posted('card:1', CARD_TS, 'Round 1 approved');

const request = (route: string, body: object): RecordedRequest => ({
  ...{ number: 1, at: 1, crew: 'crew-1', route, method: 'POST', path: '/', headers: {}, applied: true },
  ...{
    body: JSON.stringify({ ...ADDRESS, ...body }),
    answer: { status: 200, headers: {}, body: '{"kickoff_id":"k"}' },
  },
});
const kickoff = request('kickoff', {});
const resume = request('resume', { is_approve: true, human_feedback: 'Approved.' });

const run = (change: Partial<RunSummary> = {}): RunSummary => ({
  ...{ kickoffId: 'k', executionId: 'k', crew: 'crew-1', task: 'draft', taskId: 't', round: 1, outcome: null },
  ...{ status: 'waiting', inputs: { topic: 'tea' }, reviews: [], ...change },
});
const review = { task: 'draft', round: 1, approved: true, text: 'Approved.' };
const completed = run({ status: 'completed', reviews: [review] });

const notice: RecordedWebhook = {
  ...{ number: 1, at: 1, crew: 'crew-1', kind: 'human-input', executionId: 'k', runId: 'k', url: '', body: '' },
  outcome: { status: 200 },
};
const approval: Click = { by: 'UJON', action: 'approve', cardTs: CARD_TS, round: 1, outcome: 'acknowledged' };

/** A run that waits, with its card. */
const WAITING: Look = {
  ...{ messages: [root, openCard], toldAt: new Map(), runs: [run()] },
  ...{ requests: [kickoff], webhooks: [notice] },
};
/** The run above once it was approved. */
const APPROVED: Look = {
  ...{ messages: [{ ...root, text: 'Completed' }, decidedCard], toldAt: new Map(), runs: [completed] },
  ...{ requests: [kickoff, resume], webhooks: [notice] },
};

function faults(look: Look, { chains = [], ...change }: Partial<Story> & { chains?: Chain[] } = {}): Faults {
  const story: Story = {
    crewChannel: { crew: 'crew-1', policy: 'everybody', maria: { id: 'UMARIA' } },
    plan: { topic: 'tea', start: 'form', rejections: 0 },
    ...{ isRoot: ({ ts }: { ts: string }) => ts === ROOT_TS, startsTaken: 1, beganAt: 0 },
    ...{ clicks: [], answers: [], sentAgain: [], ...change },
  };
  return faultsIn(look, [story], chains);
}

const NO_RECORD: Chain = { ref: REF, entries: [], head: '', unsealed: [] };
const NO_REQUEST: Chain = { ...NO_RECORD, head: 'the hash of its start' };

it.each<[string, Faults]>([
  ['a request waits', faults(WAITING)],
  ['a run was approved', faults(APPROVED, { clicks: [approval] })],
  [
    'a click was refused',
    faults(WAITING, { clicks: [approval], answers: [{ by: 'UJON', cardTs: CARD_TS, text: '' }] }),
  ],
  [
    'a card offers to send a decision again',
    faults(
      { ...WAITING, messages: [root, { ...decidedCard, text: 'Round 1 not confirmed [Send again]' }] },
      { clicks: [approval] },
    ),
  ],
  ['a click failed', faults(WAITING, { clicks: [{ ...approval, outcome: 'failed' }] })],
  ['a start failed', faults({ ...WAITING, messages: [], runs: [], requests: [] }, { startsTaken: 0 })],
  [
    'somebody sent a decision again',
    faults({ ...APPROVED, requests: [kickoff, resume, resume] }, { sentAgain: ['1.2'] }),
  ],
])('the figures count nothing where %s', (_, counted) => {
  expect(counted).toEqual(NO_FAULTS);
});

const warned = { ...openCard, text: 'Round 1. The database lost what Jon decided. [Approve]' };

it.each<[string, Faults, (keyof Faults)[]]>([
  ['a decision that never arrived', faults(WAITING, { clicks: [approval] }), ['lost', 'unsaid']],
  ['one whose card says so', faults({ ...WAITING, messages: [root, warned] }, { clicks: [approval] }), ['lost']],
  ['a decision that was sent twice', faults({ ...APPROVED, requests: [kickoff, resume, resume] }), ['doubled']],
  ['a start that was sent twice', faults({ ...APPROVED, requests: [kickoff, kickoff, resume] }), ['doubled']],
  ['a start without a run', faults({ ...WAITING, runs: [], messages: [] }), ['startsLost']],
  [
    'a decision that was lost with its run',
    faults(WAITING, { clicks: [approval], chains: [NO_RECORD] }),
    ['lost', 'forgotten'],
  ],
  [
    'a decision that was lost with its request',
    faults(WAITING, { clicks: [approval], chains: [NO_REQUEST] }),
    ['lost', 'forgotten'],
  ],
  ['a run without a record', faults(WAITING, { chains: [NO_RECORD] }), ['forgotten']],
  ['a request that was accepted and is gone', faults(WAITING, { chains: [NO_REQUEST] }), ['forgotten']],
  ['a request without a card', faults({ ...WAITING, messages: [root] }), ['cardsMissing']],
  ['a run that has ended and says otherwise', faults({ ...APPROVED, messages: [root, decidedCard] }), ['untrue']],
  [
    'a decided card that still asks',
    faults({ ...APPROVED, messages: [{ ...root, text: 'Completed' }, openCard] }),
    ['untrue'],
  ],
  ['an open request whose card says otherwise', faults({ ...WAITING, messages: [root, decidedCard] }), ['untrue']],
])('the figures count %s', (_, counted, kinds) => {
  const wanted = Object.entries(NO_FAULTS).map(([kind, none]) => [
    kind,
    kinds.some((each) => each === kind) ? 1 : none.length,
  ]);
  expect(Object.entries(counted).map(([kind, each]) => [kind, each.length])).toEqual(wanted);
});

it('the docs say of each kind of Redis whether a failover may lose something: only where no replica has to confirm a change', () => {
  const documented = readDocumented();
  expect(documented.map(({ topology, minReplicas }) => `${topology} ${minReplicas}`)).toEqual([
    ...['Sentinel 0', 'Sentinel 1', 'Sentinel 2'],
    ...['Cluster 0', 'Cluster 1'],
  ]);
  for (const { minReplicas, mayLose } of documented) expect(mayLose).toBe(minReplicas === 0);
});
