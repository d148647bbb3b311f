import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { isUnconfirmed } from './evidence.ts';
import { offers, type ScenarioView } from './scenario-view.ts';

/** What a thread says if a request of the crew has not arrived. */
const TELLS_OF_LOSS = /Status unknown|its request didn’t reach Signoff|not confirmed|not delivered|not sent/;
const CLOSED = /Nobody decided in time[\s\S]*(not told|the crew is still waiting)/;
/** By then, a notification on its way would have arrived. */
const LOST_AFTER_MS = 2_500;

/** Tells when a scenario is over. Where it was started more than once, each of its runs may get lost. */
export class Completion {
  /**
   * Whether a request of the crew, or everything after a decision, was lost for good, and the thread says so. The
   * scenario can't go any further then.
   */
  isStuck = false;
  readonly #view: ScenarioView;
  #lostSince: number | null = null;

  constructor(screen: ScenarioView) {
    this.#view = screen;
  }

  /** Whether the thread says how the run ended and shows the result. */
  async isOver(): Promise<boolean> {
    const roots = await this.#view.roots();
    const replies = await this.#view.replies();
    const closed = roots.filter((root) => isClosed(replies, root)).length;
    if (closed > 0) return this.#nobodyElseWaits(closed);
    this.isStuck = await this.#isLostForGood([...roots, ...replies]);
    if (this.isStuck) return true;
    const completed = roots.find((root) => visibleText(root).includes('Completed'));
    return replies.some(
      (each) => each.threadTs === completed?.ts && visibleText(each).includes('Published: the article'),
    );
  }

  /** Where it was started more than once, another run may still ask. */
  async #nobodyElseWaits(closed: number): Promise<boolean> {
    const waiting = (await this.#view.runs()).filter(({ status }) => status === 'waiting').length;
    return waiting > 0 && waiting <= closed;
  }

  async #isLostForGood(messages: Message[]): Promise<boolean> {
    const isLost = (await this.#asksUnheard(messages)) || (await this.#endedUnheard(messages));
    this.#lostSince = isLost ? (this.#lostSince ?? performance.now()) : null;
    return this.#lostSince !== null && performance.now() - this.#lostSince > LOST_AFTER_MS;
  }

  async #asksUnheard(messages: Message[]): Promise<boolean> {
    if (!messages.some((each) => TELLS_OF_LOSS.test(visibleText(each)))) return false;
    if (messages.some((each) => offers(each, 'Approve'))) return false;
    const newest = (await this.#view.runs()).find(({ status }) => status !== 'completed');
    return newest?.status === 'waiting';
  }

  /** The crew went on after a decision that the thread calls unconfirmed, and none of its notifications arrived. */
  async #endedUnheard(messages: Message[]): Promise<boolean> {
    if (!messages.some((each) => isUnconfirmed(visibleText(each)))) return false;
    const completed = (await this.#view.runs()).filter(({ status }) => status === 'completed');
    for (const run of completed) if (await this.#view.isUnheard(run)) return true;
    return false;
  }
}

/**
 * Whether nobody has decided a request in time, so that a thread goes no further. The first message says so, too: the time may
 * have run out before the bot that was killed could have posted a card.
 */
export function isClosed(replies: readonly Message[], root: Message): boolean {
  const thread = replies.filter(({ threadTs }) => threadTs === root.ts);
  return [root, ...thread].some((each) => CLOSED.test(visibleText(each)));
}
