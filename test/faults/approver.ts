import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Action, Click } from './clicks.ts';
import type { CrewChannel, Who } from './crew-channels.ts';
import type { Move } from './moves.ts';
import { hasTimers, TIMERS_END_MS } from './policies.ts';
import { type NextMove, Progress } from './progress.ts';
import { offers, roundOf, type ScenarioView } from './scenario-view.ts';
import type { Turn, UserActions } from './user-actions.ts';

const ACTIONS = { Approve: 'approve', 'Withdraw my vote': 'withdraw', Undo: 'undo' } as const;

/** People answer the crew's requests, as its policy lets them: they reject some drafts and approve the next one. */
export class Approver {
  readonly clicks: Click[] = [];
  /** The cards whose decision a person sent again, once for each time. */
  readonly sentAgain: string[] = [];
  /** What windows said in place of taking a click, by the card that was clicked. */
  readonly answers: { by: string; cardTs: string; text: string }[] = [];
  readonly #crewChannel: CrewChannel;
  readonly #view: ScenarioView;
  readonly #actions: UserActions;
  readonly #topic: string;
  readonly #progress: Progress;
  readonly #latest = new Map<Who, NextMove>();
  readonly #firstSeenAt = new Map<string, number>();

  constructor(
    crewChannel: CrewChannel,
    screen: ScenarioView,
    actions: UserActions,
    { topic, rejections }: { topic: string; rejections: number },
  ) {
    this.#crewChannel = crewChannel;
    this.#view = screen;
    this.#actions = actions;
    this.#topic = topic;
    this.#progress = new Progress({ policy: crewChannel.policy, rejections });
  }

  /** Whether something is about to happen to a request by itself, in real time. */
  get awaitsTimer(): boolean {
    const seenAt = [...this.#firstSeenAt.values()].at(-1) ?? Number.NEGATIVE_INFINITY;
    return hasTimers(this.#crewChannel.policy) && performance.now() - seenAt < TIMERS_END_MS;
  }

  async decide(card: Message, replies: readonly Message[]): Promise<Turn> {
    if (!this.#firstSeenAt.has(card.ts)) this.#firstSeenAt.set(card.ts, performance.now());
    const round = roundOf(card);
    const canMake = (move: Move) =>
      offers(card, move.clicks) && (move.waitsFor === undefined || this.#isMentioned(move, card, replies));
    const move = this.#progress.next({ cardTs: card.ts, round, canMake });
    if (!move) return 'waits';
    this.#latest.set(move.who, move);
    return move.clicks === 'Reject…' ? this.#askForFeedback(card, move) : this.#click(card, move, ACTIONS[move.clicks]);
  }

  #isMentioned({ who }: Move, card: Message, replies: readonly Message[]): boolean {
    const { id } = this.#crewChannel[who];
    return replies.some(({ ts, notifies }) => Number(ts) > Number(card.ts) && notifies.includes(id));
  }

  async #click(card: Message, move: NextMove, action: Action): Promise<'acted'> {
    const who = this.#crewChannel[move.who];
    const what = `clicks ${move.clicks} in round ${roundOf(card)}`;
    const click = () => who.click(move.clicks, { in: card, confirm: 'Approve anyway' });
    const isTaken = await this.#actions.attempt(who, what, click);
    this.#note(move, { action, round: roundOf(card), outcome: isTaken ? 'acknowledged' : 'failed' });
    if (isTaken) this.#progress.made(move);
    return 'acted';
  }

  async #askForFeedback(card: Message, move: NextMove): Promise<Turn> {
    const who = this.#crewChannel[move.who];
    const act = async () => {
      this.#note(move, { action: 'reject', round: roundOf(card), outcome: 'asked' });
      await who.click('Reject…', { in: card, confirm: 'Reject anyway' });
    };
    const what = `clicks Reject… in round ${roundOf(card)}, move ${move.index + 1}`;
    return this.#actions.once(who, what, { awaits: 'modal', act });
  }

  /** Types feedback into the modal that a click opened, or reads it. */
  async answer(who: Who, modal: OpenView): Promise<'acted'> {
    const person = this.#crewChannel[who];
    const move = this.#latest.get(who);
    if (modal.submitLabel === undefined) {
      if (move) {
        this.answers.push({ by: person.id, cardTs: move.cardTs, text: modalText(modal) });
        this.#hear(move, modal);
      }
      return this.#actions.act(person, `closes “${modal.title}”`, () => person.closeModal());
    }
    const round = Number(/Round (\d+)/.exec(modalText(modal))?.[1] ?? 1);
    const replies = await this.#view.replies();
    const cards = replies.filter((each) => offers(each, 'Approve') && roundOf(each) === round);
    // Where the crew was started twice, another card may ask about the same round.
    const card = cards.find(({ ts }) => ts === move?.cardTs) ?? cards.at(-1);
    if (!card || !move)
      return this.#actions.act(person, 'closes a window that came too late', () => person.closeModal());
    const text = `More about ${this.#topic} after round ${round}, says ${who} (${move.index + 1})`;
    const isTaken = await this.#actions.attempt(person, `rejects round ${round}`, async () => {
      await person.fill('What should change?', text);
      await person.submit();
    });
    const made = { ...move, cardTs: card.ts };
    this.#note(made, { action: 'reject', round, outcome: isTaken ? 'acknowledged' : 'failed' });
    if (isTaken) this.#progress.made(made);
    return 'acted';
  }

  /** Somebody whose click changed nothing, and who is asked to, tries again. */
  #hear(move: NextMove, modal: OpenView): void {
    if (/try again/i.test(modalText(modal))) this.#progress.redo(move);
    else this.#progress.made(move);
  }

  #note({ who, cardTs }: NextMove, click: Pick<Click, 'action' | 'round' | 'outcome'>): void {
    this.clicks.push({ by: this.#crewChannel[who].id, cardTs, ...click });
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

  /** Nothing came of what they did. */
  stopWaiting(): void {
    this.#progress.stopWaiting();
  }
}
