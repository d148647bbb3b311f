import { type Person, PersonProblemError } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { type CrewChannel, nameIn } from './crew-channels.ts';

/** Whether a person could act, or has to wait. */
export type Turn = 'acted' | 'waits';

/** What shows the outcome of an action. Until then, people don't repeat it. */
export type Awaited = 'modal' | 'update';

/** The actions of a scenario's people, their results, and what they wait for. */
export class UserActions {
  readonly actionLog: string[] = [];
  readonly #crewChannel: CrewChannel;
  readonly #awaited = new Map<string, Awaited>();

  constructor(crewChannel: CrewChannel) {
    this.#crewChannel = crewChannel;
  }

  /** Not while the outcome of the last time is awaited. */
  async once(
    who: Person,
    what: string,
    { awaits, act }: { awaits: Awaited; act: () => Promise<unknown> },
  ): Promise<Turn> {
    if (this.#awaited.has(what)) return 'waits';
    if (await this.attempt(who, what, act)) this.#awaited.set(what, awaits);
    return 'acted';
  }

  async act(who: Person, what: string, act: () => Promise<unknown>): Promise<'acted'> {
    await this.attempt(who, what, act);
    return 'acted';
  }

  /** Resolves to whether Slack showed no error. */
  async attempt(who: Person, what: string, act: () => Promise<unknown>): Promise<boolean> {
    const name = nameIn(this.#crewChannel, who);
    try {
      await act();
      this.actionLog.push(`${name} ${what}`);
      return true;
    } catch (error) {
      const reason = error instanceof PersonProblemError ? error.problem.text : String(error).split('\n', 1)[0];
      this.actionLog.push(`${name} ${what}: ${reason}`);
      return false;
    }
  }

  /** Waits for a visible update after this action. */
  awaitUpdateAfter(what: string): void {
    this.#awaited.set(what, 'update');
  }

  /** Nothing came, so these actions may be repeated. */
  stopAwaiting(of: Awaited): void {
    for (const [what, awaited] of this.#awaited) if (awaited === of) this.#awaited.delete(what);
  }
}
