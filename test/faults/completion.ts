import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { isUnconfirmed } from './evidence.ts';
import { offers, type ScenarioView } from './scenario-view.ts';

/** What a thread says where a request of the crew has not reached us. */
const TELLS_OF_LOSS = /Lost sight of|its request has not reached us|Maybe started|not confirmed|not delivered/;
/** A notification that is still on its way would have come by then. */
const LOST_AFTER_MS = 2_500;

/** When people awaitUpdate that an scenario is over. */
export class Completion {
  /**
   * Whether the crew waits for an answer to what never reached us, or went on without a word of it ever reaching us, and
   * the thread says that much is unknown: then that is its end.
   */
  isStuck = false;
  readonly #view: ScenarioView;
  #lostSince: number | null = null;

  constructor(screen: ScenarioView) {
    this.#view = screen;
  }

  /** Whether the thread says how it ended, and shows the result. */
  async isOver(): Promise<boolean> {
    const roots = await this.#view.roots();
    const replies = await this.#view.replies();
    this.isStuck = await this.#isLostForGood([...roots, ...replies]);
    if (this.isStuck) return true;
    const completed = roots.find((root) => visibleText(root).includes('Completed'));
    return replies.some(
      (each) => each.threadTs === completed?.ts && visibleText(each).includes('Published: the article'),
    );
  }

  async #isLostForGood(messages: Message[]): Promise<boolean> {
    const isLost = (await this.#asksUnheard(messages)) || (await this.#endedUnheard(messages));
    this.#lostSince = isLost ? (this.#lostSince ?? performance.now()) : null;
    return this.#lostSince !== null && performance.now() - this.#lostSince > LOST_AFTER_MS;
  }

  async #asksUnheard(messages: Message[]): Promise<boolean> {
    const [newest] = await this.#view.runs();
    return (
      newest?.status === 'waiting' &&
      messages.some((each) => TELLS_OF_LOSS.test(visibleText(each))) &&
      !messages.some((each) => offers(each, 'Approve'))
    );
  }

  /** The crew went on with a decision that the thread calls unconfirmed, and no word of that ever reached us. */
  async #endedUnheard(messages: Message[]): Promise<boolean> {
    const [newest] = await this.#view.runs();
    if (newest?.status !== 'completed' || !messages.some((each) => isUnconfirmed(visibleText(each)))) return false;
    return this.#view.isUnheard(newest);
  }
}
