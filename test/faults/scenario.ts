import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { Approver } from './approver.ts';
import { type Click, isAcknowledged } from './clicks.ts';
import { Completion, isClosed } from './completion.ts';
import type { CrewChannel, Who } from './crew-channels.ts';
import type { FaultWorld } from './fault-world.ts';
import { offers, ScenarioView } from './scenario-view.ts';
import { Starter } from './starter.ts';
import { type Awaited, type Turn, UserActions } from './user-actions.ts';

/** What the people of a scenario do. */
export interface Plan {
  /** Tells this scenario from others in the same channel. */
  topic: string;
  start: 'form' | 'command';
  /** How many drafts are rejected before one is approved. */
  rejections: number;
}

const DECIDERS: readonly Who[] = ['jon', 'ana', 'kim'];
const NOT_RUNNING = /Start not confirmed|Not started/;
const LEADS_TO_CARD = /✋ [\s\S]*Open the approval/;
const HAS_ENDED = /Completed|Not started/;
const DECIDABLE = ['Approve', 'Undo'];

/**
 * Maria starts a crew and others decide what it asks, as people do: they use what Slack shows, try again
 * after an error, and look into the crew's control panel before they send or start anything twice.
 */
export class Scenario {
  readonly crewChannel: CrewChannel;
  readonly plan: Plan;
  readonly beganAt = Date.now();
  readonly #view: ScenarioView;
  readonly #actions: UserActions;
  readonly #starter: Starter;
  readonly #approver: Approver;
  readonly #completion: Completion;
  #isDone = false;

  constructor(world: FaultWorld, crewChannel: CrewChannel, plan: Plan) {
    this.crewChannel = crewChannel;
    this.plan = plan;
    this.#view = new ScenarioView(world, crewChannel, plan.topic);
    this.#actions = new UserActions(crewChannel);
    this.#starter = new Starter(crewChannel, this.#view, this.#actions, plan);
    this.#approver = new Approver(crewChannel, this.#view, this.#actions, plan);
    this.#completion = new Completion(this.#view);
  }

  get clicks(): readonly Click[] {
    return this.#approver.clicks;
  }

  /** Whether somebody has every reason to believe that their verdict counts. */
  get hasDecided(): boolean {
    return this.clicks.some(isAcknowledged);
  }

  /** Whether something is about to happen by itself, in real time. */
  get awaitsTimer(): boolean {
    return !this.#isDone && this.#approver.awaitsTimer;
  }

  /** The cards whose decision a person sent again, once for each time. */
  get sentAgain(): readonly string[] {
    return this.#approver.sentAgain;
  }

  /** How many forms were accepted. Each has to lead to a thread. */
  get formsTaken(): number {
    return this.#starter.formsTaken;
  }

  /** How many starts Slack took without an error, by a form or by a command. */
  get startsTaken(): number {
    return this.#starter.formsTaken + this.#starter.commandsTaken;
  }

  /** What windows said in place of taking a click, by the card that was clicked. */
  get answers(): Approver['answers'] {
    return this.#approver.answers;
  }

  /** Whether it ended with an outcome that the bot can't know. */
  get isStuck(): boolean {
    return this.#completion.isStuck;
  }

  /** Whether it is over for good: a lost run may still turn up, and a second start may still ask. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Every action and its result. */
  get actionLog(): readonly string[] {
    return this.#actions.actionLog;
  }

  /** Whether a message is the root of a thread of this scenario. */
  get isRoot(): ScenarioView['isRoot'] {
    return this.#view.isRoot;
  }

  /** Everything that Jon sees. */
  async screen(): Promise<string> {
    return this.crewChannel.jon.screen();
  }

  /** Performs the next action, if any; `done` when the thread says how the run ended. */
  async step(): Promise<Turn | 'done'> {
    if (this.#isDone) return (await this.#completion.isOver()) ? 'done' : 'waits';
    for (const who of DECIDERS) {
      const asked = await this.crewChannel[who].modal();
      if (asked) return this.#approver.answer(who, asked);
    }
    const { maria } = this.crewChannel;
    const starting = await maria.modal();
    if (starting && starting.submitLabel !== undefined) return this.#starter.sendForm(starting);
    const roots = await this.#view.roots();
    const [newest] = roots.slice(-1);
    if (!newest) return this.#starter.begin(starting);
    if (starting) return this.#actions.act(maria, `closes “${starting.title}”`, () => maria.closeModal());
    const replies = await this.#view.replies();
    const open = replies.find((each) => DECIDABLE.some((label) => offers(each, label)));
    if (open && (await this.#approver.decide(open, replies)) === 'acted') return 'acted';
    if (open) return 'waits';
    const card = replies.find((each) => offers(each, 'Send again'));
    const isNotRunning = roots.every((root) => NOT_RUNNING.test(visibleText(root)));
    const outcome = isNotRunning
      ? await this.#starter.startAgain(newest)
      : card
        ? await this.#approver.sendAgain(card)
        : 'waits';
    if (outcome === 'acted') return outcome;
    const isMissing = !card && roots.some((root) => LEADS_TO_CARD.test(visibleText(root)));
    if (isMissing && (await this.#approver.lookForCard()) === 'acted') return 'acted';
    const isOver = await this.#completion.isOver();
    this.#isDone =
      isOver && !this.isStuck && roots.every((root) => HAS_ENDED.test(visibleText(root)) || isClosed(replies, root));
    return isOver ? 'done' : 'waits';
  }

  /** The modal or update didn't come, so people try again. */
  async stopAwaiting(of: Awaited): Promise<void> {
    const { maria } = this.crewChannel;
    const modal = await maria.modal();
    if (modal) await this.#actions.act(maria, `closes “${modal.title}”`, () => maria.closeModal());
    this.#actions.stopAwaiting(of);
    if (of === 'update') this.#approver.stopWaiting();
  }
}
