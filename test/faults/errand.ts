import type { RunSummary } from '../../src/sandbox/crew-service/crew-sandbox.ts';
import { findPressable } from '../../src/sandbox/slack-workspace/driver/find-element.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { PersonProblemError } from '../../src/sandbox/slack-workspace/driver/person-problem-error.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import { isUnheard } from './evidence.ts';
import type { FaultWorld } from './fault-world.ts';
import { isUnconfirmed } from './judge.ts';
import type { Place } from './places.ts';

/** A verdict that Slack took without an error: the person has every reason to believe that it counts. */
export interface Acknowledged {
  verdict: 'approve' | 'reject';
  round: number;
  /** What the crew has to receive. */
  text: string;
  cardTs: string;
}

/** What two people want, and how they go about it. */
export interface Wish {
  /** Tells this errand from others at the same place. */
  topic: string;
  start: 'form' | 'command';
  /** How often a draft is sent back before it is approved. */
  rejections: number;
}

const NOT_RUNNING = /Maybe started|Not started/;
/** What a thread says where a request of the crew has not reached us. */
const TELLS_OF_LOSS = /Lost sight of|its request has not reached us|Maybe started|not confirmed|not delivered/;
/** A notification that is still on its way would have come by then. */
const LOST_AFTER_MS = 2_500;

/**
 * Maria starts a crew and Jon decides what it asks, as people do: they look at the screen, use what is offered there, try
 * again where Slack shows an error, and look into the crew's control panel before they send or start anything twice.
 */
export class Errand {
  readonly place: Place;
  readonly wish: Wish;
  readonly acknowledged: Acknowledged[] = [];
  /** The cards whose decision a person sent again, once for each time. */
  readonly sentAgain: string[] = [];
  /**
   * Whether the crew waits for an answer to what never reached us, or went on without a word of it ever reaching us, and
   * the thread says that much is unknown: then that is its end.
   */
  isStuck = false;
  #waitsUnheardSince: number | null = null;
  #seenRuns: readonly RunSummary[] = [];
  /** How many forms were taken: each has to lead to a thread. */
  formsTaken = 0;
  /** Everything that they did and what came of it. */
  readonly diary: string[] = [];
  readonly #world: FaultWorld;
  /** Once it has ended, its people have other things to do. */
  #isDone = false;
  /** What they did and have yet to see the outcome of; people don't click twice at once. */
  readonly #awaited = new Map<string, 'window' | 'news'>();
  /** What was done last of all that is not done twice at once. */
  #latest: string | null = null;

  constructor(world: FaultWorld, place: Place, wish: Wish) {
    this.#world = world;
    this.place = place;
    this.wish = wish;
  }

  /** Does the next thing that is to be done, if any; `done` when the thread tells how it ended. */
  async step(): Promise<'acted' | 'waits' | 'done'> {
    if (this.#isDone) return (await this.#isOver(await this.roots())) ? 'done' : 'waits';
    const { maria, jon } = this.place;
    const [asked, starting] = [await jon.modal(), await maria.modal()];
    if (asked) return this.#giveFeedback(asked);
    if (starting && starting.submitLabel !== undefined) return this.#sendForm();
    const roots = await this.roots();
    const [newest] = roots.slice(-1);
    if (!newest) return this.#begin(starting);
    if (starting) return this.#act(maria, `closes “${starting.title}”`, () => maria.closeModal());
    const card = (await this.#cards()).find((each) => offers(each, 'Approve') || offers(each, 'Send again'));
    if (card && offers(card, 'Approve')) return this.#decide(card);
    const isNotRunning = roots.every((root) => NOT_RUNNING.test(visibleText(root)));
    const outcome = isNotRunning ? await this.#startAgain(newest) : card ? await this.#sendAgain(card) : 'waits';
    if (outcome === 'acted') return outcome;
    const isOver = await this.#isOver(roots);
    // What was lost may turn up after all.
    this.#isDone = isOver && !this.isStuck;
    return isOver ? 'done' : 'waits';
  }

  /** No window opened, or no news came at all: people try again. */
  async loseHope(of: 'window' | 'news'): Promise<void> {
    const { maria } = this.place;
    const modal = await maria.modal();
    if (modal) await this.#act(maria, `closes “${modal.title}”`, () => maria.closeModal());
    for (const [what, awaited] of this.#awaited) if (awaited === of) this.#awaited.delete(what);
  }

  /** The first messages of its threads, oldest first: several where it was started more than once. */
  async roots(): Promise<Message[]> {
    const messages = await this.#messages();
    return messages.filter((each) => this.isRoot({ ...each, text: visibleText(each) }));
  }

  /** Whether a message is the first one of a thread about this errand. */
  readonly isRoot = ({ ts, threadTs, text }: { ts: string; threadTs?: string | undefined; text: string }): boolean =>
    (threadTs ?? ts) === ts && text.split('\n').includes(`*topic:* ${this.wish.topic}`);

  /** All that people see here. */
  async screen(): Promise<string> {
    return this.place.jon.screen();
  }

  async #messages(): Promise<Message[]> {
    const { messages } = await this.place.jon.snapshot();
    return (messages[this.place.channelId] ?? []).filter(({ ephemeral }) => !ephemeral);
  }

  async #cards(): Promise<Message[]> {
    const threads = new Set((await this.roots()).map(({ ts }) => ts));
    return (await this.#messages()).filter(
      ({ ts, threadTs }) => threadTs !== undefined && ts !== threadTs && threads.has(threadTs),
    );
  }

  async #begin(modal: OpenView | undefined): Promise<'acted' | 'waits'> {
    if (modal) return 'waits';
    const { maria, channel, crew } = this.place;
    const { start, topic } = this.wish;
    const words = start === 'form' ? crew : `${crew} topic=${topic}`;
    return this.#once(maria, `types /kickoff ${words}`, {
      awaits: start === 'form' ? 'window' : 'news',
      act: () => maria.command(channel, `/kickoff ${words}`),
    });
  }

  async #sendForm(): Promise<'acted'> {
    const { maria } = this.place;
    const isTaken = await this.#attempt(maria, 'sends the form', async () => {
      await maria.fill('topic', this.wish.topic);
      await maria.submit();
    });
    if (isTaken) this.formsTaken += 1;
    if (isTaken) this.#awaited.set(`types /kickoff ${this.place.crew}`, 'news');
    return 'acted';
  }

  async #decide(card: Message): Promise<'acted' | 'waits'> {
    const { jon } = this.place;
    const round = roundOf(card);
    if (round <= this.wish.rejections) {
      const act = () => jon.click('Reject…', { in: card, confirm: 'Reject anyway' });
      return this.#once(jon, `clicks Reject… in round ${round}`, { awaits: 'window', act });
    }
    const act = async () => {
      await jon.click('Approve', { in: card, confirm: 'Approve anyway' });
      this.#acknowledge({ verdict: 'approve', round, text: 'Approved.', cardTs: card.ts });
    };
    return this.#once(jon, `approves round ${round}`, { awaits: 'news', act });
  }

  #acknowledge(decision: Acknowledged): void {
    const isKnown = this.acknowledged.some(
      ({ round, cardTs }) => round === decision.round && cardTs === decision.cardTs,
    );
    if (!isKnown) this.acknowledged.push(decision);
  }

  async #giveFeedback(modal: OpenView): Promise<'acted'> {
    const { jon } = this.place;
    if (modal.submitLabel === undefined) {
      this.#believe();
      return this.#act(jon, `closes “${modal.title}”`, () => jon.closeModal());
    }
    const round = Number(/\(round (\d+)\)/.exec(modalText(modal))?.[1] ?? 0) - 1;
    const card = (await this.#cards()).findLast((each) => offers(each, 'Approve') && roundOf(each) === round);
    if (!card) return this.#act(jon, 'closes a window that came too late', () => jon.closeModal());
    const text = `More about ${this.wish.topic} after round ${round}`;
    const isTaken = await this.#attempt(jon, `rejects round ${round}`, async () => {
      await jon.fill('What should be better?', text);
      await jon.submit();
    });
    if (isTaken && (await jon.modal()) === undefined)
      this.#acknowledge({ verdict: 'reject', round, text, cardTs: card.ts });
    else if (isTaken) await jon.closeModal();
    return 'acted';
  }

  /** Only once the control panel shows that the crew doesn't have it. */
  async #sendAgain(card: Message): Promise<'acted' | 'waits'> {
    const { jon } = this.place;
    const round = roundOf(card);
    const [newest] = await this.runs();
    if (newest?.status !== 'waiting' || newest.reviews.some((review) => review.round === round)) return 'waits';
    const act = async () => {
      await jon.click('Send again', { in: card, confirm: 'Send again' });
      this.sentAgain.push(card.ts);
    };
    return this.#once(jon, `sends round ${round} again`, { awaits: 'news', act });
  }

  async #startAgain(root: Message): Promise<'acted' | 'waits'> {
    const { maria } = this.place;
    const isRunning = (await this.runs()).some(({ status }) => status !== 'failed');
    if (isRunning) return 'waits';
    const confirm = visibleText(root).includes('Maybe started') ? { confirm: 'Run again' } : {};
    const act = () => maria.click('Run again', { in: root, ...confirm });
    return this.#once(maria, `clicks Run again in ${root.ts}`, { awaits: 'window', act });
  }

  /** The crew's runs for this errand, as its control panel lists them, the newest first. */
  async runs(): Promise<readonly RunSummary[]> {
    try {
      const runs = await this.#world.crews.sandbox.runs();
      this.#seenRuns = runs.filter(({ crew, inputs }) => crew === this.place.crew && inputs.topic === this.wish.topic);
    } catch {
      // The crews keep their runs in the same Redis, which may be restarting: the panel stands still meanwhile.
    }
    return this.#seenRuns;
  }

  async #isOver(roots: Message[]): Promise<boolean> {
    this.isStuck = await this.#waitsUnheard(roots);
    if (this.isStuck) return true;
    const completed = roots.find((root) => visibleText(root).includes('Completed'));
    const replies = await this.#cards();
    return replies.some(
      (each) => each.threadTs === completed?.ts && visibleText(each).includes('Published: the article'),
    );
  }

  async #waitsUnheard(roots: Message[]): Promise<boolean> {
    const messages = [...roots, ...(await this.#cards())];
    const [newest] = await this.runs();
    const asksUnheard =
      newest?.status === 'waiting' &&
      messages.some((each) => TELLS_OF_LOSS.test(visibleText(each))) &&
      !messages.some((each) => offers(each, 'Approve'));
    const isLost = asksUnheard || (await this.#endedUnheard(messages));
    this.#waitsUnheardSince = isLost ? (this.#waitsUnheardSince ?? performance.now()) : null;
    return this.#waitsUnheardSince !== null && performance.now() - this.#waitsUnheardSince > LOST_AFTER_MS;
  }

  /** The crew went on with a decision that the thread calls unconfirmed, and no word of that ever reached us. */
  async #endedUnheard(messages: Message[]): Promise<boolean> {
    const [newest] = await this.runs();
    if (newest?.status !== 'completed' || !messages.some((each) => isUnconfirmed(visibleText(each)))) return false;
    return isUnheard(newest, await this.#world.crews.sandbox.webhooks());
  }

  /** Who was told that a click came too late waits until the card says so, too. */
  #believe(): void {
    if (this.#latest !== null) this.#awaited.set(this.#latest, 'news');
  }

  /** Not again while the outcome of the last time may still come. */
  async #once(
    who: Person,
    what: string,
    { awaits, act }: { awaits: 'window' | 'news'; act: () => Promise<unknown> },
  ): Promise<'acted' | 'waits'> {
    if (this.#awaited.has(what)) return 'waits';
    this.#latest = what;
    if (await this.#attempt(who, what, act)) this.#awaited.set(what, awaits);
    return 'acted';
  }

  async #act(who: Person, what: string, act: () => Promise<unknown>): Promise<'acted'> {
    await this.#attempt(who, what, act);
    return 'acted';
  }

  /** Whether Slack showed no error. */
  async #attempt(who: Person, what: string, act: () => Promise<unknown>): Promise<boolean> {
    const name = who === this.place.maria ? 'Maria' : 'Jon';
    try {
      await act();
      this.diary.push(`${name} ${what}`);
      return true;
    } catch (error) {
      const reason = error instanceof PersonProblemError ? error.problem.text : String(error).split('\n', 1)[0];
      this.diary.push(`${name} ${what}: ${reason}`);
      return false;
    }
  }
}

function offers(message: Message, label: string): boolean {
  return findPressable(message.blocks, label) !== undefined;
}

function roundOf(card: Message): number {
  return Number(/Round (\d+)/.exec(visibleText(card))?.[1] ?? 1);
}
