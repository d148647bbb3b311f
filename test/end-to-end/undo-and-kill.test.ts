import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { followRun } from '../support/followed-run.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
/** A busy machine has to be faster than this. */
const UNDO = '5s';

describe.concurrent.each(['http', 'socket'] as const)(
  'bots killed before a decision is sent, Slack over %s',
  (slackMode) => {
    let world: World;

    beforeAll(async () => {
      const settings = { channel: 'releases', approval: { undo: UNDO } };
      world = await startWorld({
        slackMode,
        crews: [
          { name: 'undoable', settings },
          { name: 'other', settings },
        ],
      });
    });
    afterAll(() => world.stop());

    it('leave a decision to be sent once, and one that was undone unsent', async ({ expect }) => {
      const port = await freePort();
      const address = { PUBLIC_URL: `http://127.0.0.1:${port}` };
      const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
      const first = await world.startBotProcess({ port, env: address });
      const kept = await followRun(world, { crew: 'undoable', topic: 'kept', by: 'maria', channel: CHANNEL });
      const undone = await followRun(world, { crew: 'other', topic: 'undone', by: 'maria', channel: CHANNEL });
      await maria.click('Approve', { in: undone.card });
      await maria.click('Undo', { in: undone.card });
      await undone.shows('[Approve]');
      await jon.click('Approve', { in: kept.card });
      await first.kill();
      expect(await kept.toldSoFar()).toEqual([]);
      await Promise.all([world.startBotProcess({ port }), world.startBotProcess({ env: address })]);
      expect(await kept.told()).toEqual(['approved: Approved.']);
      await kept.shows('Jon Bell approved');
      expect(await undone.toldSoFar()).toEqual([]);
      expect(await undone.shows('[Approve]')).not.toContain('approved');
    });
  },
);
