import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { SeedMember } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { startedFrom } from '../support/started-from.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
/** The people of Slack's release managers are Maria and Aiko. */
const LEADS = '@release-managers';

let world: World;

beforeAll(async () => {
  world = await startWorld({
    seed: (seed) => ({ ...seed, members: seed.members.map(withLocale) }),
    crews: [
      {
        name: 'guarded',
        settings: { starters: [LEADS, 'UGUEST005'], approval: { approvers: [LEADS], quorum: 2, self_approval: false } },
      },
      { name: 'quick', tasks: [{ name: 'only', output: 'Done.' }], settings: { starters: [LEADS] } },
      { name: 'in-channel', settings: { starters: ['channel'] } },
      { name: 'own-token', settings: { starters: ['UJON00002'], require_user_token: true } },
      { name: 'german', settings: { language: 'de', starters: [LEADS] } },
    ],
  });
  await world.startBot();
});
afterAll(() => world.stop());

const withLocale = (member: SeedMember) => (member.name === 'aiko' ? { ...member, locale: 'de-DE' } : member);

const startsOf = async (crew: string) => (await world.crews.sandbox.runs()).filter((run) => run.crew === crew).length;

it('A start that the rules forbid is refused privately, with who can start the crew', async () => {
  const jon = world.slack.as('jon');
  await jon.command(CHANNEL, '/kickoff guarded topic=tea');
  const { text } = await privateAnswerTo(jon, CHANNEL, 'You aren’t allowed to start *guarded*');
  expect(text).toContain(`Anyone in ${LEADS} or <@UGUEST005> can start it.`);
  expect(await startsOf('guarded')).toBe(0);
});

it('A person is offered only crews that they may start, and refused the others by name', async () => {
  const jon = world.slack.as('jon');
  await jon.command(CHANNEL, '/kickoff');
  const form = modalText(await jon.seesModal('topic'));
  expect(form).toContain('in-channel');
  expect(form).not.toContain('guarded');
  await jon.fill('topic', 'coffee');
  await jon.submit();
  await startedFrom(jon);
});

it('A guest can start a crew that names them, and no other', async () => {
  const gina = world.slack.as('gina');
  await gina.command(CHANNEL, '/kickoff in-channel topic=tea');
  await privateAnswerTo(gina, CHANNEL, 'You’re a guest in this workspace, and guests can’t start *in-channel*.');
  await gina.command(CHANNEL, '/kickoff guarded topic=tea');
  await expect.poll(() => startsOf('guarded')).toBe(1);
});

it('A person without a token of their own is asked to connect one', async () => {
  const jon = world.slack.as('jon');
  await jon.command(CHANNEL, '/kickoff own-token topic=tea');
  await privateAnswerTo(jon, CHANNEL, '/kickoff connect own-token');
  expect(await startsOf('own-token')).toBe(0);
});

it('A person can’t run again what they may not start', async () => {
  const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
  await maria.command(CHANNEL, '/kickoff quick topic=water');
  await jon.click('Run again', { in: await jon.sees(CHANNEL, /quick.*Completed/) });
  await jon.seesModal('You aren’t allowed to start *quick*');
  expect(await startsOf('quick')).toBe(1);
  await jon.closeModal();
});

it('“/kickoff who” says for a crew and for a channel who can decide', async () => {
  const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
  await jon.command(CHANNEL, '/kickoff who guarded');
  const { text, in: answer } = await privateAnswerTo(jon, CHANNEL, '*Starting guarded*');
  expect(text).toContain('🚫 You aren’t allowed to start *guarded*.');
  // Screen readers get no more than the top-level text.
  expect(answer).toMatchObject({ text: expect.stringContaining(`Two people of ${LEADS} have to approve`) });
  expect(text).toContain(`Two people of ${LEADS} have to approve; one rejection decides at once.`);
  expect(text).not.toMatch(/Guests|added as approvers|unless you started/);
  await maria.sees(CHANNEL, 'Approval needed');
  await jon.command(CHANNEL, '/kickoff who');
  const waiting = await privateAnswerTo(jon, CHANNEL, '🚫 You aren’t allowed to decide this.');
  expect(waiting.in).toMatchObject({ text: expect.stringContaining('You aren’t allowed to decide this.') });
  expect(waiting.text).not.toContain('one rejection decides at once.');
  expect(text + waiting.text).not.toContain('crews.yml');
});

it('Nothing is started while Slack can’t tell who somebody is', async () => {
  const starts = await startsOf('guarded');
  const effect = { kind: 'status', status: 500 } as const;
  // Slack is asked for her language, too.
  world.slack.faults.add({ method: 'users.info', where: { user: 'UPRIYA004' }, effect, times: 2 });
  const priya = world.slack.as('priya');
  await priya.command('#general', '/kickoff guarded topic=tea');
  await privateAnswerTo(priya, '#general', 'Slack can’t tell right now who you are');
  expect(await startsOf('guarded')).toBe(starts);
});

it('A person is answered in their own language, and a thread is in that of its crew', async () => {
  const aiko = world.slack.as('aiko');
  await aiko.command(CHANNEL, '/kickoff guarded');
  await aiko.seesModal('Crew starten');
  await aiko.fill('topic', 'tea');
  await aiko.submit();
  const card = await aiko.sees(CHANNEL, 'not Aiko Tanaka, who started the run');
  const root = await aiko.sees(CHANNEL, /guarded: Waiting for approval(.|\n)*Started by Aiko/);
  await aiko.click('Approve', { in: card });
  await privateAnswerTo(aiko, CHANNEL, 'Freigeben geht nicht');
  await aiko.closeModal();
  await aiko.click('Activity', { in: root });
  await aiko.seesModal('Aktivität');
  await aiko.closeModal();

  await aiko.command(CHANNEL, '/kickoff german topic=tea');
  const german = await aiko.sees(CHANNEL, 'german: Wartet auf Freigabe');
  await aiko.click('Aktivität', { in: german });
  await aiko.seesModal('Aktivität');
  await aiko.closeModal();
  await aiko.click('Verlauf', { in: german });
  await aiko.seesModal(/Verlauf(.|\n)*hat german gestartet/);
  await aiko.closeModal();
  await aiko.click('Referenz kopieren', { in: german });
  await aiko.seesModal('Kickoff-ID');
});

it('A shortcut offers what may be started in some channel, and asks again about the one that was chosen', async () => {
  const priya = world.slack.as('priya');
  await priya.globalShortcut('Start a crew');
  const choice = modalText(await priya.seesModal('in-channel'));
  expect(choice).not.toContain('guarded');
  await priya.choose('Channel', '#releases');
  await priya.submit();
  await priya.seesModal('You aren’t allowed to start *in-channel*');
  await priya.back();
  await priya.choose('Channel', '#general');
  await priya.submit();
  await priya.seesModal('topic');
  await priya.closeModal();
  const gina = world.slack.as('gina');
  await gina.globalShortcut('Start a crew');
  await gina.seesModal('*guarded*');
  await gina.closeModal();
});
