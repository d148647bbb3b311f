import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../src/core/execution/events.ts';
import type { PlannedTask } from '../../../../src/core/execution/plan.ts';
import type { RootModel } from '../../../../src/core/messages/view-models.ts';
import { aboutRun } from '../../../../src/core/state/about.ts';
import { rootMessage } from '../../../../src/slack/features/run/root-message.ts';
import type { Rendered } from '../../../../src/slack/ui/blocks.ts';
import { sayIn } from '../../../support/say.ts';
import { LINK } from '../../ui/every-view.ts';
import { decision, jon, NOW, name, root, step } from '../../ui/models.ts';
import { actionsOf, partsOf, said } from '../../ui/said.ts';

const details = {
  ...{ latestStep: null, cardLink: LINK, resultLink: null, showsPlan: true, whoFor: () => 'Priya & Jon' },
  ...{ now: NOW, name, say: sayIn('en') },
  labelOf: (input: string) => labelOf(input),
};
const shown = (change: Partial<RootModel> = {}, latestStep: Step | null = null, cardLink: string | null = LINK) =>
  rootMessage(root(change), { ...details, latestStep, cardLink });
const menuOf = ({ blocks }: Rendered) =>
  partsOf(blocks)
    .filter(({ action_id }) => action_id === 'more')
    .flatMap(({ options }) => partsOf(options).flatMap(({ type, text }) => (type === 'plain_text' ? [text] : [])));
const labelOf = (input: string) => (input === 'notify' ? 'Tell everybody?' : input);

describe('the tasks in the root message', () => {
  const plan: PlannedTask[] = [
    { id: '1', name: 'Read', state: { kind: 'done' } },
    { id: '2', name: 'Draft <b>', state: { kind: 'waiting', approvalId: '1' } },
    { id: '3', name: 'Check', state: { kind: 'working' } },
    { id: '4', name: 'Print', state: { kind: 'undelivered' } },
  ];
  const tasksIn = (message: Rendered) => message.blocks.flatMap((block) => (block.type === 'plan' ? [block] : []));

  it('are a plan: what is done, what is worked on, who is waited for, and what failed', () => {
    const [block] = tasksIn(shown({ plan }));
    expect(block?.title).toBe('1 of 3 tasks done');
    expect(block?.tasks?.map(({ title, status }) => [title, status])).toEqual([
      ['Read', 'complete'],
      ['Draft ‹b›: waiting for Priya & Jon', 'pending'],
      ['Check', 'in_progress'],
      ['Print: the decision didn’t reach the crew', 'error'],
    ]);
    expect(said({ ...shown({ plan }), blocks: shown({ plan }).blocks.slice(0, 1) })).not.toContain('tasks done');
  });

  it('are counted where there is no plan, or Slack doesn’t take it', () => {
    expect(tasksIn(shown())).toEqual([]);
    const plainer = rootMessage(root({ plan }), { ...details, showsPlan: false });
    expect(tasksIn(plainer)).toEqual([]);
    expect(said(plainer)).toContain('1 of 3 tasks done');
  });

  it('are counted while one of them has no name yet, which a later report may give it', () => {
    const message = shown({ plan: [...plan, { id: '5', name: null, state: { kind: 'done' } }] });
    expect(tasksIn(message)).toEqual([]);
    expect(said(message)).toContain('1 of 3 tasks done');
  });

  it('are not counted above a plan that shows another number', () => {
    const progress = { completed: 2, total: 3, current: null };
    expect(tasksIn(shown({ plan, progress }))[0]?.title).toBe('Tasks');
  });

  it('are no plan any more once all of them are done', () => {
    const run = { status: 'completed', result: null, endedAt: NOW } as const;
    expect(tasksIn(shown({ plan, run }))).toEqual([]);
    expect(tasksIn(shown({ plan, run: { status: 'failed', error: 'No.', endedAt: NOW } }))).toHaveLength(1);
  });

  it('give way to the result once that is there', () => {
    const ended = root({ plan, run: { status: 'completed', result: null, endedAt: NOW } });
    expect(said(rootMessage(ended, { ...details, resultLink: LINK }))).toContain(
      `<${LINK.replace('&', '&amp;')}|Open the result>`,
    );
  });
});

describe('the root message of a run that was declined', () => {
  const no = { ...decision({ verdict: 'decline', feedback: '- Wrong product\n- <!channel>' }), text: null };
  const declined = { decision: no, closed: 2 };
  const controlUrl = 'https://panel.example.com/runs?of=me&all';
  const wordsOf = (run: RootModel['run']) =>
    said(rootMessage(root({ run, declined, openCard: null }), { ...details, controlUrl }));

  it('says by whom and why, what became of the rest, and where it can be ended', () => {
    const words = wordsOf({ status: 'running' });
    expect(words).toContain('⛔ *Research: Declined*');
    expect(words).toContain('Declined by Maria\n> • Wrong product\n> • &lt;!channel&gt;\n2 other requests were');
    expect(words).toContain('Signoff can’t end a run, so it may go on waiting or working.');
    expect(words).toContain('<https://panel.example.com/runs?of=me&amp;all|End it at panel.example.com>');
  });

  it('says how the run ended after all', () => {
    const words = wordsOf({ status: 'completed', result: null, endedAt: NOW });
    expect(words).toContain('✅ *Research: Completed*');
    expect(words).toContain('Declined by Maria');
    expect(words).not.toContain('may go on');
  });
});

describe('the root message', () => {
  it('says who started what, with which inputs, and how it is going', () => {
    const words = said(shown());
    for (const part of [
      '▶️ *Research: Running* · *topic:* Bees · *audience:* children · 1 of 3 tasks done',
      'Maria',
      '1 of 3 tasks done',
      '<!date^',
      'about 3 min so far',
    ])
      expect(words).toContain(part);
  });

  it.each([
    [{ topic: 'Bees' }, '· Bees ·', ['*topic:*']],
    [{ topic: 'Bees', length: 'x'.repeat(90) }, '· Bees ·', ['*topic:*']],
    [{ amount: 9000 }, '· *amount:* 9000 ·', []],
    [{ file: '/srv/in/report.pdf' }, '· report.pdf ·', []],
    [{ topic: 'Bees', audience: 'children', tone: 'plain' }, '· *topic:* Bees · *audience:* children ·', []],
  ])('says each input of %j once: %s', (inputs, title, left) => {
    const about = aboutRun({ inputs });
    const words = said(shown({ inputs, about }));
    expect(words).toContain(title);
    for (const each of left) expect(words).not.toContain(each);
    for (const value of Object.values(inputs)) expect(words.split(String(value))).toHaveLength(2);
  });

  it('labels inputs as the form does', () => {
    expect(said(shown({ inputs: { notify: true } }))).toContain('*Tell everybody?:* yes');
  });

  it('names the starter without a mention', () => {
    expect(JSON.stringify(shown())).not.toContain('<@');
    expect(said(shown({ starter: null }))).toContain('Started outside Slack');
  });

  it('shows the latest activity in one line', () => {
    const words = said(shown({}, step({ agent: 'Writer', tool: 'web\nsearch' })));
    expect(words).toContain('1 of 3 tasks done · Writer is using web search');
  });

  it('links to the open approval', () => {
    const openCard = { ts: '1.2', round: 2, taskName: 'Write the post', undelivered: null };
    const waiting = { run: { status: 'waiting' }, openCard } as const;
    expect(said(shown(waiting))).toContain('|Open the approval>: Write the post · round 2');
    expect(said(shown(waiting))).toContain('Waiting for approval');
    expect(said(shown(waiting, null, null))).toContain('The approval is being posted: Write the post · round 2');
    expect(shown(waiting).text).toContain('Approval needed: Write the post.');
  });

  it.each([
    ['unreachable', 'Decided, not sent yet', 'can’t be reached right now'],
    ['busy', 'Decided, not sent yet', 'is starting or busy'],
    ['crew-missing', 'Decided, not sent yet', 'Open the approval'],
    ['refused', 'Decision not delivered', 'Open the approval'],
    ['run-unknown', 'Decision not delivered', 'doesn’t know this run'],
    ['not-confirmed', 'Decision not confirmed', 'Open the approval'],
  ] as const)('asks for no decision that is made, but isn’t delivered: %s', (undelivered, state, words) => {
    const openCard = { ts: '1.2', round: 1, taskName: 'Write the post', undelivered };
    const message = shown({ run: { status: 'waiting' }, openCard });
    for (const part of [state, words, '|Open the approval>']) expect(said(message)).toContain(part);
    expect(said(message)).not.toContain('Waiting for approval');
    expect(message.text).not.toContain('Approval needed');
  });

  it('says of a lost run, too, that its decision wasn’t delivered, and what people can do', () => {
    const openCard = { ts: '1.2', round: 1, taskName: null, undelivered: 'run-unknown' } as const;
    for (const run of [{ status: 'waiting' }, { status: 'lost', lostAt: NOW }] as const) {
      const message = shown({ run, openCard });
      expect(said(message)).toContain('Decision not delivered');
      expect(said(message)).toContain('Send it again from its card, or run the crew again.');
      expect(said(message)).not.toContain('never heard of');
      expect(menuOf(message)).toContain('Run again');
    }
  });

  it('says how long it took', () => {
    expect(said(shown({ run: { status: 'completed', result: null, endedAt: NOW } }))).toContain('took 3 min 20 s');
  });

  it('counts no tasks before one is done, and none after the end', () => {
    for (const total of [3, null])
      expect(said(shown({ progress: { completed: 0, total, current: null } }))).not.toContain('done');
    const failed = { status: 'failed', error: 'No paper.', endedAt: NOW } as const;
    expect(said(shown({ run: failed, progress: { completed: 1, total: 3, current: null } }))).not.toContain('done');
    const run = { status: 'completed', result: null, endedAt: NOW } as const;
    for (const [completed, total] of [
      [1, 3],
      [3, 3],
      [3, null],
    ] as const)
      expect(said(shown({ run, progress: { completed, total, current: null } }))).not.toContain('done');
  });

  it('says that a request has not reached us', () => {
    expect(said(shown({ waitingUnseen: true }))).toContain(
      'waiting for a person, but its request didn’t reach Signoff',
    );
  });

  it('says that nobody decided in time while the crew still waits, and what to do', () => {
    const expired = shown({ run: { status: 'waiting' }, waitingUnseen: true, hasExpired: true });
    for (const words of ['Research: Nobody decided in time', 'the crew is still waiting', 'own control panel'])
      expect(said(expired)).toContain(words);
    expect(said(expired)).not.toContain('didn’t reach');
    expect(said(shown({ hasExpired: true }))).toContain('Research: Running');
  });

  it.each([
    ['unauthorized', 'no longer accepts Signoff’s access token'],
    ['unreachable', 'can’t be reached right now'],
    ['error', 'answers with an error'],
  ] as const)('says what keeps Signoff from hearing of the run: %s', (trouble, words) => {
    expect(said(shown({ trouble }))).toContain(words);
  });

  it('says only once that the crew can’t be reached', () => {
    const openCard = { ts: '1.2', round: 1, taskName: null, undelivered: 'unreachable' } as const;
    const message = said(shown({ run: { status: 'waiting' }, openCard, trouble: 'unreachable' }));
    expect(message.split('can’t be reached')).toHaveLength(2);
  });

  it('says nothing of a service that asks to wait when Signoff asks how the run is going', () => {
    expect(said(shown({ trouble: 'busy' }))).toEqual(said(shown({ trouble: null })));
  });

  it('says why nothing was started', () => {
    const refusal = { code: 'missing-inputs', detail: 'Missing inputs: a', missing: ['a'] } as const;
    const message = shown({ run: { status: 'not-started', refusal: { ...refusal, missing: ['a'] }, endedAt: NOW } });
    expect(said(message)).toContain('can’t start without “a”');
    expect(menuOf(message)).toEqual(['Run again', 'History', 'Copy reference']);
  });

  it('says that it may have started', () => {
    const message = shown({ run: { status: 'not-confirmed', doubt: 'no-answer', since: NOW } });
    expect(said(message)).toContain('may have started: it didn’t answer in time');
  });

  it.each<[RootModel['run'], string[]]>([
    [{ status: 'running' }, ['Activity', 'Stop tracking…']],
    [{ status: 'lost', lostAt: NOW }, ['Activity', 'Run again', 'Stop tracking…']],
    [{ status: 'completed', result: null, endedAt: NOW }, ['Activity', 'Run again']],
    [{ status: 'failed', error: 'x', endedAt: NOW }, ['Activity', 'Run again']],
    [{ status: 'not-confirmed', doubt: 'no-answer', since: NOW }, ['Run again', 'Stop tracking…']],
    [{ status: 'not-started', refusal: { code: 'quota', detail: '', missing: [] }, endedAt: NOW }, ['Run again']],
  ])('has what makes sense in its state in one menu, and no button: $0.status', (run, entries) => {
    expect(menuOf(shown({ run }))).toEqual([...entries, 'History', 'Copy reference']);
    expect(actionsOf(shown({ run }))).toEqual(['more']);
  });

  it('offers *Track again* as its only button once tracking has stopped', () => {
    const stopped = shown({ unfollowed: { by: jon, at: NOW } });
    expect(actionsOf(stopped)).toEqual(['more', 'track_again']);
    expect(menuOf(stopped)).toEqual(['Activity', 'History', 'Copy reference']);
    expect(said(stopped)).toContain('Jon stopped tracking for everyone');
  });

  it.each([{ waitingUnseen: true }, { trouble: 'unreachable' } as const])(
    'says nothing of how things stand once nobody asks any more: %j',
    (change) => {
      const stopped = { ...change, unfollowed: { by: jon, at: NOW }, run: { status: 'waiting' } } as const;
      expect(said(shown(stopped, step({ agent: 'Writer' })))).not.toMatch(/didn’t reach|keeps trying|Writer/);
    },
  );
});
