import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  completeTask as completeDue,
  fail,
  interrupt,
  judge,
  skipTask,
} from '../../../../src/sandbox/crew-service/executions/advance-run.ts';
import {
  currentTask,
  dueTasks,
  type PlannedTask,
  progressOf,
  type Run,
  type Running,
  type Waiting,
} from '../../../../src/sandbox/crew-service/executions/run.ts';
import type { Json } from '../../../../src/sandbox/crew-service/json.ts';

function task(name: string, rest: Partial<PlannedTask> = {}): PlannedTask {
  const texts = { role: '', goal: '', description: '', expectedOutput: '' };
  return { id: `id-${name}`, name, agent: 'A', ...texts, humanInput: false, finishes: false, ...rest };
}

function started(plan: readonly PlannedTask[], rest: Partial<Running> = {}): Running {
  const facts = { id: 'r1', executionId: 'r1', crew: 'c', inputs: {}, addresses: { meta: {} } };
  const empty = { finished: [], reviews: [], attempts: [], createdAt: 0, version: 0 };
  const now = { status: 'running', taskIndex: 0, round: 1, startedAt: 0, phase: 'working' } as const;
  return { ...facts, startedBy: { type: 'organisation' }, ...empty, plan, asksPeople: true, ...now, ...rest };
}

/** What a call of its own asks, which nothing else waits beside. */
function questionOf(name: string) {
  const call = `call of ${name}`;
  return { name, agent: 'B', output: name, state: {}, calls: [{ id: call, name, agent: 'B' }], call };
}

const completeTask = (run: Running, output: Json, now: number) => completeDue(run, currentTask(run), output, now);
const kinds = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('a run', () => {
  it('goes from task to task and completes with the output of the last', () => {
    const first = completeTask(started([task('a'), task('b')]), 'A', 5);
    expect([first.run.status, kinds(first.events)]).toEqual(['running', ['task']]);
    const second = completeTask(first.run as Running, 'B', 9);
    expect(second.run).toMatchObject({
      status: 'completed',
      result: 'B',
      endedAt: 9,
      attempts: [{ finishedAt: 5 }, { startedAt: 5, finishedAt: 9 }],
    });
    expect(kinds(second.events)).toEqual(['task', 'crew']);
  });

  it('waits after a task with human input, unless there is no one to ask', () => {
    const plan = [task('a', { humanInput: true })];
    expect(kinds(completeTask(started(plan), 'A', 1).events)).toEqual(['task', 'human-input']);
    expect(completeTask(started(plan), 'A', 1).run).toMatchObject({
      status: 'waiting',
      output: 'A',
      waitingSinceAt: 1,
    });
    expect(completeTask(started(plan, { asksPeople: false }), 'A', 1).run.status).toBe('completed');
  });

  it('finishes an approved task, and tells of it once', () => {
    const waiting = completeTask(started([task('a', { humanInput: true, finishes: true })]), 'A', 1).run;
    if (waiting.status !== 'waiting') throw new Error(waiting.status);
    const approved = judge(waiting, { approved: true, text: 'fine' }, 2);
    expect(approved).toMatchObject({
      run: { status: 'running', phase: 'finishing', previous: 'A', round: 1 },
      events: [],
    });
    const done = completeTask(approved.run as Running, 'A, written', 3);
    expect(done.run).toMatchObject({ status: 'completed', result: 'A, written', finished: [{ output: 'A, written' }] });
    expect(kinds(done.events)).toEqual(['crew']);
  });

  it('waits for what the code of a task asks in its middle, by name and round, and gives it each decision', () => {
    const ask = (run: Run, name: string) =>
      interrupt(run as Running, currentTask(run as Running), { ...questionOf(name), state: { at: name } }, 1);
    const decide = ({ run }: { run: Run }, approved: boolean) => judge(run as Waiting, { approved, text: 'x' }, 2).run;

    const first = ask(started([task('a'), task('b')]), 'text');
    expect(kinds(first.events)).toEqual(['task', 'human-input']);
    expect(first.run).toMatchObject({ status: 'waiting', round: 1, output: 'text', taskIndex: 0 });
    const rejected = decide(first, false);
    const decision = { approved: false, state: { at: 'text' } };
    expect(rejected).toMatchObject({ status: 'running', round: 2, decision });
    expect(currentTask(rejected as Running).name).toBe('a');

    const second = ask(rejected, 'text');
    const other = ask(decide(second, true), 'title');
    const names = [first, second, other].map(({ run }) => [currentTask(run as Waiting).name, (run as Waiting).round]);
    expect(names).toEqual([
      ['text', 1],
      ['text', 2],
      ['title', 1],
    ]);
    expect(currentTask(second.run as Waiting).id).toBe(currentTask(first.run as Waiting).id);

    const done = completeTask(decide(other, false) as Running, 'A', 3).run as Running;
    expect([currentTask(done).name, done.decision]).toEqual(['b', undefined]);
    expect(done.finished.map(({ task, output }) => [task, output])).toEqual([
      ['text', 'text'],
      ['a', 'A'],
    ]);
    expect(completeTask(done, 'B', 4).run).toMatchObject({ status: 'completed', result: 'B' });
  });

  it.each([
    [true, ['refund', 'refund-2', 'refund-2', 'refund-3', 'wire', 'refund-4']],
    [false, ['1', '2', '2', '3', '4', '5']],
  ])(
    'gives each call an id of its own, and one that follows a rejection its id (telling ids: %s)',
    (hasTellingIds, expected) => {
      let run: Run = started([task('a')], { hasTellingIds });
      const asked: { id: string; round: number }[] = [];
      const story: [waiting: string[], approved: boolean][] = [
        [['refund c1', 'refund c2'], true],
        [['refund c2'], false],
        // The next call tries the rejected one again, and then makes the approved one once more, in the same words.
        [['refund c3'], true],
        [['refund c4'], true],
        // An interrupt keeps its own id although it asks again.
        [['wire c5', 'refund c4'], true],
        [['refund c4'], true],
      ];
      for (const [waiting, approved] of story) {
        const calls = waiting.map((each) => {
          const [name = '', id = ''] = each.split(' ');
          return { id, name, agent: 'B' };
        });
        const { id: call = '', name = '' } = calls.at(0) ?? {};
        const question = { ...questionOf(name), calls, call };
        const { run: paused } = interrupt(run as Running, currentTask(run as Running), question, 1);
        asked.push({ id: currentTask(paused as Waiting).id, round: (paused as Waiting).round });
        run = judge(paused as Waiting, { approved, text: 'x' }, 2).run;
      }
      const ids = asked.map(({ id }) => id);
      const numbered = ids.map((id) => `${[...new Set(ids)].indexOf(id) + 1}`);
      expect(hasTellingIds ? ids : numbered).toEqual(expected);
      expect(asked.map(({ round }) => round)).toEqual([1, 1, 2, 1, 1, 1]);
      expect(new Set((run as Running).plan.map(({ id }) => id)).size).toBe((run as Running).plan.length);
    },
  );

  it('fails where the code of a task asks, and there is no one to ask', () => {
    const question = questionOf('text');
    const run = started([task('a')], { asksPeople: false });
    const { run: failed, events } = interrupt(run, currentTask(run), question, 1);
    expect([failed.status, kinds(events)]).toEqual(['failed', ['failed']]);
  });

  it('fails with a message, keeping what was done', () => {
    expect(fail(started([task('a')]), 'no paper', 4)).toMatchObject({
      status: 'failed',
      error: 'no paper',
      endedAt: 4,
      plan: [{ name: 'a' }],
    });
  });

  it('keeps every review, counts rounds by rejections, and finishes each task once, whatever people say', () => {
    const plans = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
    const verdicts = fc.array(fc.boolean(), { maxLength: 12 });
    fc.assert(
      fc.property(plans, verdicts, (humans, said) => {
        const plan = humans.map((humanInput, index) => task(`t${index}`, { humanInput, finishes: index % 2 === 0 }));
        const asked = [...said];
        let run: Run = started(plan);
        while (run.status === 'running' || (run.status === 'waiting' && asked.length > 0)) {
          run =
            run.status === 'running'
              ? completeTask(run, run.round, 1).run
              : judge(run, { approved: asked.shift() === true, text: '' }, 1).run;
        }
        const used = said.length - asked.length;
        expect(run.reviews).toHaveLength(used);
        const approvals = run.reviews.filter(({ approved }) => approved);
        expect(run.attempts).toHaveLength(
          run.finished.length + (used - approvals.length) + (run.status === 'waiting' ? 1 : 0),
        );
        expect(new Set(run.finished.map(({ taskId }) => taskId)).size).toBe(run.finished.length);
        if (run.status === 'completed') expect(run.finished).toHaveLength(plan.length);
      }),
    );
  });

  it('gives each task of its groups one turn, whichever ends first, and leaves out what isn’t wanted', () => {
    const kindOfTask = fc.record({
      humanInput: fc.boolean(),
      finishes: fc.boolean(),
      joins: fc.boolean(),
      wanted: fc.boolean(),
    });
    const plans = fc.array(kindOfTask, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        plans,
        fc.array(fc.boolean(), { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (tasks, said, picks) => {
          let group = 0;
          const plan = tasks.map(({ joins, humanInput, finishes }, index) =>
            task(`t${index}`, { humanInput, finishes, group: joins ? group : ++group }),
          );
          const verdicts = [...said];
          const rejections = said.filter((approved) => !approved).length;
          const events: string[] = [];
          let run: Run = started(plan);
          while (run.status === 'running' || run.status === 'waiting') {
            const change = advance(run);
            events.push(...kinds(change.events));
            run = change.run;
          }
          function advance(active: Running | Waiting) {
            if (active.status === 'waiting') return judge(active, { approved: verdicts.shift() ?? true, text: '' }, 1);
            const due = dueTasks(active);
            const picked = due[(picks.next().value ?? 0) % due.length] ?? currentTask(active);
            const isWanted = tasks[plan.indexOf(picked)]?.wanted || active.round > 1 || active.phase === 'finishing';
            return isWanted ? completeDue(active, picked, picked.name, 1) : skipTask(active, picked, 1);
          }
          const wanted = plan.filter((_, index) => tasks[index]?.wanted).map(({ name }) => name);
          expect(run.finished.map(({ task: name }) => name)).toEqual(wanted);
          expect(run).toMatchObject({ status: 'completed', result: wanted.at(-1) ?? null });
          expect(progressOf(run)).toEqual({ completed: wanted.length, total: wanted.length });
          const reviews = events.filter((kind) => kind === 'human-input').length;
          expect(run.reviews).toHaveLength(reviews);
          expect(run.attempts).toHaveLength(events.filter((kind) => kind === 'task').length);
          expect(run.attempts.length).toBeLessThanOrEqual(wanted.length + rejections);
          expect(run.drafts ?? []).toEqual([]);
        },
      ),
    );
  });
});
