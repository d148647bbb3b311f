import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials } from '../../src/crew/credentials.ts';
import { homeText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { asOrganisation } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { followRun } from '../support/followed-run.ts';
import { askSlackServer } from '../support/slack-server.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';
import { diagnose } from '../tools/doctor/run-doctor.ts';

const LABS = { id: 'T0LABS0002', channel: 'C0LABS0008' };

describe('An organisation of two workspaces', () => {
  let world: World;
  let bot: Bot;

  beforeAll(async () => {
    world = await startWorld({
      seed: asOrganisation,
      crews: [
        { name: 'open', settings: { channel: 'joint' } },
        {
          name: 'led',
          settings: { channel: 'labs', approval: { approvers: ['@lab-leads', '@release-managers'], quorum: 2 } },
        },
        { name: 'far', settings: { channel: LABS.channel } },
      ],
    });
    bot = await world.startBot();
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);
  const refused = () =>
    world.slack.calls().filter(({ direction, outcome }) => direction === 'from-app' && outcome !== 'ok');

  it('runs a crew in a channel of both, decided by a colleague who is at home in the other one', async () => {
    const run = await followRun(world, { crew: 'open', topic: 'tea', by: 'jon', channel: '#joint' });
    await as('aiko').openHome();
    await as('aiko').seesHome('1 request is waiting for you');
    await as('aiko').click('Reject…', { in: run.card });
    await as('aiko').fill('What should change?', 'Mention oolong');
    await as('aiko').submit();
    const second = await as('priya').seesInThread(run.root, 'Round 2');
    await as('priya').click('Approve', { in: second });
    await as('jon').seesChanged(run.root, 'Completed');
    expect(await run.told()).toEqual(['rejected: Mention oolong', 'approved: Approved.']);
    await as('aiko').seesHome('Nothing is waiting for you');
    expect(refused()).toEqual([]);
  });

  it('starts one in the workspace where the command is typed, decided by groups of both', async () => {
    const maria = as('maria');
    await maria.command('#labs', '/kickoff', 'led topic=coffee', { in: 'Labs' });
    const card = await maria.sees('#labs', 'Approval needed');
    await maria.click('Approve', { in: card });
    await maria.seesChanged(card, '1 of 2 approved: Maria Alvarez');
    await as('aiko').click('Approve', { in: card });
    await maria.seesChanged(card, 'approved');
    expect(refused()).toEqual([]);
  });

  it('lists what waits in a channel of one workspace to its members only', async () => {
    await followRun(world, { crew: 'far', topic: 'cocoa', by: 'aiko', channel: '#labs' });
    await as('priya').openHome();
    await as('priya').seesHome('1 request is waiting for you');
    await as('jon').openHome();
    expect(homeText(await as('jon').seesHome(/\S/))).not.toContain('far');
  });

  it('is named by the doctor, with its workspaces and the channels and groups in them', async () => {
    const { about, lines } = await diagnose(world.env(bot.port));
    expect(about('Slack token')).toContain('in the organisation http');
    expect(about('Slack workspaces')).toBe('✓ Slack workspaces: Sandbox (T0SANDBOX1), Labs (T0LABS0002)');
    expect(about('Channel of led')).toBe('✓ Channel of led: labs, and the bot is in it.');
    expect(about('Policy of led')).toContain('✓');
    expect(lines.filter((line) => line.startsWith('✗') && line.includes('lack'))).toEqual([]);
  });

  it('explains that the app was not added to a workspace, and goes on once it is', async () => {
    const maria = as('maria');
    const run = await followRun(world, { crew: 'open', topic: 'chai', by: 'jon', channel: '#joint' });
    world.slack.admin.setAccess('Labs', 'revoked');
    // She decides in the channel that the other workspace shares, although the app isn't where she is at home.
    await as('aiko').click('Approve with note…', { in: run.card });
    await as('aiko').fill('Note for the crew', 'Fine.');
    await as('aiko').submit();
    await as('jon').seesChanged(run.root, 'Completed');
    await maria.globalShortcut('Start a crew');
    await maria.choose('Channel', 'labs');
    await maria.submit().catch(() => {});
    await maria.seesModal('Signoff isn’t allowed in this channel’s workspace');
    await maria.closeModal();
    const { about } = await diagnose(world.env(bot.port));
    expect(about('Channel of led')).toContain("can't see a channel called labs");
    expect(about('Channel of far')).toContain('is in a workspace that the app was not added to.');
    // A run that was started elsewhere waits for its channel.
    await askForInput('far');
    await expect.poll(() => notGranted().some(({ name }) => name === 'chat.postMessage')).toBe(true);
    world.slack.admin.setAccess('Labs', 'granted');
    await maria.sees('#labs', 'Started outside Slack', { withinMs: 20_000 });
  });

  it('explains it to the person who types the command there all the same', async () => {
    world.slack.admin.setAccess('Labs', 'revoked');
    const { signingSecret: secret } = world.slack;
    const who = { user_id: as('maria').id, team_id: LABS.id, channel_id: LABS.channel, trigger_id: 'late' };
    const body = new URLSearchParams({ command: '/kickoff', text: 'far topic=tea', ...who }).toString();
    const { text } = await askSlackServer({ port: bot.port, secret, body });
    expect(text).toContain('Signoff isn’t allowed in this workspace, so nothing was started.');
    world.slack.admin.setAccess('Labs', 'granted');
  });

  const notGranted = () => world.slack.calls().filter(({ error }) => error === 'team_access_not_granted');

  async function askForInput(crew: string): Promise<void> {
    const authentication = createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer');
    if (authentication.strategy !== 'bearer') throw new Error('no bearer token');
    const { status } = await fetch(`http://127.0.0.1:${bot.port}/webhooks/crews/${crew}/human-input`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${authentication.token}` },
      body: JSON.stringify({ kickoff_id: 'K9', execution_id: 'E9', task_id: 't1', task_output: 'From elsewhere' }),
    });
    expect(status).toBe(200);
  }
});
