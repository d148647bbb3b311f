import { expect, it } from 'vitest';
import { type Approver, parseApprover } from '../../../src/core/policy/policy.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import { account, JON, MARIA, START } from '../../support/requests.ts';
import { inboxIn, openRequest, openRun, pastDecision } from './open-requests.ts';

const ANNA = 'U0ANNA';
const GIVER = { id: 'U0JON', name: 'Jon' };
const named = (...names: string[]) => names.map(parseApprover).filter((each): each is Approver => each !== null);
const idsOf = (requests: readonly { approvalId: string }[]) => requests.map(({ approvalId }) => approvalId);

it('lists what a person may decide, oldest first, with the rule', () => {
  const requests = [openRequest({ approvalId: '1' }), openRequest({ approvalId: '2', askedAt: START + 1 })];
  const { waiting } = inboxIn({ requests }, ANNA);
  expect(waiting.map(({ request, rule }) => [request.approvalId, rule])).toEqual([
    ['1', 'workspace'],
    ['2', 'workspace'],
  ]);
});

it('lists what expires within a day before what is older, the next to expire first', () => {
  const at = (expireAt: number | null, approvalId: string) => openRequest({ approvalId, expireAt });
  const requests = [
    at(null, 'oldest'),
    at(START + DAY_MS + 1, 'later'),
    at(START + DAY_MS, 'today'),
    at(START + 1, 'next'),
  ];
  expect(idsOf(inboxIn({ requests }, ANNA).waiting.map(({ request }) => request))).toEqual([
    ...['next', 'today', 'oldest', 'later'],
  ]);
});

it('lists what waits in a private channel only for its members, and for those whom the policy names', () => {
  const requests = [openRequest()];
  const privately = (members: string[]) => ({
    facts: { channels: new Map([['C1', { isPublic: false, members: new Set(members) }]]) },
  });
  expect(inboxIn({ requests }, ANNA, privately([JON.id]))).toMatchObject({ waiting: [], unsure: 0 });
  expect(inboxIn({ requests }, ANNA, privately([ANNA])).waiting).toMatchObject([{ rule: 'workspace' }]);
  const policies = { research: { approvers: named('workspace', ANNA) } };
  expect(inboxIn({ requests, policies }, ANNA, privately([])).waiting).toMatchObject([{ rule: ANNA }]);
  const handedOver = [{ to: { id: ANNA, name: 'Anna' }, by: JON, at: START, until: null }];
  const byJon = { facts: { ...privately([]).facts, accounts: { [JON.id]: account(JON.id) } } };
  const handed = inboxIn({ requests: [openRequest({ handedOver })] }, ANNA, byJon);
  expect(handed.waiting).toMatchObject([{ rule: 'handed over' }]);
});

it('counts what Slack can not tell, and does not list it', () => {
  const requests = [openRequest()];
  const unknown = { facts: { channels: new Map() } };
  expect(inboxIn({ requests }, ANNA, unknown)).toMatchObject({ waiting: [], unsure: 1 });
  const policies = { research: { approvers: named('@leads') } };
  expect(inboxIn({ requests, policies }, ANNA)).toMatchObject({ waiting: [], unsure: 1 });
  const leads = { facts: { members: { '@leads': new Set([JON.id]) } } };
  expect(inboxIn({ requests, policies }, ANNA, leads)).toMatchObject({ waiting: [], unsure: 0 });
});

it('lists for others what a person has voted for, or has started and may not decide', () => {
  const requests = [openRequest({ approvalId: '1', voters: [ANNA] }), openRequest({ approvalId: '2' })];
  expect(idsOf(inboxIn({ requests }, ANNA).waitingForOthers)).toEqual(['1']);
  const own = { requests, policies: { research: { selfApproval: false } } };
  const { waiting, waitingForOthers } = inboxIn(own, MARIA.id);
  expect([waiting, idsOf(waitingForOthers)]).toEqual([[], ['1', '2']]);
  expect(inboxIn(own, ANNA)).toMatchObject({ waiting: [], unsure: 1 });
  const known = { facts: { accounts: { [MARIA.id]: account(MARIA.id) } } };
  expect(inboxIn(own, ANNA, known)).toMatchObject({ waiting: [{ request: { approvalId: '2' } }], unsure: 0 });
});

const ONLY_GIVER = { approvers: named(GIVER.id), delegation: 'anyone' as const };

it('ends a hand-over at its time', () => {
  const handedOver = [{ to: { id: ANNA, name: 'Anna' }, by: GIVER, at: START, until: START + 10 }];
  const scene = { requests: [openRequest({ handedOver })], policies: { research: ONLY_GIVER } };
  const known = { accounts: { [GIVER.id]: account(GIVER.id) } };
  expect(inboxIn(scene, ANNA, { facts: known, now: START + 9 }).waiting).toHaveLength(1);
  expect(inboxIn(scene, ANNA, { facts: known, now: START + 10 }).waiting).toHaveLength(0);
});

it('ends a hand-over with the right of the person who made it', () => {
  const handedOver = [{ to: { id: ANNA, name: 'Anna' }, by: GIVER, at: START, until: null }];
  const scene = { requests: [openRequest({ handedOver })], policies: { research: ONLY_GIVER } };
  const left = { accounts: { [GIVER.id]: account(GIVER.id, { isDeactivated: true }) } };
  expect(inboxIn(scene, ANNA, { facts: left })).toMatchObject({ waiting: [], unsure: 0 });
  expect(inboxIn(scene, ANNA)).toMatchObject({ waiting: [], unsure: 1 });
});

it('lists for guests only what names them', () => {
  const research = openRequest();
  const editorial = openRequest({ approvalId: '2', run: openRun({ ref: 'r2', crew: 'editorial' }) });
  const policies = { editorial: { approvers: named(ANNA, 'workspace'), guests: true } };
  const { waiting } = inboxIn({ requests: [research, editorial], policies }, ANNA, { person: { isGuest: true } });
  expect(waiting.map(({ request, rule }) => [request.approvalId, rule])).toEqual([['2', ANNA]]);
});

it('lists what a crew asks that isn’t configured for nobody to decide, and for its starter and voters to wait for', () => {
  const requests = [openRequest({ run: openRun({ crew: 'gone', crewMissing: true }), voters: [JON.id] })];
  const seen = [ANNA, MARIA.id, JON.id].map((id) => {
    const { waiting, waitingForOthers, unsure } = inboxIn({ requests }, id);
    return [waiting.length, waitingForOthers.length, unsure];
  });
  expect(seen).toEqual([
    [0, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]);
});

it('lists the runs of a person: those in progress, then those that ended', () => {
  const requests = [openRequest(), openRequest({ run: openRun({ ref: 'r2', starter: JON }) })];
  const ended = [
    { ref: 'r3', startedBy: MARIA.id, endedAt: START },
    { ref: 'r4', startedBy: JON.id, endedAt: START },
  ];
  const { runs } = inboxIn({ requests, ended }, MARIA.id);
  expect(runs).toMatchObject([
    { kind: 'open', run: { ref: 'r1' } },
    { kind: 'ended', ended: { ref: 'r3' } },
  ]);
});

it('lists decisions of a person, on their runs, and where they could have decided', () => {
  const policies = { research: { approvers: named(JON.id) }, editorial: {} };
  const ended = [{ ref: 'mine', startedBy: ANNA, endedAt: START }];
  const decisions = [
    pastDecision({ ref: 'by me, long ago', by: [ANNA, JON.id], record: null }),
    pastDecision({ ref: 'mine', record: null }),
    pastDecision({ ref: 'of others' }),
    pastDecision({ ref: 'of all', crew: 'editorial' }),
    pastDecision({ ref: 'of all, expired', crew: 'editorial', record: null }),
  ];
  const { decided } = inboxIn({ decisions, ended, policies }, ANNA);
  expect(decided.map(({ ref }) => ref)).toEqual(['by me, long ago', 'mine', 'of all']);
  const many = Array.from({ length: 120 }, (_, i) => pastDecision({ approvalId: String(i), by: [ANNA] }));
  expect(idsOf(inboxIn({ decisions: many }, ANNA).decided)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
});
