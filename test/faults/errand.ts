import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type Acknowledged, Deciding } from './deciding.ts';
import { type Awaited, Deeds, type Turn } from './deeds.ts';
import { Ending } from './ending.ts';
import type { FaultWorld } from './fault-world.ts';
import type { Place } from './places.ts';
import { offers, Screen } from './screen.ts';
import { Starting } from './starting.ts';

/** What two people want, and how they go about it. */
export interface Wish {
  /** Tells this errand from others at the same place. */
  topic: string;
  start: 'form' | 'command';
  /** How often a draft is sent back before it is approved. */
  rejections: number;
}

const NOT_RUNNING = /Maybe started|Not started/;
const LEADS_TO_CARD = /✋ .*Open the approval/;
const HAS_ENDED = /Completed|Not started/;

/**
 * Maria starts a crew and Jon decides what it asks, as people do: they look at the screen, use what is offered there, try
 * again where Slack shows an error, and look into the crew's control panel before they send or start anything twice.
 */
export class Errand {
  readonly place: Place;
  readonly wish: Wish;
  readonly #screen: Screen;
  readonly #deeds: Deeds;
  readonly #starting: Starting;
  readonly #deciding: Deciding;
  readonly #ending: Ending;
  #isDone = false;

  constructor(world: FaultWorld, place: Place, wish: Wish) {
    this.place = place;
    this.wish = wish;
    this.#screen = new Screen(world, place, wish.topic);
    this.#deeds = new Deeds(place);
    this.#starting = new Starting(place, this.#screen, this.#deeds, wish);
    this.#deciding = new Deciding(place, this.#screen, this.#deeds, wish);
    this.#ending = new Ending(this.#screen);
  }

  get acknowledged(): readonly Acknowledged[] {
    return this.#deciding.acknowledged;
  }

  /** The cards whose decision a person sent again, once for each time. */
  get sentAgain(): readonly string[] {
    return this.#deciding.sentAgain;
  }

  /** How many forms were taken: each has to lead to a thread. */
  get formsTaken(): number {
    return this.#starting.formsTaken;
  }

  /** Whether it ended with something that nobody could tell us. */
  get isStuck(): boolean {
    return this.#ending.isStuck;
  }

  /** Whether its people have time for another one: what was lost may turn up after all, and a second start may still ask. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Everything that they did and what came of it. */
  get diary(): readonly string[] {
    return this.#deeds.diary;
  }

  /** Whether a message is the first one of a thread about this errand. */
  get isRoot(): Screen['isRoot'] {
    return this.#screen.isRoot;
  }

  /** All that people see here. */
  async screen(): Promise<string> {
    return this.place.jon.screen();
  }

  /** Does the next thing that is to be done, if any; `done` when the thread tells how it ended. */
  async step(): Promise<Turn | 'done'> {
    if (this.#isDone) return (await this.#ending.isOver()) ? 'done' : 'waits';
    const { maria, jon } = this.place;
    const [asked, starting] = [await jon.modal(), await maria.modal()];
    if (asked) return this.#deciding.giveFeedback(asked);
    if (starting && starting.submitLabel !== undefined) return this.#starting.sendForm();
    const roots = await this.#screen.roots();
    const [newest] = roots.slice(-1);
    if (!newest) return this.#starting.begin(starting);
    if (starting) return this.#deeds.act(maria, `closes “${starting.title}”`, () => maria.closeModal());
    const replies = await this.#screen.replies();
    const card = replies.find((each) => offers(each, 'Approve') || offers(each, 'Send again'));
    if (card && offers(card, 'Approve')) return this.#deciding.decide(card);
    const isNotRunning = roots.every((root) => NOT_RUNNING.test(visibleText(root)));
    const outcome = isNotRunning
      ? await this.#starting.startAgain(newest)
      : card
        ? await this.#deciding.sendAgain(card)
        : 'waits';
    if (outcome === 'acted') return outcome;
    const isMissing = !card && roots.some((root) => LEADS_TO_CARD.test(visibleText(root)));
    if (isMissing && (await this.#deciding.lookForCard()) === 'acted') return 'acted';
    const isOver = await this.#ending.isOver();
    this.#isDone = isOver && !this.isStuck && roots.every((root) => HAS_ENDED.test(visibleText(root)));
    return isOver ? 'done' : 'waits';
  }

  /** No window opened, or no news came at all: people try again. */
  async loseHope(of: Awaited): Promise<void> {
    const { maria } = this.place;
    const modal = await maria.modal();
    if (modal) await this.#deeds.act(maria, `closes “${modal.title}”`, () => maria.closeModal());
    this.#deeds.loseHope(of);
  }
}
