// One person's Home tab while they may be looking at it. `HomePublisher` holds one for each such person.
import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../../core/ports.ts';
import type { Millis } from '../../../core/values/time.ts';
import { retryAfterMs, slackErrorName } from '../../api/errors.ts';
import { sendFirstAccepted } from '../../api/posts.ts';
import type { RateLimiter } from '../../api/rate-limiter.ts';
import type { FindHome } from './home.ts';

export interface HomeCalls {
  findHome: FindHome;
  /** Returns the Home that is shown while Redis doesn't answer. */
  noStoreView: (personId: string, metadata: string) => Promise<HomeView>;
  /** A person waits for an opening (`interactive`), but not for an update (`background`). */
  clients: { interactive: WebClient; background: WebClient };
  limiter: RateLimiter;
  /** Returns true if no process has published the person's Home within the time. Throws `StoreUnavailable`. */
  takeTurn: (personId: string, gapMs: Millis) => Promise<boolean>;
  /** Least time between two publications of a person's Home. */
  gapMs: Millis;
  log: Logger;
}

/** If Slack is too busy to open a Home, we try again within this time, or not at all. */
const MOST_RETRY_MS = 30_000;
/** An update that would have to wait longer is left out. A later one shows everything. */
const MOST_WAIT_MS = 4_000;

/** Publications come one after the other, and never too close. */
export class FollowedHome {
  readonly #personId: string;
  readonly #calls: HomeCalls;
  #metadata = '';
  /** The published Home. Null if we don't know it, or if it is a notice. */
  #lastView: { fingerprint: string; hash: string } | null = null;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(personId: string, calls: HomeCalls) {
    this.#personId = personId;
    this.#calls = calls;
  }

  /** Shows the Home as it is now. Changes that come before that are shown together with it. Never rejects. */
  show(metadata: string, change: (metadata: string) => string): Promise<void> {
    this.#metadata = change(this.#isWanted ? this.#metadata : metadata);
    this.#isWanted = true;
    return this.#inTurn(async () => {
      await this.#pause();
      if (!this.#isWanted) return;
      this.#isWanted = false;
      await this.#open();
    });
  }

  /** Shows changes if Slack's limits leave room for it. Never rejects. */
  update(): Promise<'current' | 'later' | 'taken-over'> {
    return this.#inTurn(() => this.#update().catch((error) => this.#failed(error)));
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => {});
    return next;
  }

  async #pause(): Promise<void> {
    const waitMs = this.#publishedAt + this.#calls.gapMs - performance.now();
    if (waitMs > 0) await delay(waitMs, null, { ref: false });
  }

  /** Finds the Home once it is this process's turn: before, another process may publish a newer one. */
  async #findViews(): Promise<{ fingerprint: string | null; views: readonly HomeView[] }> {
    const { findHome, noStoreView, takeTurn, gapMs } = this.#calls;
    const [personId, metadata] = [this.#personId, this.#metadata];
    try {
      while (!(await takeTurn(personId, gapMs))) await delay(gapMs / 10, null, { ref: false });
      const { fingerprint, views } = await findHome(personId, metadata);
      return { fingerprint, views: await views() };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { fingerprint: null, views: [await noStoreView(personId, metadata)] };
    }
  }

  async #open(): Promise<void> {
    const { clients, limiter, log } = this.#calls;
    const personId = this.#personId;
    try {
      await this.#publish(clients.interactive, { ...(await this.#findViews()), hash: null });
    } catch (error) {
      this.#lastView = null;
      log.warn({ by: personId, err: error }, 'could not show a person their Home');
      const waitMs = retryAfterMs(error);
      if (waitMs === null) return;
      await limiter.backOff(waitMs);
      if (waitMs <= MOST_RETRY_MS)
        void delay(waitMs, null, { ref: false }).then(() => this.show(this.#metadata, (same) => same));
    }
  }

  async #update(): Promise<'current' | 'later' | 'taken-over'> {
    const { findHome, clients, limiter, takeTurn, gapMs } = this.#calls;
    const { fingerprint, views: findViews } = await findHome(this.#personId, this.#metadata);
    if (fingerprint === this.#lastView?.fingerprint) return 'current';
    if (this.#isWanted || performance.now() < this.#publishedAt + gapMs) return 'later';
    const views = await findViews();
    if (!(await limiter.turn('status', MOST_WAIT_MS))) return 'later';
    // Another process may have published it just before.
    if (this.#isWanted || !(await takeTurn(this.#personId, gapMs))) {
      await limiter.leave();
      return 'later';
    }
    await this.#publish(clients.background, { fingerprint, views, hash: this.#lastView?.hash ?? null });
    return 'current';
  }

  /** `hash`: that of the view that the person sees, if only that may be replaced. Throws what the client throws. */
  async #publish(
    client: WebClient,
    { fingerprint, views, hash }: { fingerprint: string | null; views: readonly HomeView[]; hash: string | null },
  ): Promise<void> {
    const place = { user_id: this.#personId, ...(hash !== null && { hash }) };
    try {
      // https://docs.slack.dev/reference/methods/views.publish
      const { view } = await sendFirstAccepted(views, (variant) => client.views.publish({ ...place, view: variant }));
      this.#lastView = { fingerprint: fingerprint ?? '', hash: view?.hash ?? '' };
    } finally {
      this.#publishedAt = performance.now();
    }
  }

  async #failed(error: unknown): Promise<'later' | 'taken-over'> {
    if (error instanceof StoreUnavailable) return 'later';
    if (slackErrorName(error) === 'hash_conflict') return 'taken-over';
    const { limiter, log } = this.#calls;
    log.warn({ by: this.#personId, err: error }, 'could not update the Home of a person');
    const waitMs = retryAfterMs(error);
    if (waitMs !== null) await limiter.backOff(waitMs);
    return 'later';
  }
}
