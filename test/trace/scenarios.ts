// What can be traced: each scenario is one thing that happens to the bot, divided into stages by events.
import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { CrewOfWorld, World } from '../support/world.ts';
import type { Beginning } from './traced-bot.ts';

/** One round of a scenario: nothing happens until it begins. */
export interface Round {
  from: Beginning;
  /** The event that ends each stage: a regular expression, see traced-bot.ts. */
  until: string[];
  /** Makes it begin, unless time alone does. */
  begin(): Promise<void>;
}

/** What a round is prepared with. */
export interface Started {
  world: World;
  /** The round's own. */
  number: number;
  /** The root message of the run. */
  root: Message;
  /** Resolves when the bot has done all that followed from earlier events. */
  untilQuiet: () => Promise<unknown>;
}

export interface Scenario {
  title: string;
  /** The names of the stages. */
  stages: string[];
  crew: CrewOfWorld;
  /** What the run of a round does. */
  tasksOf(number: number): Script;
  /** Plays what comes before, once the bot has asked for the status of the run the first time. */
  prepare(started: Started): Promise<Round>;
}

const FORM = 'application/x-www-form-urlencoded';

const CHANNEL = '#releases';

/** By then, what Slack answered to the updates after a card is stored: few people click sooner. */
const STORED_MS = 5_000;

const REMIND_AFTER_MS = 3_000;
/** Recording begins this long before the reminder falls due. */
const LEAD_MS = 100;

/** Keeps the crew silent after a decision: nobody opens its gate. */
const SILENT = { name: 'publish', hold: 'never', output: 'Published.' };

const DRAFT = { name: 'draft', humanInput: true, output: '# Draft {{round}}\n\nAbout tea.' };

/** What a run tells of postpones its next poll by half a minute. */
const RESEARCH = { name: 'research', output: 'Three sources were read.' };

export const SCENARIOS: Record<string, Scenario> = {
  click: {
    title: 'Jon clicks Approve',
    stages: ['click → ack', '→ crew', '→ card updated'],
    crew: crewOf('clicked'),
    tasksOf: () => [DRAFT, SILENT],
    async prepare({ world, root, untilQuiet }) {
      // The crew reports the approved task as ended, which is another event than the click.
      await world.crews.sandbox.addFault({ crew: 'clicked', webhook: 'task', effect: 'drop' });
      const card = await world.slack.as('jon').seesInThread(root, 'Approval needed');
      await pause(STORED_MS);
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
    crew: crewOf('heard'),
    tasksOf: (number) => [{ ...RESEARCH, hold: `heard ${number}` }, { ...DRAFT, hold: `draft ${number}` }, SILENT],
    async prepare({ world, number, untilQuiet }) {
      await world.crews.sandbox.openGate(`heard ${number}`);
      await untilQuiet();
      return {
        from: { event: '^received POST /webhooks/[^ ]*/human-input' },
        until: ['^answered POST /webhooks/[^ ]*/human-input [^ ]* 200', '^called POST [^ ]*/chat.postMessage .*Draft'],
        begin: () => world.crews.sandbox.openGate(`draft ${number}`),
      };
    },
  },
  due: {
    title: 'A reminder falls due',
    stages: ['due → posted'],
    crew: crewOf('reminded', { approvers: ['UJON00002'], remind_after: `${REMIND_AFTER_MS / 1_000}s` }),
    tasksOf: (number) => [{ ...DRAFT, hold: `reminded ${number}` }, SILENT],
    async prepare({ world, number, untilQuiet }) {
      const askedAt = Date.now();
      await world.crews.sandbox.openGate(`reminded ${number}`);
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
function crewOf(name: string, approval: NonNullable<CrewOfWorld['settings']> = {}): CrewOfWorld {
  return { name, settings: { channel: 'releases', approval } };
}

/** Starts the runs of all rounds, and waits until each has been polled: the first poll would otherwise fall into a round. */
export async function startRuns({ crew, tasksOf }: Scenario, world: World, rounds: number): Promise<Message[]> {
  const maria = world.slack.as('maria');
  const roots: Message[] = [];
  for (let number = 0; number < rounds; number += 1) {
    await world.crews.sandbox.setScript(crew.name, tasksOf(number));
    const topic = `${crew.name} leaf no. ${number}.`;
    await maria.command(CHANNEL, '/kickoff', `${crew.name} topic="${topic}"`);
    roots.push(await maria.sees(CHANNEL, topic));
  }
  const polled = async () => {
    const requests = await world.crews.sandbox.requests();
    return new Set(
      requests.filter((each) => each.crew === crew.name && each.route === 'status').map(({ path }) => path),
    );
  };
  await eventually(
    async () => ((await polled()).size === rounds ? true : undefined),
    async () => `the bot has polled only ${(await polled()).size} of ${rounds} runs`,
  );
  return roots;
}
