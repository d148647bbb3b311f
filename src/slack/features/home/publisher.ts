// Publishes the Homes of people when they open them, and refreshes them for some minutes when something changes.
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { PersonSettings, PersonSettingsStore } from '../../../core/inbox/person-settings.ts';
import type { Overview, Snapshot } from '../../../core/inbox/snapshot.ts';
import type { ChangeSubscriber } from '../../../core/ports.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { HomeTab } from '../../listening/context.ts';
import { FollowedHome, type HomeCalls } from './followed-home.ts';

interface PublisherPorts extends HomeCalls {
  overview: Pick<Overview, 'latest'>;
  /** May be some seconds old, because another process may have changed the settings. */
  settingsOf: PersonSettingsStore['find'];
  /** True while cards wait for their turn, which come before Homes. */
  areCardsWaiting: () => boolean;
  /** Resolves after other work. */
  yieldToOthers: () => Promise<void>;
}

interface PublisherTimes {
  /** Interval between comparisons of Homes with the latest snapshot. */
  everyMs: Millis;
  /** Interval for a while after this process has changed something. */
  hastyMs: Millis;
  /** Longest time without a comparison, because the rights of people also change in Slack. */
  atLeastMs: Millis;
  /** Time for which we follow a Home after it was last opened or used. */
  followMs: Millis;
}

const TIMES: PublisherTimes = { everyMs: 2_000, hastyMs: 250, atLeastMs: 10_000, followMs: 10 * 60_000 };

/** After this time, a change is certainly in the overview. */
const HASTE_MS = 3_000;
const MOST_FOLLOWED = 1_000;

interface Followed {
  home: FollowedHome;
  /** The last comparison. Null if the Home must be compared again. */
  compared: { snapshot: Snapshot; settings: PersonSettings; at: Millis } | null;
}

export class HomePublisher implements HomeTab, ChangeSubscriber {
  readonly #ports: PublisherPorts;
  readonly #times: PublisherTimes;
  readonly #followed: LRUCache<string, Followed>;
  #timer: { timeout: NodeJS.Timeout; at: number } | null = null;
  #isComparing = false;
  #isStopped = false;
  #hastyUntil = Number.NEGATIVE_INFINITY;

  constructor(ports: PublisherPorts, times: Partial<PublisherTimes> = {}) {
    this.#ports = ports;
    this.#times = { ...TIMES, ...times };
    this.#followed = new LRUCache({ max: MOST_FOLLOWED, ttl: this.#times.followMs });
  }

  show(personId: string, metadata: string, change = (same: string) => same): Promise<void> {
    const home = this.#followed.get(personId)?.home ?? new FollowedHome(personId, this.#ports);
    this.#followed.set(personId, { home, compared: null });
    this.#schedule();
    return home.show(metadata, change);
  }

  showAgain(personId: string): void {
    const followed = this.#followed.peek(personId);
    if (followed) followed.compared = null;
    this.#compareSoon();
  }

  /** Refreshes Homes soon after this process has stored a change. */
  onStored(): void {
    if (this.#followed.size > 0) this.#compareSoon();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer?.timeout);
  }

  /** Brings the next comparison forward. Later changes don't delay it. */
  #compareSoon(): void {
    const now = performance.now();
    this.#hastyUntil = now + HASTE_MS;
    if (this.#timer === null || this.#timer.at <= now + this.#times.hastyMs) return;
    clearTimeout(this.#timer.timeout);
    this.#timer = null;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopped || this.#timer || this.#isComparing || this.#followed.size === 0) return;
    const { everyMs, hastyMs } = this.#times;
    const now = performance.now();
    const waitMs = now < this.#hastyUntil ? hastyMs : everyMs;
    this.#timer = { timeout: setTimeout(() => void this.#compareAll(), waitMs).unref(), at: now + waitMs };
  }

  async #compareAll(): Promise<void> {
    this.#timer = null;
    this.#isComparing = true;
    this.#followed.purgeStale();
    try {
      await this.#compareWith(await this.#ports.overview.latest());
    } catch (error) {
      this.#ports.log.debug({ err: error }, 'could not compare Homes with what there is; trying again');
    } finally {
      this.#isComparing = false;
      this.#schedule();
    }
  }

  /** Publishes the Homes that have changed. People who opened their Home last come first. */
  async #compareWith(snapshot: Snapshot): Promise<void> {
    for (const [personId, followed] of [...this.#followed.entries()]) {
      const settings = await this.#ports.settingsOf(personId);
      const { compared } = followed;
      const isRecent = compared !== null && performance.now() - compared.at < this.#times.atLeastMs;
      const isSame = compared?.snapshot === snapshot && isDeepStrictEqual(compared.settings, settings);
      if (isRecent && isSame) continue;
      await this.#ports.yieldToOthers();
      if (this.#isStopped || this.#ports.areCardsWaiting()) return;
      const at = performance.now();
      const outcome = await followed.home.update();
      if (outcome === 'current') followed.compared = { snapshot, settings, at };
      if (outcome === 'taken-over' && this.#followed.peek(personId) === followed) this.#followed.delete(personId);
    }
  }
}
