import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../../src/core/state/execution.ts';
import type { HumanRequest } from '../../src/core/state/request.ts';
import { createEventMeters } from '../../src/metrics/meters.ts';
import { execution, starting } from '../support/executions.ts';
import {
  attempt,
  decided,
  decision,
  expired,
  pending,
  posted,
  refused,
  rejection,
  START,
  sending,
  unconfirmed,
} from '../support/requests.ts';

const NOW = START + 5_000;

/** Resolves to the samples that a change adds to, by their names and labels; a histogram has its count and its sum. */
async function counted(before: Execution | null, after: Execution): Promise<Record<string, number>> {
  const registry = new Registry();
  createEventMeters(registry, [after.crew]).onStored([{ before, after, at: NOW }]);
  const samples = (await registry.metrics()).split('\n').flatMap((line) => {
    const [, name, value] = line.match(/^signoff_(\S+) (\S+)$/) ?? [];
    return name && !name.includes('_bucket') && Number(value) !== 0 ? [[name, Number(value)] as const] : [];
  });
  return Object.fromEntries(samples);
}

/** The samples of a changed request, without the status of its run. */
async function countedFor(before: HumanRequest, after: HumanRequest): Promise<Record<string, number>> {
  const samples = await counted(execution({ requests: [before] }), execution({ requests: [after] }));
  return Object.fromEntries(Object.entries(samples).filter(([name]) => !name.startsWith('execution_changes')));
}

const asked = { askedAt: START, card: { status: 'due', tries: 0, notBefore: START } } as const;

describe('metrics count', () => {
  it('nothing if nothing changed', async () => {
    const each = execution({ requests: [pending()] });
    expect(await counted(each, { ...each })).toEqual({});
  });

  it('a new execution', async () => {
    expect(await counted(null, starting())).toEqual({ 'execution_changes_total{status="starting"}': 1 });
  });

  it('a retried kickoff', async () => {
    const sendingAgain = { status: 'sending', tries: 2, delayedBy: null, claim: null, until: NOW } as const;
    const due = starting({ kickoff: { status: 'due', tries: 1, delayedBy: null, notBefore: START } });
    expect(await counted(due, { ...due, kickoff: sendingAgain })).toEqual({ 'retries_total{what="kickoff"}': 1 });
    expect(await counted(due, { ...due, kickoff: { ...sendingAgain, tries: 1 } })).toEqual({});
  });

  it('a request for human input, which makes the run wait', async () => {
    expect(await counted(execution(), execution({ requests: [pending(asked)] }))).toEqual({
      'execution_changes_total{status="waiting"}': 1,
      approvals_total: 1,
    });
  });

  it('a posted card, with the time since the request', async () => {
    expect(await countedFor(pending(asked), pending())).toEqual({
      webhook_to_card_seconds_count: 1,
      webhook_to_card_seconds_sum: 5,
    });
  });

  it('a request that too few people can decide, once', async () => {
    const undecidable = pending({
      undecidable: { since: START, shortages: [], isLeftToNobody: true, isReported: false },
    });
    expect(await countedFor(pending(), undecidable)).toEqual({ 'undecidable_total{crew="editorial"}': 1 });
    expect(
      await countedFor(undecidable, { ...undecidable, discussion: { ...undecidable.discussion, takenBack: 1 } }),
    ).toEqual({});
  });

  it('a decision, and the time until its delivery', async () => {
    const by = decided({ decision: decision({ at: START + 1_000 }) });
    expect(await countedFor(pending(), by)).toEqual({
      'decisions_total{verdict="approve"}': 1,
      'request_to_decision_seconds_count{crew="editorial",verdict="approve"}': 1,
      'request_to_decision_seconds_sum{crew="editorial",verdict="approve"}': 1,
      'approval_rounds_count{crew="editorial"}': 1,
      'approval_rounds_sum{crew="editorial"}': 1,
    });
    const proof = { proof: 'accepted', resumedAs: 'k2', deliveredAt: START + 1_400 } as const;
    const delivered = { ...by, state: { status: 'delivered', decision: by.state.decision, ...proof } } as const;
    expect(await countedFor(sending(), delivered)).toEqual({
      'decision_to_resume_seconds_count{proof="accepted"}': 1,
      'decision_to_resume_seconds_sum{proof="accepted"}': 0.4,
    });
  });

  it('a decision that the crew refused or nothing confirmed', async () => {
    expect(await countedFor(sending(), refused())).toEqual({ 'decisions_undelivered_total{reason="refused"}': 1 });
    expect(await countedFor(sending(), unconfirmed())).toEqual({
      'decisions_undelivered_total{reason="not-confirmed"}': 1,
    });
  });

  it('what was decided once nobody can undo it any more', async () => {
    const undoable = decided({ undoUntil: NOW + 1_000 });
    expect(await countedFor(pending(), undoable)).toEqual({ 'decisions_total{verdict="approve"}': 1 });
    expect(await countedFor(undoable, pending({ takenBack: 1 }))).toEqual({});
    expect(await countedFor(undoable, sending())).toMatchObject({
      'request_to_decision_seconds_count{crew="editorial",verdict="approve"}': 1,
    });
    expect(await countedFor(sending(), unconfirmed())).not.toHaveProperty('approval_rounds_count{crew="editorial"}');
  });

  it('a request that nobody decided in time, whatever the crew is told', async () => {
    const expiring = { 'approvals_expired_total{crew="editorial"}': 1 };
    expect(await countedFor(pending(), expired())).toEqual(expiring);
    const rejected = decided({ decision: rejection({ by: null }) });
    expect(await countedFor(pending(), rejected)).toEqual({ 'decisions_total{verdict="reject"}': 1, ...expiring });
  });

  it('a retried resume', async () => {
    const again = sending({ attempts: [attempt({ mayHaveArrived: false }), attempt({ number: 2, hop: 2 })] });
    expect(await countedFor(decided(), again)).toEqual({ 'retries_total{what="resume"}': 1 });
    expect(await countedFor(decided(), sending())).toEqual({});
  });

  it('a message that is posted or updated again', async () => {
    const retried = { 'retries_total{what="message"}': 1 };
    const again = {
      status: 'posting',
      tries: 2,
      attempt: 2,
      claim: null,
      until: NOW,
      mayExist: true,
      told: null,
    } as const;
    const unsure = { status: 'unsure', tries: 1, notBefore: START } as const;
    expect(await counted(execution({ root: unsure }), execution({ root: again }))).toEqual(retried);
    expect(await counted(execution(), execution({ root: posted({ ts: '99.9', tries: 1 }) }))).toEqual(retried);
  });
});
