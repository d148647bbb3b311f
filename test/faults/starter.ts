import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, OpenView } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { CrewChannel } from './crew-channels.ts';
import type { ScenarioView } from './scenario-view.ts';
import type { Turn, UserActions } from './user-actions.ts';

const SHARE_LABEL = 'Shared channel';

/** Maria starts a crew. */
export class Starter {
  /** How many forms were accepted. Each has to lead to a thread. */
  formsTaken = 0;
  /** How many commands with all inputs Slack took without an error. */
  commandsTaken = 0;
  readonly #crewChannel: CrewChannel;
  readonly #view: ScenarioView;
  readonly #actions: UserActions;
  readonly #plan: { topic: string; start: 'form' | 'command' };

  constructor(
    crewChannel: CrewChannel,
    screen: ScenarioView,
    actions: UserActions,
    plan: { topic: string; start: 'form' | 'command' },
  ) {
    this.#crewChannel = crewChannel;
    this.#view = screen;
    this.#actions = actions;
    this.#plan = plan;
  }

  async begin(modal: OpenView | undefined): Promise<Turn> {
    if (modal) return 'waits';
    // The channel sees a run only once the crew has taken the start.
    if ((await this.#view.runs()).length > 0) return 'waits';
    const { maria, channel, crew } = this.#crewChannel;
    const { start, topic } = this.#plan;
    const words = start === 'form' ? crew : `${crew} topic=${topic}`;
    return this.#actions.once(maria, `types /kickoff ${words}`, {
      awaits: start === 'form' ? 'modal' : 'update',
      act: async () => {
        await maria.command(channel, `/kickoff ${words}`);
        if (start === 'command') this.commandsTaken += 1;
      },
    });
  }

  async sendForm(form: OpenView): Promise<'acted'> {
    const { maria, crew } = this.#crewChannel;
    const isTaken = await this.#actions.attempt(maria, 'sends the form', async () => {
      await maria.fill('topic', this.#plan.topic);
      // While Slack can't say whether others see the channel, the form asks.
      if (modalText(form).includes(SHARE_LABEL)) await maria.choose(SHARE_LABEL, 'Post this run here anyway');
      await maria.submit();
    });
    if (isTaken) this.formsTaken += 1;
    if (isTaken) this.#actions.awaitUpdateAfter(`types /kickoff ${crew}`);
    return 'acted';
  }

  /** Only if the control panel shows no run. */
  async startAgain(root: Message): Promise<Turn> {
    const { maria } = this.#crewChannel;
    const isRunning = (await this.#view.runs()).some(({ status }) => status !== 'failed');
    if (isRunning) return 'waits';
    const act = () => maria.click('Run again', { in: root });
    return this.#actions.once(maria, `clicks Run again in ${root.ts}`, { awaits: 'modal', act });
  }
}
