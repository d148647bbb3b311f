import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/logging.ts';
import type { SeedMember } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { collectLog } from '../support/collected-log.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';

const inGerman = (member: SeedMember) => (member.name === 'aiko' ? { ...member, locale: 'de-DE' } : member);

/** What the app and Slack have told each other that names the usual command; `/kickoff/` is a part of an address. */
const namesUsualCommand = (world: World) =>
  world.slack.calls().filter((call) => /(?<![\w/])\/kickoff\b(?!\/)/.test(JSON.stringify(call)));

describe('A bot in Socket Mode whose command is /launch', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({
      slackMode: 'socket',
      command: '/launch',
      seed: (seed) => ({ ...seed, members: seed.members.map(inGerman) }),
      crews: [
        { name: 'editorial', settings: { channel: 'releases' } },
        { name: 'strict', settings: { channel: 'releases', require_user_token: true } },
      ],
    });
    await world.startBot();
  });
  afterAll(() => world.stop());

  it('does the main job, and nobody reads another name of it', async () => {
    const [maria, jon, aiko] = [world.slack.as('maria'), world.slack.as('jon'), world.slack.as('aiko')];

    await maria.command(CHANNEL, '/launch');
    await maria.fill('topic', 'tea');
    await maria.submit();
    const card = await jon.sees(CHANNEL, 'Approval needed');
    await jon.click('Approve', { in: card });
    await jon.seesChanged(card, 'approved');
    await maria.sees(CHANNEL, 'editorial: Completed');

    await maria.command(CHANNEL, '/launch help');
    await privateAnswerTo(maria, CHANNEL, '/launch status');
    await aiko.command(CHANNEL, '/launch help editorial');
    await privateAnswerTo(aiko, CHANNEL, '/launch editorial topic=');
    await aiko.command(CHANNEL, '/launch help');
    await privateAnswerTo(aiko, CHANNEL, '`/launch` öffnet ein Formular');
    await maria.command('#random', '/launch');
    await privateAnswerTo(maria, '#random', 'then `/launch` again');
    await aiko.command('#general', '/launch status');
    await privateAnswerTo(aiko, '#general', 'Starte eine Crew mit `/launch`.');
    await maria.command(CHANNEL, '/launch connect strict secret');
    await privateAnswerTo(maria, CHANNEL, '`/launch connect` opens a window');
    await maria.command(CHANNEL, '/launch who strict');
    await privateAnswerTo(maria, CHANNEL, '/launch connect strict');
    await aiko.command(CHANNEL, '/launch strict topic=tea');
    await privateAnswerTo(aiko, CHANNEL, '/launch connect strict');

    expect(namesUsualCommand(world)).toEqual([]);
    expect(world.slack.calls().flatMap(({ broken }) => broken)).toEqual([]);
  });
});

it('a bot whose app calls the command something else says so to its operator', async () => {
  const logged = collectLog();
  const world = await startWorld({ env: { COMMAND: '/launch' } });
  try {
    await world.startBot({ log: createLog({ level: 'info', readable: false, to: logged.to }) });
    const maria = world.slack.as('maria');
    await maria.command(CHANNEL, '/kickoff');
    await privateAnswerTo(maria, CHANNEL, 'Signoff doesn’t know this command. Try `/launch help`.');
    expect(logged.text()).toContain(
      '"command":"/kickoff","msg":"the app has a slash command that COMMAND doesn’t name"',
    );
  } finally {
    await world.stop();
  }
});
