import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../../core/ports.ts';
import type { Millis } from '../../../core/values/time.ts';
import { retryAfterMs, slackErrorName } from '../../api/errors.ts';
import { sendAccepted } from '../../api/posts.ts';
import type { RateLimiter } from '../../api/rate-limiter.ts';
import type { FindHome } from './home.ts';

export interface HomeCalls {
  findHome: FindHome;
  /** What is shown while nothing can be found out. */
  noStoreView: (personId: string, metadata: string) => Promise<HomeView>;
  /** For openings, which a person waits for, and for updates. */
  clients: { interactive: WebClient; background: WebClient };
  limiter: RateLimiter;
  /** Whether no process has published a person's Home within the time. Throws `StoreUnavailable`. */
  takeTurn: (personId: string, gapMs: Millis) => Promise<boolean>;
  /** The least time from one publication of a person's Home to the next. */
  gapMs: Millis;
  log: Logger;
}

/** An opening that Slack is too busy for is tried again if that is soon. */
const MOST_RETRY_MS = 30_000;
/** An update that would have to wait longer is left out: a later one shows all. */
const MOST_WAIT_MS = 4_000;

/** One person's Home while they may be looking at it: its publications come one after the other, and never too close. */
export class FollowedHome {
  readonly #personId: string;
  readonly #calls: HomeCalls;
  #metadata = '';
  /** What the person sees; null if it isn't known, or says nothing of what concerns them. */
  #shown: { fingerprint: string; hash: string } | null = null;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(personId: string, calls: HomeCalls) {
    this.#personId = personId;
    this.#calls = calls;
  }

  /** Shows it as it is now. What is asked for before that has happened is shown at once with it. Never rejects. */
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

  /** Shows what has changed, if Slack's limits leave room for it. Never rejects. */
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

  /** Another process may have published it just before. */
  async #waitForOthers(): Promise<void> {
    const { takeTurn, gapMs } = this.#calls;
    while (!(await takeTurn(this.#personId, gapMs))) await delay(gapMs / 10, null, { ref: false });
  }

  async #open(): Promise<void> {
    const { findHome, noStoreView, clients, limiter, log } = this.#calls;
    const [personId, metadata] = [this.#personId, this.#metadata];
    try {
      // What is found before its turn may be older than what another process shows meanwhile.
      const found = await this.#waitForOthers()
        .then(() => findHome(personId, metadata))
        .then(async ({ fingerprint, views }) => ({ fingerprint, views: await views() }))
        .catch(async (error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return { fingerprint: null, views: [await noStoreView(personId, metadata)] };
        });
      await this.#publish(clients.interactive, { ...found, hash: null });
    } catch (error) {
      this.#shown = null;
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
    const found = await findHome(this.#personId, this.#metadata);
    if (found.fingerprint === this.#shown?.fingerprint) return 'current';
    if (this.#isWanted || performance.now() < this.#publishedAt + gapMs) return 'later';
    const views = await found.views();
    if (!(await limiter.turn('status', MOST_WAIT_MS))) return 'later';
    // Another process may have published it just before.
    if (this.#isWanted || !(await takeTurn(this.#personId, gapMs))) {
      await limiter.leave();
      return 'later';
    }
    const { fingerprint } = found;
    await this.#publish(clients.background, { fingerprint, views, hash: this.#shown?.hash ?? null });
    return 'current';
  }

  /** @param hash that of what the person sees, if only that is to be replaced. Throws what the client throws. */
  async #publish(
    client: WebClient,
    { fingerprint, views, hash }: { fingerprint: string | null; views: readonly HomeView[]; hash: string | null },
  ): Promise<void> {
    const place = { user_id: this.#personId, ...(hash !== null && { hash }) };
    try {
      // https://docs.slack.dev/reference/methods/views.publish
      const { view } = await sendAccepted(views, (shown) => client.views.publish({ ...place, view: shown }));
      this.#shown = { fingerprint: fingerprint ?? '', hash: view?.hash ?? '' };
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
