import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Deeds, Turn } from './deeds.ts';
import type { Place } from './places.ts';
import { offers, roundOf, type Screen } from './screen.ts';

/** A verdict that Slack took without an error: the person has every reason to believe that it counts. */
export interface Acknowledged {
  verdict: 'approve' | 'reject';
  round: number;
  /** What the crew has to receive. */
  text: string;
  cardTs: string;
}

/** How Jon decides what the crew asks: some drafts are sent back, the one after them is approved. */
export class Deciding {
  readonly acknowledged: Acknowledged[] = [];
  /** The cards whose decision a person sent again, once for each time. */
  readonly sentAgain: string[] = [];
  readonly #place: Place;
  readonly #screen: Screen;
  readonly #deeds: Deeds;
  readonly #wish: { topic: string; rejections: number };

  constructor(place: Place, screen: Screen, deeds: Deeds, wish: { topic: string; rejections: number }) {
    this.#place = place;
    this.#screen = screen;
    this.#deeds = deeds;
    this.#wish = wish;
  }

  async decide(card: Message): Promise<Turn> {
    const { jon } = this.#place;
    const round = roundOf(card);
    if (round <= this.#wish.rejections) {
      const act = () => jon.click('Reject…', { in: card, confirm: 'Reject anyway' });
      return this.#deeds.once(jon, `clicks Reject… in round ${round}`, { awaits: 'window', act });
    }
    const act = async () => {
      await jon.click('Approve', { in: card, confirm: 'Approve anyway' });
      this.#acknowledge({ verdict: 'approve', round, text: 'Approved.', cardTs: card.ts });
    };
    return this.#deeds.once(jon, `approves round ${round}`, { awaits: 'news', act });
  }

  /** Says in the window that a click opened what should be better. */
  async giveFeedback(modal: OpenView): Promise<'acted'> {
    const { jon } = this.#place;
    if (modal.submitLabel === undefined) {
      this.#deeds.believe();
      return this.#deeds.act(jon, `closes “${modal.title}”`, () => jon.closeModal());
    }
    const round = Number(/\(round (\d+)\)/.exec(modalText(modal))?.[1] ?? 0) - 1;
    const replies = await this.#screen.replies();
    const card = replies.findLast((each) => offers(each, 'Approve') && roundOf(each) === round);
    if (!card) return this.#deeds.act(jon, 'closes a window that came too late', () => jon.closeModal());
    const text = `More about ${this.#wish.topic} after round ${round}`;
    const isTaken = await this.#deeds.attempt(jon, `rejects round ${round}`, async () => {
      await jon.fill('What should be better?', text);
      await jon.submit();
    });
    if (isTaken && (await jon.modal()) === undefined)
      this.#acknowledge({ verdict: 'reject', round, text, cardTs: card.ts });
    else if (isTaken) await jon.closeModal();
    return 'acted';
  }

  /** The crew waits, and nothing in the thread can be decided. */
  async lookForCard(): Promise<Turn> {
    const { jon, channel } = this.#place;
    const act = () => jon.command(channel, '/kickoff status');
    return this.#deeds.once(jon, 'asks where the open requests are', { awaits: 'news', act });
  }

  /** Only once the control panel shows that the crew doesn't have it. */
  async sendAgain(card: Message): Promise<Turn> {
    const { jon } = this.#place;
    const round = roundOf(card);
    const waiting = (await this.#screen.runs()).find(({ status }) => status === 'waiting');
    if (!waiting || waiting.reviews.some((review) => review.round === round)) return 'waits';
    const act = async () => {
      await jon.click('Send again', { in: card, confirm: 'Send again' });
      this.sentAgain.push(card.ts);
    };
    return this.#deeds.once(jon, `sends round ${round} again`, { awaits: 'news', act });
  }

  #acknowledge(decision: Acknowledged): void {
    const isKnown = this.acknowledged.some(
      ({ round, cardTs }) => round === decision.round && cardTs === decision.cardTs,
    );
    if (!isKnown) this.acknowledged.push(decision);
  }
}
