import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Deeds, Turn } from './deeds.ts';
import type { Place } from './places.ts';
import type { Screen } from './screen.ts';

/** How Maria starts a crew. */
export class Starting {
  /** How many forms were taken: each has to lead to a thread. */
  formsTaken = 0;
  readonly #place: Place;
  readonly #screen: Screen;
  readonly #deeds: Deeds;
  readonly #wish: { topic: string; start: 'form' | 'command' };

  constructor(place: Place, screen: Screen, deeds: Deeds, wish: { topic: string; start: 'form' | 'command' }) {
    this.#place = place;
    this.#screen = screen;
    this.#deeds = deeds;
    this.#wish = wish;
  }

  async begin(modal: OpenView | undefined): Promise<Turn> {
    if (modal) return 'waits';
    const { maria, channel, crew } = this.#place;
    const { start, topic } = this.#wish;
    const words = start === 'form' ? crew : `${crew} topic=${topic}`;
    return this.#deeds.once(maria, `types /kickoff ${words}`, {
      awaits: start === 'form' ? 'window' : 'news',
      act: () => maria.command(channel, `/kickoff ${words}`),
    });
  }

  async sendForm(): Promise<'acted'> {
    const { maria, crew } = this.#place;
    const isTaken = await this.#deeds.attempt(maria, 'sends the form', async () => {
      await maria.fill('topic', this.#wish.topic);
      await maria.submit();
    });
    if (isTaken) this.formsTaken += 1;
    if (isTaken) this.#deeds.awaitNewsOf(`types /kickoff ${crew}`);
    return 'acted';
  }

  /** Only where the control panel shows no run. */
  async startAgain(root: Message): Promise<Turn> {
    const { maria } = this.#place;
    const isRunning = (await this.#screen.runs()).some(({ status }) => status !== 'failed');
    if (isRunning) return 'waits';
    const confirm = visibleText(root).includes('Maybe started') ? { confirm: 'Run again' } : {};
    const act = () => maria.click('Run again', { in: root, ...confirm });
    return this.#deeds.once(maria, `clicks Run again in ${root.ts}`, { awaits: 'window', act });
  }
}
