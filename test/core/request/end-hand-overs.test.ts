import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import type { Permission } from '../../../src/core/policy/permission.ts';
import { type Approver, DEFAULT_POLICY, WORKSPACE } from '../../../src/core/policy/policy.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { endHandOvers, handOver, letStandIn, takeBack } from '../../../src/core/request/hand-over.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { HandOver, Person } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { account, decided, facts, JON, MARIA, PERMITTED, pending, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const END = START + 60_000;
const ANNA: Person = { id: 'U_ANNA', name: 'Anna' };
const policy = {
  ...DEFAULT_POLICY,
  delegation: 'anyone' as const,
  approvers: [{ kind: 'person' as const, name: MARIA.id }],
};
const known = facts(Object.fromEntries([MARIA, JON, ANNA].map(({ id }) => [id, account(id)])));
const permission = { ...PERMITTED, policy: { ...policy, tasks: [] }, facts: known };
const asked = execution({ requests: [pending()] });

const standIn = (each: Execution, until: number | null, to = JON) =>
  valueFrom(handOver(each, '1', { by: MARIA, to, until, ...permission }, START));
const approve = (each: Execution, now: number) =>
  decide(each, '1', { choice: { verdict: 'approve', feedback: null, text: 'Yes' }, by: JON, ...permission }, now);
const handOvers = (each: Execution): HandOver[] =>
  each.requests.flatMap(({ discussion: { handedOver } }) => handedOver);
const ended = (each: Execution, now: number) => dueActionsAt(each, now).filter(({ kind }) => kind === 'end-hand-overs');

describe('a hand-over for an absence', () => {
  it('lets the stand-in decide until it is over, to the millisecond', () => {
    const away = standIn(asked, END);
    expect(approve(away, END - 1).ok).toBe(true);
    expect(approve(away, END)).toMatchObject({ refusal: { kind: 'denied', denial: { kind: 'not-approver' } } });
  });

  it('is due to be forgotten then, with others that are over', () => {
    const away = standIn(standIn(asked, END), END + 5, ANNA);
    expect(ended(away, END - 1)).toEqual([]);
    expect(ended(away, END)).toEqual([{ kind: 'end-hand-overs', approvalId: '1' }]);
    expect(handOvers(endHandOvers(away, END)).map(({ to }) => to)).toEqual([ANNA]);
    expect(endHandOvers(away, END - 1)).toBe(away);
    expect(ended(endHandOvers(away, END), END + 4)).toEqual([]);
  });

  it('waits to be forgotten while a decision may still be undone', () => {
    const [open] = standIn(asked, END).requests;
    const done = execution({ requests: [decided({ handedOver: open?.discussion.handedOver ?? [] })] });
    expect(ended(done, END)).toEqual([]);
  });

  it('changes nothing where it was handed over for longer, and counts longer where it wasn’t', () => {
    const forGood = standIn(asked, null);
    expect(standIn(forGood, END)).toBe(forGood);
    const away = standIn(asked, END);
    expect(standIn(away, END)).toBe(away);
    expect(approve(standIn(away, END + 1), END).ok).toBe(true);
    expect(approve(standIn(away, null), END).ok).toBe(true);
  });

  it('lets the stand-in add nobody, who is told whose right it is', () => {
    const away = standIn(asked, END);
    const added = handOver(away, '1', { by: JON, to: ANNA, ...permission }, START);
    expect(added).toEqual({ ok: false, refusal: { kind: 'lent-right', giver: MARIA } });
  });

  it('says in the ledger when it ends', () => {
    expect(standIn(asked, END).ledgerEvents.at(-1)).toMatchObject({ kind: 'handed-over', facts: { until: END } });
    expect(standIn(asked, null).ledgerEvents.at(-1)?.facts).not.toHaveProperty('until');
  });
});

describe('who is back early', () => {
  it('takes back what was handed over for the absence, and says so in the ledger', () => {
    const away = standIn(standIn(asked, END), null, ANNA);
    const back = takeBack(away, MARIA.id, null, START + 1);
    expect(handOvers(back).map(({ to }) => to)).toEqual([ANNA]);
    expect(approve(back, START + 2).ok).toBe(false);
    const facts = { approval: '1', by: MARIA.id, to: JON.id, until: END };
    expect(back.ledgerEvents.at(-1)).toEqual({ kind: 'taken-back', at: START + 1, facts });
  });

  it('leaves alone what others have handed over', () => {
    const away = standIn(asked, END);
    expect(takeBack(away, ANNA.id, null, START + 1)).toBe(away);
  });

  it('leaves alone what belongs to the absence that they are in', () => {
    const away = standIn(standIn(asked, END), END + 9, ANNA);
    const kept = takeBack(away, MARIA.id, { to: ANNA.id, until: END + 9 }, START + 1);
    expect(handOvers(kept).map(({ to }) => to)).toEqual([ANNA]);
  });
});

describe('standing in', () => {
  const stand = (each: Execution, change: Partial<Permission> = {}) =>
    letStandIn(each, '1', { by: MARIA, to: JON, until: END, ...permission, ...change }, START);
  const ruled = (approvers: Approver[], change = {}) => ({
    policy: { ...DEFAULT_POLICY, approvers, tasks: [], ...change },
  });
  const person = ({ id: name }: Person): Approver => ({ kind: 'person', name });

  it('hands over what somebody may decide by name', () => {
    expect(handOvers(valueFrom(stand(asked)))).toEqual([{ by: MARIA, to: JON, at: START, until: END }]);
  });

  it('is not needed where the stand-in may decide anyway', () => {
    expect(valueFrom(stand(asked, ruled([person(MARIA), person(JON)])))).toBe(asked);
    expect(valueFrom(stand(asked, ruled([WORKSPACE])))).toBe(asked);
  });

  it('never passes on what was handed over', () => {
    const toAnna = standIn(asked, null, ANNA);
    const passed = letStandIn(toAnna, '1', { by: ANNA, to: JON, until: END, ...permission }, START);
    expect(valueFrom(passed)).toBe(toAnna);
  });

  it('is refused where the policy bars the stand-in', () => {
    const own = execution({ requests: [pending()], origin: { ...asked.origin, by: JON } as never });
    expect(stand(own, ruled([person(MARIA)], { selfApproval: false }))).toMatchObject({
      refusal: { kind: 'cannot-take-over', denial: { kind: 'self-approval' } },
    });
  });

  it('is refused to who may not decide it', () => {
    expect(stand(asked, ruled([person(ANNA)]))).toMatchObject({ refusal: { kind: 'denied' } });
  });

  it('is longer for a longer absence', () => {
    const away = valueFrom(stand(asked));
    const longer = letStandIn(away, '1', { by: MARIA, to: JON, until: END + 5, ...permission }, START);
    expect(approve(valueFrom(longer), END + 4).ok).toBe(true);
  });
});
