// What can be traced: each scenario is one thing that happens to the bot, divided into stages by events.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../src/core/json.ts';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { World, WorldOptions } from '../support/world.ts';
import type { Beginning } from './traced-bot.ts';

interface Stage {
  name: string;
  /** The most files that a reader should have to enter up to its end. */
  budget: number | null;
}

/** One round of a scenario, prepared: what came before is over, and nothing happens until it begins. */
export interface Round {
  from: Beginning;
  /** The event that ends each stage: a regular expression, see traced-bot.ts. */
  until: string[];
  /** Makes it begin, unless time alone does. */
  begin(): Promise<void>;
}

export interface Scenario {
  title: string;
  stages: Stage[];
  world: WorldOptions;
  /** Plays what comes before. @param number the round's own */
  prepare(world: World, number: number): Promise<Round>;
}

const CREW = 'editorial';
const CHANNEL = '#releases';

/** After this, the bot has done all that followed from earlier events, at Slack's rates. */
const QUIET_MS = 3_000;

const REMIND_AFTER_MS = 5_000;
/** Recording begins this long before the reminder falls due. */
const LEAD_MS = 100;

/** Keeps the crew silent after a decision: nobody opens its gate. */
const SILENT = { name: 'publish', hold: 'never', output: 'Published.' };

const DRAFT = { name: 'draft', humanInput: true, output: '# Draft {{round}}\n\nAbout tea.' };

const HELD_DRAFT = { ...DRAFT, hold: 'draft' };

export const SCENARIOS: Record<string, Scenario> = {
  click: {
    title: 'Jon clicks Approve',
    stages: [
      { name: 'click → ack', budget: 30 },
      { name: '→ crew', budget: 50 },
      { name: '→ card updated', budget: 70 },
    ],
    world: crew({ tasks: [DRAFT, SILENT] }),
    async prepare(world, number) {
      // The crew reports the approved task as ended, which is another event than the click.
      await world.crews.sandbox.addFault({ webhook: 'task', effect: 'drop' });
      const card = await cardOf(world, await kickOff(world, number));
      await pause(QUIET_MS);
      return {
        from: { event: '^received POST /slack/events' },
        until: [
          '^answered POST /slack/events 200',
          '^called POST [^ ]*/resume ',
          `^called POST [^ ]*/chat.update .*${card.ts}`,
        ],
        begin: () => world.slack.as('jon').click('Approve', { in: card }),
      };
    },
  },
  webhook: {
    title: 'A crew asks for human input',
    stages: [
      { name: 'webhook → 200', budget: 30 },
      { name: '→ card posted', budget: 60 },
    ],
    world: crew({ tasks: [HELD_DRAFT, SILENT] }),
    async prepare(world, number) {
      await startHeld(world, number);
      return {
        from: { event: '^received POST /webhooks/' },
        until: ['^answered POST /webhooks/[^ ]* 200', '^called POST [^ ]*/chat.postMessage .*Draft'],
        begin: () => world.crews.sandbox.openGate('draft'),
      };
    },
  },
  due: {
    title: 'A reminder falls due',
    stages: [{ name: 'due → posted', budget: null }],
    world: crew({
      tasks: [HELD_DRAFT, SILENT],
      approval: { approvers: ['UJON00002'], remind_after: `${REMIND_AFTER_MS / 1_000}s` },
    }),
    async prepare(world, number) {
      await startHeld(world, number);
      const askedAt = Date.now();
      await world.crews.sandbox.openGate('draft');
      await pause(QUIET_MS);
      return {
        from: { at: askedAt + REMIND_AFTER_MS - LEAD_MS },
        until: ['^called POST [^ ]*/chat.postMessage .*waiting'],
        begin: async () => {},
      };
    },
  },
};

/** @param approval its policy, in the crews file. Default: everybody in the channel may decide */
function crew({ tasks, approval = {} }: { tasks: Script; approval?: Record<string, Json> }): WorldOptions {
  // A world with a single crew has no crews file.
  return { crews: [{ name: CREW, tasks, settings: { channel: 'releases', approval } }, { name: 'other' }] };
}

async function kickOff(world: World, number: number): Promise<Message> {
  const maria = world.slack.as('maria');
  await maria.command(CHANNEL, '/kickoff', `${CREW} topic="leaf no. ${number}."`);
  return maria.sees(CHANNEL, `leaf no. ${number}.`);
}

/** Starts a run that asks for human input as soon as the gate `draft` is opened. */
async function startHeld(world: World, number: number): Promise<void> {
  await world.crews.sandbox.shutGate('draft');
  await kickOff(world, number);
  await pause(QUIET_MS);
}

function cardOf(world: World, root: Message): Promise<Message> {
  return world.slack.as('jon').seesInThread(root, 'Round 1');
}
