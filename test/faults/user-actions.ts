import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { PersonProblemError } from '../../src/sandbox/slack-workspace/driver/person-problem-error.ts';
import type { CrewChannel } from './crew-channels.ts';

/** Whether somebody could act, or whether it is the others' turn. */
export type Turn = 'acted' | 'waits';

/** What they did and have yet to see the outcome of; people don't click twice at once. */
export type Awaited = 'modal' | 'update';

/** What people did and what came of it, and what they wait for. */
export class UserActions {
  readonly actionLog: string[] = [];
  readonly #crewChannel: CrewChannel;
  readonly #awaited = new Map<string, Awaited>();
  /** What was done last of all that is not done twice at once. */
  #latest: string | null = null;

  constructor(crewChannel: CrewChannel) {
    this.#crewChannel = crewChannel;
  }

  /** Not again while the outcome of the last time may still come. */
  async once(
    who: Person,
    what: string,
    { awaits, act }: { awaits: Awaited; act: () => Promise<unknown> },
  ): Promise<Turn> {
    if (this.#awaited.has(what)) return 'waits';
    this.#latest = what;
    if (await this.attempt(who, what, act)) this.#awaited.set(what, awaits);
    return 'acted';
  }

  async act(who: Person, what: string, act: () => Promise<unknown>): Promise<'acted'> {
    await this.attempt(who, what, act);
    return 'acted';
  }

  /** Whether Slack showed no error. */
  async attempt(who: Person, what: string, act: () => Promise<unknown>): Promise<boolean> {
    const name = who === this.#crewChannel.maria ? 'Maria' : 'Jon';
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

  /** This was done, and leads to news. */
  awaitUpdateAfter(what: string): void {
    this.#awaited.set(what, 'update');
  }

  /** Who was told that a click came too late waits until the card says so, too. */
  awaitUpdate(): void {
    if (this.#latest !== null) this.awaitUpdateAfter(this.#latest);
  }

  /** Nothing came: from now on all of it may be done again. */
  stopAwaiting(of: Awaited): void {
    for (const [what, awaited] of this.#awaited) if (awaited === of) this.#awaited.delete(what);
  }
}
