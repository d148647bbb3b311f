import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { CrewChannel } from './crew-channels.ts';
import { offers, roundOf, type ScenarioView } from './scenario-view.ts';
import type { Turn, UserActions } from './user-actions.ts';

/** A verdict that Slack took without an error: the person has every reason to believe that it counts. */
export interface Acknowledged {
  verdict: 'approve' | 'reject';
  round: number;
  /** What the crew has to receive. */
  text: string;
  cardTs: string;
}

/** Jon answers the crew's requests: he rejects some drafts and approves the next one. */
export class Approver {
  readonly acknowledged: Acknowledged[] = [];
  /** The cards whose decision a person sent again, once for each time. */
  readonly sentAgain: string[] = [];
  readonly #crewChannel: CrewChannel;
  readonly #view: ScenarioView;
  readonly #actions: UserActions;
  readonly #plan: { topic: string; rejections: number };

  constructor(
    crewChannel: CrewChannel,
    screen: ScenarioView,
    actions: UserActions,
    plan: { topic: string; rejections: number },
  ) {
    this.#crewChannel = crewChannel;
    this.#view = screen;
    this.#actions = actions;
    this.#plan = plan;
  }

  async decide(card: Message): Promise<Turn> {
    const { jon } = this.#crewChannel;
    const round = roundOf(card);
    if (round <= this.#plan.rejections) {
      const act = () => jon.click('Reject…', { in: card, confirm: 'Reject anyway' });
      return this.#actions.once(jon, `clicks Reject… in round ${round}`, { awaits: 'modal', act });
    }
    const act = async () => {
      await jon.click('Approve', { in: card, confirm: 'Approve anyway' });
      this.#acknowledge({ verdict: 'approve', round, text: 'Approved.', cardTs: card.ts });
    };
    return this.#actions.once(jon, `approves round ${round}`, { awaits: 'update', act });
  }

  /** Types feedback into the modal that his click opened. */
  async giveFeedback(modal: OpenView): Promise<'acted'> {
    const { jon } = this.#crewChannel;
    if (modal.submitLabel === undefined) {
      this.#actions.awaitUpdate();
      return this.#actions.act(jon, `closes “${modal.title}”`, () => jon.closeModal());
    }
    const round = Number(/\(round (\d+)\)/.exec(modalText(modal))?.[1] ?? 0) - 1;
    const replies = await this.#view.replies();
    const card = replies.findLast((each) => offers(each, 'Approve') && roundOf(each) === round);
    if (!card) return this.#actions.act(jon, 'closes a window that came too late', () => jon.closeModal());
    const text = `More about ${this.#plan.topic} after round ${round}`;
    const isTaken = await this.#actions.attempt(jon, `rejects round ${round}`, async () => {
      await jon.fill('What should be better?', text);
      await jon.submit();
    });
    if (isTaken && (await jon.modal()) === undefined)
      this.#acknowledge({ verdict: 'reject', round, text, cardTs: card.ts });
    else if (isTaken) await jon.closeModal();
    return 'acted';
  }

  /** For a crew that waits while the thread has no card to decide. */
  async lookForCard(): Promise<Turn> {
    const { jon, channel } = this.#crewChannel;
    const act = () => jon.command(channel, '/kickoff status');
    return this.#actions.once(jon, 'asks where the open requests are', { awaits: 'update', act });
  }

  /** Only once the control panel shows that the crew doesn't have the decision. */
  async sendAgain(card: Message): Promise<Turn> {
    const { jon } = this.#crewChannel;
    const round = roundOf(card);
    const waiting = (await this.#view.runs()).find(({ status }) => status === 'waiting');
    if (!waiting || waiting.reviews.some((review) => review.round === round)) return 'waits';
    const act = async () => {
      await jon.click('Send again', { in: card, confirm: 'Send again' });
      this.sentAgain.push(card.ts);
    };
    return this.#actions.once(jon, `sends round ${round} again`, { awaits: 'update', act });
  }

  #acknowledge(decision: Acknowledged): void {
    const isKnown = this.acknowledged.some(
      ({ round, cardTs }) => round === decision.round && cardTs === decision.cardTs,
    );
    if (!isKnown) this.acknowledged.push(decision);
  }
}
