// What can be traced: each scenario is one thing that happens to the bot, divided into stages by events.
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { CrewOfWorld, World } from '../support/world.ts';
import type { Beginning } from './traced-bot.ts';

/** One round of a scenario, prepared: nothing happens until it begins, once the bot is done with what came before. */
export interface Round {
  from: Beginning;
  /** The event that ends each stage: a regular expression, see traced-bot.ts. */
  until: string[];
  /** Makes it begin, unless time alone does. */
  begin(): Promise<void>;
}

export interface Scenario {
  title: string;
  /** The names of the stages. */
  stages: string[];
  crew: CrewOfWorld;
  /**
   * Plays what comes before.
   * @param number the round's own
   * @param untilQuiet resolves when the bot has done all that followed from earlier events
   */
  prepare(world: World, number: number, untilQuiet: () => Promise<unknown>): Promise<Round>;
}

const FORM = 'application/x-www-form-urlencoded';

const CHANNEL = '#releases';

const REMIND_AFTER_MS = 3_000;
/** Recording begins this long before the reminder falls due. */
const LEAD_MS = 100;

/** Keeps the crew silent after a decision: nobody opens its gate. */
const SILENT = { name: 'publish', hold: 'never', output: 'Published.' };

const DRAFT = { name: 'draft', humanInput: true, output: '# Draft {{round}}\n\nAbout tea.' };

export const SCENARIOS: Record<string, Scenario> = {
  click: {
    title: 'Jon clicks Approve',
    stages: ['click → ack', '→ crew', '→ card updated'],
    crew: crewOf('clicked', [DRAFT, SILENT]),
    async prepare(world, number, untilQuiet) {
      // The crew reports the approved task as ended, which is another event than the click.
      await world.crews.sandbox.addFault({ crew: 'clicked', webhook: 'task', effect: 'drop' });
      const card = await world.slack.as('jon').seesInThread(await kickOff(world, 'clicked', number), 'Round 1');
      await untilQuiet();
      return {
        // Slack sends events of messages to the same address, as JSON.
        from: { event: `^received POST /slack/events ${FORM}` },
        until: [
          `^answered POST /slack/events ${FORM} 200`,
          '^called POST [^ ]*/resume ',
          `^called POST [^ ]*/chat.update .*${card.ts}`,
        ],
        begin: () => world.slack.as('jon').click('Approve', { in: card }),
      };
    },
  },
  webhook: {
    title: 'A crew asks for human input',
    stages: ['webhook → 200', '→ card posted'],
    crew: crewOf('heard', [{ ...DRAFT, hold: 'heard' }, SILENT]),
    async prepare(world, number, untilQuiet) {
      await world.crews.sandbox.shutGate('heard');
      await kickOff(world, 'heard', number);
      await untilQuiet();
      return {
        from: { event: '^received POST /webhooks/' },
        until: ['^answered POST /webhooks/[^ ]* [^ ]* 200', '^called POST [^ ]*/chat.postMessage .*Draft'],
        begin: () => world.crews.sandbox.openGate('heard'),
      };
    },
  },
  due: {
    title: 'A reminder falls due',
    stages: ['due → posted'],
    crew: crewOf('reminded', [{ ...DRAFT, hold: 'reminded' }, SILENT], {
      approvers: ['UJON00002'],
      remind_after: `${REMIND_AFTER_MS / 1_000}s`,
    }),
    async prepare(world, number, untilQuiet) {
      await world.crews.sandbox.shutGate('reminded');
      await kickOff(world, 'reminded', number);
      await untilQuiet();
      const askedAt = Date.now();
      await world.crews.sandbox.openGate('reminded');
      await untilQuiet();
      return {
        from: { at: askedAt + REMIND_AFTER_MS - LEAD_MS },
        until: ['^called POST [^ ]*/chat.postMessage .*waiting'],
        begin: async () => {},
      };
    },
  },
};

/** @param approval its policy, in the crews file. Default: everybody in the channel may decide */
function crewOf(name: string, tasks: Script, approval: NonNullable<CrewOfWorld['settings']> = {}): CrewOfWorld {
  return { name, tasks, settings: { channel: 'releases', approval } };
}

async function kickOff(world: World, crew: string, number: number): Promise<Message> {
  const maria = world.slack.as('maria');
  const topic = `${crew} leaf no. ${number}.`;
  await maria.command(CHANNEL, '/kickoff', `${crew} topic="${topic}"`);
  return maria.sees(CHANNEL, topic);
}
