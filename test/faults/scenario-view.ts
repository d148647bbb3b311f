import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { findPressable } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { CrewChannel } from './crew-channels.ts';
import { isUnheard } from './evidence.ts';
import type { FaultWorld } from './fault-world.ts';

/** What people see of a scenario: its threads in Slack, and its runs in the crew's control panel. */
export class ScenarioView {
  readonly #world: FaultWorld;
  readonly #crewChannel: CrewChannel;
  readonly #topic: string;

  constructor(world: FaultWorld, crewChannel: CrewChannel, topic: string) {
    this.#world = world;
    this.#crewChannel = crewChannel;
    this.#topic = topic;
  }

  /** Whether a message is the root of a thread of this scenario. */
  readonly isRoot = ({ ts, threadTs, text }: { ts: string; threadTs?: string | undefined; text: string }): boolean =>
    (threadTs ?? ts) === ts && text.split(/\n| · /).includes(this.#topic);

  /** The first messages of its threads, oldest first: several where it was started more than once. */
  async roots(): Promise<Message[]> {
    const messages = await this.#messages();
    return messages.filter((each) => this.isRoot({ ...each, text: visibleText(each) }));
  }

  /** All other messages of its threads, oldest first. */
  async replies(): Promise<Message[]> {
    const threads = new Set((await this.roots()).map(({ ts }) => ts));
    return (await this.#messages()).filter(
      ({ ts, threadTs }) => threadTs !== undefined && ts !== threadTs && threads.has(threadTs),
    );
  }

  /** The crew's runs for this scenario, as its control panel lists them, the newest first. */
  async runs(): Promise<readonly RunSummary[]> {
    const runs = await this.#world.runs();
    return runs.filter(({ crew, inputs }) => crew === this.#crewChannel.crew && inputs.topic === this.#topic);
  }

  /** Whether no notification of this run was ever accepted. */
  async isUnheard(run: RunSummary): Promise<boolean> {
    return isUnheard(run, await this.#world.crews.sandbox.webhooks());
  }

  async #messages(): Promise<Message[]> {
    const { messages } = await this.#crewChannel.jon.snapshot();
    return (messages[this.#crewChannel.channelId] ?? []).filter(({ ephemeral }) => !ephemeral);
  }
}

export function offers(message: Message, label: string): boolean {
  return findPressable(message.blocks, label) !== undefined;
}

/** The round that a card asks about. */
export function roundOf(card: Message): number {
  return Number(/Round (\d+)/.exec(visibleText(card))?.[1] ?? 1);
}
