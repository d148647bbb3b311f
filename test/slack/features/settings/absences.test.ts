import { describe, expect, it } from 'vitest';
import { settleKickoff } from '../../../../src/core/execution/start.ts';
import { USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import { type Approver, DEFAULT_POLICY } from '../../../../src/core/policy/policy.ts';
import { createRulesOf } from '../../../../src/core/policy/rules.ts';
import { ask } from '../../../../src/core/request/ask.ts';
import { decide } from '../../../../src/core/request/decide.ts';
import type { Person } from '../../../../src/core/state/request.ts';
import { ok } from '../../../../src/core/values/result.ts';
import { createExecutionStore } from '../../../../src/redis/executions.ts';
import { createLocalState } from '../../../../src/redis/local-state.ts';
import { createOverview } from '../../../../src/redis/overview/overview.ts';
import { createPersonSettings } from '../../../../src/redis/person-settings.ts';
import { createInbox } from '../../../../src/slack/directory/inbox.ts';
import { createAbsences, createFollowAbsences } from '../../../../src/slack/features/settings/absences.ts';
import { crew, readableLog } from '../../../crew/crew-values.ts';
import { redisForTests, started } from '../../../redis/store-under-test.ts';
import { request } from '../../../support/executions.ts';
import { account, facts, RULES, textOf } from '../../../support/requests.ts';

const MARIA: Person = { id: 'UMARIA001', name: 'Maria' };
const JON: Person = { id: 'UJON00001', name: 'Jon' };
const AIKO: Person = { id: 'UAIKO0001', name: 'Aiko' };
const { redis } = redisForTests();

const person = ({ id: name }: Person): Approver => ({ kind: 'person', name });
const CREWS = new Map(
  [
    crew({
      name: 'named',
      approval: { ...DEFAULT_POLICY, delegation: 'anyone', approvers: [person(MARIA)], tasks: [] },
    }),
    crew({
      name: 'keeping',
      approval: { ...DEFAULT_POLICY, delegation: 'none', approvers: [person(MARIA)], tasks: [] },
    }),
    crew({ name: 'naming', approval: { ...DEFAULT_POLICY, approvers: [person(MARIA)], tasks: [] } }),
    crew({
      name: 'escalating',
      approval: { ...DEFAULT_POLICY, approvers: [person(MARIA)], escalateTo: [person(JON)], tasks: [] },
    }),
    crew({ name: 'both', approval: { ...DEFAULT_POLICY, approvers: [person(MARIA), person(JON)], tasks: [] } }),
    crew({ name: 'open', approval: DEFAULT_POLICY }),
    crew({
      name: 'jons',
      approval: { ...DEFAULT_POLICY, delegation: 'anyone', approvers: [person(MARIA)], selfApproval: false, tasks: [] },
    }),
  ].map((each) => [each.name, each]),
);

/** A process of the bot; two of them know nothing of each other. */
function process({ reuseMs = 0 } = {}) {
  const local = createLocalState();
  const { log, text } = readableLog();
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null, local });
  const overview = createOverview(redis(), local, { reuseMs });
  const directory = {
    account: async (id: string) => account(id),
    accountInLists: async (id: string) => account(id),
    membersOf: async () => new Set<string>(),
    isPublic: async () => true,
  } as never;
  const rulesOf = createRulesOf(CREWS);
  const personSettings = createPersonSettings(redis(), { log });
  const parts = {
    store,
    overview,
    directory,
    rulesOf,
    crews: CREWS,
    personSettings,
    log,
    inbox: createInbox({ overview, directory, rulesOf }),
    connectedTo: async () => false,
    people: { nameOf: async ({ name }: Person) => name } as never,
  };
  const absences = createAbsences(parts);
  return { ...parts, absences, follow: createFollowAbsences(parts, absences), text };
}
type Process = ReturnType<typeof process>;

async function asking({ store }: Process, ref: string, { of: crewName = 'named', by = AIKO } = {}): Promise<void> {
  await store.create(ref, (now) => ({
    ...started(ref, now, { crew: crewName }),
    origin: { kind: 'command', by } as never,
  }));
  await store.change(ref, (each, now) => ok(settleKickoff(each, { kind: 'accepted', kickoffId: `k-${ref}` }, now)));
  const asked = request({ kickoffId: `k-${ref}`, executionId: ref });
  await store.change(ref, (each, now) => ask(each, asked, now, RULES));
}

const away = ({ personSettings }: Process, until = Date.now() + 3_600_000, standIn: Person | null = JON) =>
  personSettings.change(MARIA.id, (settings, now) => ({ ...settings, away: { until, standIn, since: now } }));
const back = ({ personSettings }: Process) =>
  personSettings.change(MARIA.id, (settings) => ({ ...settings, away: null }));

async function standIns({ store }: Process, ref: string): Promise<string[]> {
  const found = await store.load(ref);
  return found?.execution.requests.flatMap(({ discussion: { handedOver } }) => handedOver.map(({ to }) => to.id)) ?? [];
}

describe('an absence', () => {
  it('has the stand-in told directly who wants to be told at once', async () => {
    const one = process();
    await asking(one, 'untold');
    await away(one);
    await one.absences.apply(MARIA.id);
    await one.personSettings.change(JON.id, (settings) => ({ ...settings, tell: { kind: 'at-once' } }));
    await asking(one, 'told');
    await one.absences.apply(MARIA.id);
    const told = async (ref: string) =>
      (await one.store.load(ref))?.execution.requests[0]?.discussion.directMessages.list.map(({ to, reason }) => [
        to,
        reason,
      ]);
    expect([await told('untold'), await told('told')]).toEqual([[], [[JON.id, 'setting']]]);
    await one.personSettings.change(JON.id, () => USUAL_SETTINGS);
  });

  it('hands over what only the absent person may decide, and says what became of the rest', async () => {
    const one = process();
    await asking(one, 'named');
    await asking(one, 'both', { of: 'both' });
    await asking(one, 'open', { of: 'open' });
    await asking(one, 'jons', { of: 'jons', by: JON });
    for (const ref of ['keeping', 'naming', 'escalating']) await asking(one, ref, { of: ref });
    await away(one);
    const { standIn, items } = await one.absences.apply(MARIA.id);
    expect(standIn).toEqual(JON);
    expect(Object.fromEntries(items.map(({ request, outcome }) => [request.run.ref, outcome.kind]))).toEqual({
      named: 'handed-over',
      both: 'anyway',
      open: 'anyway',
      jons: 'refused',
      keeping: 'not-allowed',
      naming: 'refused',
      escalating: 'handed-over',
    });
    expect(await Promise.all(['named', 'keeping', 'naming', 'escalating'].map((ref) => standIns(one, ref)))).toEqual([
      [JON.id],
      [],
      [],
      [JON.id],
    ]);
  });

  it('is followed by any process, once, for what comes later, too', async () => {
    const [one, other] = [process(), process()];
    await asking(one, 'first');
    await away(one);
    await Promise.all([one.follow(Date.now()), other.follow(Date.now())]);
    await asking(one, 'second');
    await Promise.all([one.follow(Date.now()), other.follow(Date.now())]);
    expect(await Promise.all(['first', 'second'].map((ref) => standIns(one, ref)))).toEqual([[JON.id], [JON.id]]);
  });

  it('is taken back whole at its early end, also what another process has just handed over', async () => {
    const [one, other] = [process({ reuseMs: 60_000 }), process()];
    await asking(one, 'named');
    await away(one);
    await one.overview.latest();
    await other.absences.apply(MARIA.id);
    await back(one);
    await one.absences.apply(MARIA.id);
    expect(await standIns(one, 'named')).toEqual([]);
  });

  it('leaves nothing handed over where it is ended in the middle of that', async () => {
    const one = process();
    await asking(one, 'named');
    await away(one);
    const latest = async () => {
      const snapshot = await one.overview.latest('now');
      await back(one);
      return snapshot;
    };
    await createAbsences({ ...one, overview: { latest } }).apply(MARIA.id);
    expect(await standIns(one, 'named')).toEqual([]);
  });

  it('is over at its end, at which the stand-in may no longer decide', async () => {
    const one = process();
    await asking(one, 'named');
    await away(one, Date.now() + 60_000);
    const { approval: policy } = CREWS.get('named') ?? crew();
    await one.follow(Date.now());
    const choice = { verdict: 'approve', feedback: null, text: 'Yes' } as const;
    const permission = { policy, facts: facts({ [JON.id]: account(JON.id), [MARIA.id]: account(MARIA.id) }) };
    const decideAt = (delayMs: number) =>
      one.store.change('named', (each, now) =>
        decide(each, '1', { choice, by: JON, ...permission, ...textOf(each, '1') }, now + delayMs),
      );
    expect(await decideAt(60_000)).toMatchObject({ kind: 'refused', refusal: { denial: { kind: 'not-approver' } } });
    expect(await decideAt(0)).toMatchObject({ kind: 'changed' });
  });

  it('that ends early takes back what it handed over, even if the process that was told of it has died', async () => {
    const [one, other] = [process(), process()];
    await asking(one, 'named');
    await away(one);
    await one.follow(Date.now());
    await other.follow(Date.now());
    await back(one);
    await other.absences.apply(MARIA.id);
    expect(await standIns(one, 'named')).toEqual([]);
    await away(one);
    await one.absences.apply(MARIA.id);
    await back(one);
    await process().follow(Date.now());
    expect(await standIns(one, 'named')).toEqual([]);
  });

  it('goes to another stand-in once there is another', async () => {
    const one = process();
    await asking(one, 'named');
    await away(one);
    await one.absences.apply(MARIA.id);
    await away(one, Date.now() + 7_200_000, AIKO);
    await one.absences.apply(MARIA.id);
    expect(await standIns(one, 'named')).toEqual([AIKO.id]);
  });

  it('is not believed from what a process remembers', async () => {
    const [one, late] = [process(), process()];
    await asking(one, 'named');
    expect(await late.personSettings.find(MARIA.id)).toMatchObject({ away: null });
    await away(one);
    await one.absences.apply(MARIA.id);
    await late.follow(Date.now());
    expect(await standIns(one, 'named')).toEqual([JON.id]);
  });

  it('tells once, in the log, whom the policy bars', async () => {
    const one = process();
    await asking(one, 'jons', { of: 'jons', by: JON });
    await away(one);
    for (const minutes of [0, 2, 4]) await one.follow(Date.now() + minutes * 60_000);
    expect(one.text().match(/the policy bars the stand-in/g)).toHaveLength(1);
    expect(await standIns(one, 'jons')).toEqual([]);
  });

  it('without a stand-in hands over nothing', async () => {
    const one = process();
    await asking(one, 'named');
    await away(one, Date.now() + 3_600_000, null);
    expect(await one.absences.apply(MARIA.id)).toEqual({ standIn: null, items: [] });
    expect(await standIns(one, 'named')).toEqual([]);
  });
});
