import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { WorkflowRun } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Workflow } from '../../src/sandbox/slack-workspace/workflow.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { startWorld, type World } from '../support/world.ts';

const FIELDS = {
  title: 'Title',
  text: 'Text',
  channel: 'Channel',
  approvers: 'Approvers',
  crew: 'Crew',
  time_limit: 'Time limit',
};

const TYPES: Record<string, 'channel' | 'long-text'> = { channel: 'channel', text: 'long-text' };

const ASK: Workflow = {
  name: 'Ask',
  form: Object.entries(FIELDS).map(([name, label]) => {
    return { name, label, type: TYPES[name] ?? 'text', isOptional: true };
  }),
  steps: [
    {
      function: 'ask_for_approval',
      inputs: Object.fromEntries(Object.keys(FIELDS).map((name) => [name, `{{form.${name}}}`])),
    },
  ],
};

const TWO = { name: 'two', settings: { channel: 'releases', approval: { quorum: 2 } } };
const FOUR_EYES = { name: 'four-eyes', settings: { channel: 'releases', approval: { self_approval: false } } };

describe('a workflow that asks for approval', () => {
  let world: World;
  let maria: Person;
  let jon: Person;
  let bot: BotProcess;
  let port: number;
  beforeAll(async () => {
    world = await startWorld({ manifest: 'workflows', fixtures: 0, crews: [TWO, FOUR_EYES] });
    port = await freePort();
    bot = await world.startBotProcess({ port });
    [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
    world.slack.buildWorkflow(ASK);
  });
  afterAll(() => world.stop());

  const asks = (title: string, form: Record<string, string> = {}) =>
    maria.startWorkflow('Ask', {
      Title: title,
      Text: `# ${title}\n\nAll of it.`,
      Channel: '#releases',
      ...form,
    });
  const card = (title: string) => jon.sees('#releases', new RegExp(`Approval needed: ${title}`));
  const outputsOf = async (run: WorkflowRun) => {
    const { steps } = await maria.seesWorkflow(run, 'completed');
    return Object.fromEntries((steps[0]?.outputs ?? []).map(({ name, value }) => [name, String(value)]));
  };

  it('has those decide whom it names, and goes on with what they say', async () => {
    const run = await asks('Deploy tonight', { Approvers: `<@${jon.id}>` });
    const asked = await card('Deploy tonight');
    await maria.click('Approve', { in: asked });
    await maria.seesModal('You aren’t allowed to decide this.');
    await maria.closeModal();
    await jon.click('Reject…', { in: asked });
    await jon.fill('Reason', 'Not on a Friday.');
    await jon.submit();
    expect(await outputsOf(run)).toMatchObject({
      decision: 'rejected',
      decided_by: jon.id,
      comment: 'Not on a Friday.',
      decided_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      link: expect.stringContaining('/archives/'),
    });
    await jon.seesChanged(asked, 'Passed on to the program that asked.');
  });

  it('goes by the rules of a crew that it names, with the bot killed in the middle', async () => {
    const run = await asks('Publish the notes', { Crew: 'two' });
    const asked = await card('Publish the notes');
    await maria.click('Approve', { in: asked });
    await jon.seesChanged(asked, '1 of 2 approved');
    await bot.kill();
    bot = await world.startBotProcess({ port });
    await jon.click('Approve', { in: asked });
    expect(await outputsOf(run)).toMatchObject({ decision: 'approved', decided_by: jon.id });
    await jon.seesChanged(asked, /Maria.* and Jon.* approved “Publish the notes”/);
    const completions = world.slack.calls().filter(({ name, request }) => {
      const told = JSON.stringify(request);
      return name === 'functions.completeSuccess' && told.includes('"approved"');
    });
    expect(completions).toHaveLength(1);
  });

  it('goes on without a decision at the end of its time', async () => {
    const run = await asks('Quick question', { Approvers: jon.id, 'Time limit': '1s' });
    expect(await outputsOf(run)).toMatchObject({ decision: 'expired' });
    expect(await outputsOf(run)).not.toHaveProperty('decided_by');
  });

  it('lets people decide though somebody has cancelled it, of which Slack tells nobody', async () => {
    const run = await asks('Cancelled in between', { Approvers: jon.id });
    const asked = await card('Cancelled in between');
    await maria.cancelWorkflow(run);
    await jon.click('Approve', { in: asked });
    await jon.seesChanged(asked, 'approved “Cancelled in between”');
    await maria.waitFor('the refusal', () =>
      world.slack.calls().find(({ error }) => error === 'execution_not_in_running_state'),
    );
    await jon.seesChanged(asked, 'The workflow that asked doesn’t take it any more.');
  });

  it('says on its card that the workflow waits in vain where Slack refuses the decision', async () => {
    await asks('Refused by Slack', { Approvers: jon.id });
    const asked = await card('Refused by Slack');
    world.slack.faults.add({
      method: 'functions.completeSuccess',
      effect: { kind: 'error', error: 'access_denied' },
    });
    await jon.click('Approve', { in: asked });
    await jon.seesChanged(asked, 'Slack refused to let a workflow go on');
  });

  it.each([
    ['without approvers', {}, 'needs either approvers, at most ten people, or the name of a crew'],
    ['with both', { Approvers: 'jon@example.com', Crew: 'two' }, 'needs either approvers'],
    ['with what is no person', { Approvers: '@release-managers' }, 'needs either approvers'],
    ['of an unknown crew', { Crew: 'three' }, 'there is no crew called “three”'],
    [
      'for no time',
      { Approvers: 'jon@example.com', 'Time limit': 'soon' },
      '“soon” isn’t a time. Write it like 30m, 4h or 3d',
    ],
    ['without a text', { Text: ' ', Approvers: 'jon@example.com' }, 'needs a title, a text and a channel'],
    ['where depend on who asks', { Crew: 'four-eyes' }, 'depend on who asks'],
  ])('asks nobody %s, and says why', async (_, form, why) => {
    const run = await asks('Hopeless', form);
    expect((await maria.seesWorkflow(run, 'failed')).error).toContain(why);
  });
});
