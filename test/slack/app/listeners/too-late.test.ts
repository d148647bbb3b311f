import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Crew } from '../../../../src/core/policy/crew.ts';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { type Directory, StoreUnavailable } from '../../../../src/core/ports.ts';
import { createExecutionStore } from '../../../../src/redis/executions.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { pending } from '../../../support/requests.ts';
import { clickPayload } from '../../../support/slack-server.ts';
import { type AnsweringSlack, refusal } from '../../directory/answering-slack.ts';
import { APPROVER, CHANNEL, DIRECTORY, GUARDED, KICKER, VOTER } from './requests/cast.ts';
import { prepareRun, startObligingSlack } from './requests/outcome.ts';
import { COMMAND_ROWS } from './requests/rows.ts';
import { CARD_TS } from './requests/runs.ts';
import { click, command, submission } from './requests/sent.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

/** What `work` comes to, and the view that it has shown last by this method; null if it hasn't. */
async function showing<Value>(
  method: 'views.open' | 'views.update',
  work: () => Promise<Value>,
): Promise<[Value, string | null]> {
  const answer = slack.answers[method] ?? (() => ({}));
  let shown: string | null = null;
  slack.answers[method] = (args) => {
    shown = args.get('view');
    return answer(args);
  };
  const value = await work();
  slack.answers[method] = answer;
  return [value, shown];
}

const someoneElse = ['USOMEONE1'].map(parseApprover).filter((each) => each !== null);
/** The crew after the operator has replaced all who may decide and start. */
const CHANGED: Crew = {
  ...GUARDED,
  approval: { ...GUARDED.approval, approvers: someoneElse },
  starters: someoneElse,
};

describe('once the policy has changed', () => {
  it.each(['give_feedback', 'send_note', 'write_note'] as const)(
    '%s, opened before, decides nothing',
    async (modal) => {
      const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
      const { before, after, refusals } = await outcomeOf(submission(modal, keys, { by: APPROVER }), { crew: CHANGED });
      expect([after, refusals]).toEqual([before, 1]);
    },
  );

  it.each(['approve', 'undo', 'send_again', 'stop_following'] as const)(
    '%s on the card changes nothing',
    async (id) => {
      for (const kind of ['voted', 'undoable', 'failed'] as const) {
        const { keys, outcomeOf } = await prepareRun(redis(), slack, kind);
        const { before, after, refusals } = await outcomeOf(click(id, keys, { by: APPROVER }), { crew: CHANGED });
        expect([after, refusals]).toEqual([before, 1]);
      }
    },
  );

  it('a vote from before no longer counts', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const only = {
      ...GUARDED,
      approval: { ...GUARDED.approval, approvers: [APPROVER, 'USOMEONE1'].flatMap((id) => parseApprover(id) ?? []) },
    };
    const { after } = await outcomeOf(click('approve', keys, { by: APPROVER }), { crew: only });
    expect(after.requests).toMatchObject([
      { state: { status: 'pending' }, discussion: { votes: [{ by: { id: APPROVER } }] } },
    ]);
  });

  it('a form opened before starts nothing', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
    const sent = submission('kickoff', keys, { by: KICKER });
    const { newRuns, refusedStarts, acks } = await outcomeOf(sent, { crew: CHANGED });
    const refused = { crew: 'guarded', by: KICKER, reason: 'not-approver', requestId: `1.2.${KICKER}` };
    expect([newRuns, refusedStarts]).toEqual([0, [refused]]);
    expect(JSON.stringify(acks)).toContain('<@USOMEONE1> can start it.');
  });
});

it('a form of feedback that was opened before the policy changed offers no template of it', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { before, after, refusals, calls } = await outcomeOf(click('pick_text', keys, { by: APPROVER }), {
    crew: CHANGED,
  });
  expect([after, refusals, calls]).toEqual([before, 1, ['views.push']]);
});

it('an answer takes the place of the modal that was clicked, where Slack stacks no more', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const push = slack.answers['views.push'] ?? (() => ({}));
  slack.answers['views.push'] = () => refusal('push_limit_reached');
  const { calls } = await outcomeOf(click('pick_text', keys, { by: APPROVER }), { crew: CHANGED });
  expect(calls).toEqual(['views.push', 'views.update']);
  slack.answers['views.push'] = push;
});

it('an approval just after a window has gone on is asked about as such, however long Slack takes meanwhile', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const openedAt = Date.now() - 1_000;
  const value = approvalValue({ ref: keys.ref, approvalId: '1', hash: pending().question.output.hash, openedAt });
  const message = { channel: CHANNEL, ts: CARD_TS };
  const payload = Object(clickPayload({ actionId: 'approve', value }, { by: APPROVER, message }));
  const account: Directory['account'] = async (id) => {
    // By now, the window has shown it for long enough.
    await delay(Math.max(0, openedAt + 2_000 - Date.now()));
    return DIRECTORY.account(id);
  };
  const directory = {
    ...DIRECTORY,
    account,
    mentionsOf: async () => [],
    approverNames: async () => (name: string) => name,
  };
  const [{ before, after }, shown] = await showing('views.open', () =>
    outcomeOf({ kind: 'block_actions', payload }, { directory }),
  );
  expect(after).toEqual(before);
  expect(shown).toContain('This request took the place of the one before only just now.');
});

describe('a window that lies on others which show what is over', () => {
  const ON_TOP = { clear_on_close: true, previous_view_id: 'V2', root_view_id: 'V3' };

  it.each(['compare_next', 'history_next', 'pick_text', 'read_heading', 'read_next', 'review_next'] as const)(
    'still closes all of them after %s',
    async (id) => {
      const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
      const { kind, payload } = click(id, keys, { by: APPROVER });
      const { view } = Object(payload);
      const shownView = { ...view, ...ON_TOP, state: { values: {} } };
      const [, shown] = await showing('views.update', () =>
        outcomeOf({ kind, payload: { ...payload, view: shownView } }),
      );
      expect(shown).toContain('"clear_on_close":true');
    },
  );

  it('still does when a form in it came too late', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'undoable');
    const { kind, payload } = submission('give_feedback', keys, { by: APPROVER });
    const { view } = Object(payload);
    const { acks } = await outcomeOf({ kind, payload: { ...payload, view: { ...view, ...ON_TOP } } });
    expect(acks).toMatchObject([{ response_action: 'update', view: { clear_on_close: true } }]);
  });
});

describe('a request that is delivered twice', () => {
  it('starts one run by the same form', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
    const sent = submission('kickoff', keys, { by: KICKER });
    expect([(await outcomeOf(sent)).newRuns, (await outcomeOf(sent)).newRuns]).toEqual([1, 0]);
  });

  it('starts nothing more when a stranger replays it', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
    await outcomeOf(submission('kickoff', keys, { by: KICKER }));
    const replayed = submission('kickoff', keys, { by: 'USTRANGER', team: 'T0NORTHWND' });
    const { newRuns, refusals } = await outcomeOf(replayed);
    expect([newRuns, refusals]).toEqual([0, 1]);
  });

  it('counts as one vote', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const { before, after, refusals } = await outcomeOf(click('approve', keys, { by: VOTER }));
    expect([after, refusals]).toEqual([before, 0]);
  });
});

it('an old copy of the card lets nobody decide who may not', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { before, after, refusals } = await outcomeOf(click('approve', keys, { by: 'UOUTSIDER', ts: '55.5' }));
  expect([after.requests, refusals]).toEqual([before.requests, 1]);
});

it('nothing is acknowledged while a refused start can’t be put into the ledger', async () => {
  const recordRefusedStart = async () => {
    throw new StoreUnavailable('down');
  };
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
  const by = { by: 'UOUTSIDER' };
  const requests = [
    submission('kickoff', keys, by),
    click('run_again', keys, by),
    click('pick_crew', keys, by),
    command(COMMAND_ROWS.start, by),
  ];
  for (const sent of requests) await expect(outcomeOf(sent, { recordRefusedStart })).rejects.toThrow('down');
});

it('an approval that takes a note is not acknowledged while the note can’t be asked for', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
  let loads = 0;
  const load: typeof store.load = (...asked) => {
    loads += 1;
    return loads === 1 ? store.load(...asked) : Promise.reject(new StoreUnavailable('down'));
  };
  const comment = { approve: 'required', reject: 'optional' } as const;
  const crew = { ...GUARDED, approval: { ...GUARDED.approval, comment } };
  const acks: object[] = [];
  const clicked = outcomeOf(click('approve', keys, { by: APPROVER }), { crew, acks, store: { ...store, load } });
  await expect(clicked).rejects.toThrow('down');
  expect(acks).toEqual([]);
});
