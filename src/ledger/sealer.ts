import type { Logger } from 'pino';
import type { Entry } from '../core/ledger/entry.ts';
import { TILE } from '../core/ledger/merkle-tree.ts';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { readChain } from '../redis/ledger/chain.ts';
import { enterRepeats } from '../redis/ledger/refusals.ts';
import { takeTurn } from '../redis/ledger/sealing.ts';
import {
  claimPost,
  keepPosted,
  movePrinted,
  placesOf,
  readPlaces,
  readPrinted,
  releasePost,
} from '../redis/ledger/tree.ts';
import { type Checkpoint, deriveSigners, parseCheckpoint, type Verifier } from './checkpoint.ts';
import { learnLedger, sealNew } from './seal.ts';
import { KnownLedger, UntrustedLedger } from './sealed-tree.ts';

// Runs beside the bot once a minute: seals new entries, then prints and posts what is sealed.

/** Posts a text to the operators. */
export type PostText = (text: string) => Promise<void>;

const EVERY_MS = 60_000;
/** A turn is taken for this share of the pause, so that a process's own last turn doesn't keep it from its next one. */
const TURN_SHARE = 0.75;

export const SEE = 'What to do is in docs/operations.md of Signoff, under *Alerts*.';

/** Troubles of the ledger, for operators. */
interface SealerState {
  /** True while this process seals nothing, because the ledger in Redis isn't what was sealed, or can't be read. */
  isStopped: boolean;
  /** Number of entries that no process could seal. */
  setAside: number;
}

interface SealerOptions {
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  auditLog: 'off' | 'stdout';
  /** Posts the latest checkpoint once a day, and troubles of the ledger; null to post nothing. */
  post: PostText | null;
  observe?: (state: SealerState) => void;
  everyMs?: Millis;
}

/**
 * Seals new entries once a minute, in one of the processes that share a Redis. With nothing new, that costs each process one
 * command a minute, and one of them two more, or up to four with printing and posting.
 */
export function startSealer(redis: RedisClient, log: Logger, options: SealerOptions) {
  const { secrets, auditDays, auditLog, post, observe = () => {}, everyMs = EVERY_MS } = options;
  const signers = deriveSigners(secrets);
  const ledger = new KnownLedger();
  const state: SealerState = { isStopped: false, setAside: 0 };
  let trouble = '';

  const tellSetAside = async (setAside: number) => {
    if (setAside > state.setAside) {
      log.error({ setAside }, 'some entries of the ledger can not be sealed, and were set aside');
      await tell(
        `:warning: *Audit* – ${setAside} entries of the ledger could not be sealed, and were set aside. ${SEE}`,
      );
    }
    state.setAside = setAside;
  };

  const tell = async (text: string) => {
    try {
      await post?.(text);
    } catch (error) {
      log.warn({ err: error }, 'could not post a trouble of the ledger');
    }
  };

  /** Reports each trouble once. */
  const stopFor = async (error: unknown) => {
    if (error instanceof StoreUnavailable) {
      log.warn({ err: error }, 'could not seal the ledger; trying again in a minute');
      return;
    }
    state.isStopped = true;
    const text = String(error);
    if (text === trouble) return;
    trouble = text;
    log.error({ err: error }, 'could not seal the ledger; trying again every minute');
    if (error instanceof UntrustedLedger)
      await tell(`:rotating_light: *Audit* – The ledger is no longer sealed. ${error.message} ${SEE}`);
  };

  const learn = async () => {
    await learnLedger(redis, { signers, auditDays, known: ledger }).catch(stopFor);
    observe(state);
  };

  /** A failure here must not keep the rest from being sealed. */
  const enterRefusals = async () => {
    try {
      await enterRepeats(redis, { auditDays, entryKeys: signers.map(({ entryKey }) => entryKey) });
    } catch (error) {
      log.warn({ err: error }, 'could not enter how often people were refused; trying again in a minute');
    }
  };

  /** Resolves to the time of the turn; null if this process hasn't sealed in it. */
  const seal = async (): Promise<Millis | null> => {
    try {
      const turn = await takeTurn(redis, Math.floor(everyMs * TURN_SHARE));
      if (!turn.isOurs) return null;
      await tellSetAside(turn.setAside);
      await enterRefusals();
      await sealNew(redis, { signers, auditDays, known: ledger }, turn);
      trouble = '';
      state.isStopped = false;
      return turn.now;
    } catch (error) {
      await stopFor(error);
      return null;
    } finally {
      observe(state);
    }
  };

  const publish = async (now: Millis) => {
    try {
      if (auditLog === 'stdout') await printSealed(redis, log);
      if (post) await postDaily(redis, log, { post, signers, now });
    } catch (error) {
      log.error({ err: error }, 'could not print or post what is sealed; trying again in a minute');
    }
  };

  const tick = async () => {
    const now = await seal();
    if (now !== null) await publish(now);
  };

  let sealing = learn();
  const timer = setInterval(() => {
    sealing = sealing.then(tick);
  }, everyMs).unref();

  return {
    /** Resolves when a seal in progress has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await sealing;
    },
  };
}

/**
 * Prints the sealed entries that haven't been printed yet, in the order of sealing: `{"entry":{…},"msg":"ledger entry"}` for
 * each, and then their checkpoint. After a crash, some entries are printed again; none is left out.
 * @throws {StoreUnavailable} @throws {UnreadableEntry} the rest is printed the next time
 */
export async function printSealed(redis: RedisClient, log: Logger): Promise<void> {
  // A collector gets all entries, whatever the log level.
  const audit = log.child({}, { level: 'info' });
  const { printed, size, checkpoint } = await readPrinted(redis);
  for (let from = printed; from < size; ) {
    const to = Math.min(size, from - (from % TILE) + TILE);
    for (const entry of await sealedEntries(redis, from, to)) audit.info({ entry }, 'ledger entry');
    if (to === size) audit.info({ checkpoint }, 'ledger checkpoint');
    // The log keeps its lines for a moment, so that a crash could lose some that count as printed.
    audit.flush();
    // Another process prints, too.
    if (!(await movePrinted(redis, { from, to }))) return;
    from = to;
  }
}

/** Returns the entries at these leaves of one tile, as far as they are still there. */
async function sealedEntries(redis: RedisClient, from: number, to: number): Promise<Entry[]> {
  const tile = Math.floor(from / TILE);
  const stored = await readPlaces(redis, tile);
  const places = stored === null ? [] : placesOf(stored.places).slice(from - tile * TILE, to - tile * TILE);
  const chains = new Map<string, Entry[]>();
  for (const { ref } of places) if (!chains.has(ref)) chains.set(ref, await readChain(redis, ref));
  return places.flatMap(({ ref, seq }) => chains.get(ref)?.[seq - 1] ?? []);
}

/**
 * Posts the latest checkpoint, once on each UTC day over all processes, and none twice. If that fails, the next call tries again.
 * A checkpoint that none of the keys has signed isn't posted. @throws {StoreUnavailable}
 */
async function postDaily(
  redis: RedisClient,
  log: Logger,
  { post, signers, now }: { post: PostText; signers: readonly Verifier[]; now: Millis },
): Promise<void> {
  const checkpoint = await claimPost(redis, now);
  const parsed = checkpoint && parseCheckpoint(checkpoint.note, signers);
  if (!parsed || parsed.signedBy.length === 0) return;
  try {
    await post(checkpointMessage(checkpoint.note, parsed));
  } catch (error) {
    log.warn({ err: error }, 'could not post the checkpoint of the ledger; trying again in a minute');
    return releasePost(redis);
  }
  await keepPosted(redis, checkpoint, now);
}

export function entriesInWords(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** Returns the post as mrkdwn: https://docs.slack.dev/messaging/formatting-message-text */
function checkpointMessage(note: string, { head: { size }, terms }: Checkpoint): string {
  const by = new Date(terms.time).toISOString().slice(0, 16).replace('T', ' ');
  return [
    `*Audit checkpoint* – ${entriesInWords(size)} sealed by ${by} UTC`,
    `\`\`\`\n${note}\`\`\``,
    'An export is checked against it with `npm run audit -- verify FILE --after CHECKPOINT`: it says what has become of everything that was sealed by then.',
  ].join('\n');
}
