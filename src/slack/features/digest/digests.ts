// Sends people their digests when they are due.

import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type DigestClaims, type DigestSlot, digestSlot } from '../../../core/inbox/digest.ts';
import type { PersonSettings, PersonSettingsStore } from '../../../core/inbox/person-settings.ts';
import type { OpenRequest, Overview } from '../../../core/inbox/snapshot.ts';
import {
  openSnoozes,
  type Snooze,
  type SnoozeKey,
  withoutOld,
  withoutSame,
  withoutSnoozes,
} from '../../../core/inbox/snooze.ts';
import type { OutputStore } from '../../../core/ports.ts';
import type { Millis } from '../../../core/time.ts';
import { outcomeOf } from '../../api/errors.ts';
import { type Identity, installationId } from '../../api/identity.ts';
import { postInChannel } from '../../api/posts.ts';
import type { NamesOf, People } from '../../api/users.ts';
import type { Workspaces } from '../../api/workspaces.ts';
import type { Inbox } from '../../directory/inbox.ts';
import type { Sayings } from '../../language/say.ts';
import { digestMessage, MOST_SHOWN } from './message.ts';

/** People seldom travel, and where they are is asked again before each digest. */
const ZONE_MS = 60 * 60_000;
const MOST_PEOPLE = 20_000;
/** How long this process tries to send what it has claimed. */
const PATIENCE_MS = 15 * 60_000;

interface Ports {
  personSettings: Pick<PersonSettingsStore, 'all' | 'change'>;
  overview: Pick<Overview, 'openRequests'>;
  claims: DigestClaims;
  people: Pick<People, 'timeZoneOf'>;
  send: SendDigest;
  log: Logger;
}

/**
 * Sends the digests that are due, to those who are told at once of what they had put off. To be called again and again; several
 * processes may do so at once. What a process has claimed and doesn't send before it ends is left out. Throws `StoreUnavailable`.
 */
export function createDigests({
  personSettings,
  overview,
  claims,
  people,
  send,
  log,
}: Ports): (now: Millis) => Promise<void> {
  const zones = new LRUCache<string, string>({ max: MOST_PEOPLE, ttl: ZONE_MS });
  /** The key of the last digest of each person that some process has claimed. */
  const claimed = new LRUCache<string, string>({ max: MOST_PEOPLE });
  const unsent = new Map<string, DigestSlot & { until: Millis }>();

  async function zoneOf(personId: string): Promise<string | null> {
    const timeZone = await people.timeZoneOf(personId);
    if (timeZone !== null) zones.set(personId, timeZone);
    return timeZone;
  }

  /** The slot that is due by where the person is now. */
  async function slotOf(personId: string, settings: PersonSettings, now: Millis): Promise<DigestSlot | null> {
    const known = zones.get(personId) ?? (await zoneOf(personId));
    const slot = known === undefined || known === null ? null : digestSlot(settings, now, known);
    if (slot === null || claimed.get(personId) === slot.key) return null;
    const timeZone = await zoneOf(personId);
    return timeZone === null ? null : digestSlot(settings, now, timeZone);
  }

  async function claimDue(personId: string, settings: PersonSettings, now: Millis): Promise<void> {
    const slot = await slotOf(personId, settings, now);
    if (slot === null || claimed.get(personId) === slot.key) return;
    const isOurs = await claims.claim(personId, slot);
    claimed.set(personId, slot.key);
    if (isOurs) unsent.set(personId, { ...slot, until: now + PATIENCE_MS });
  }

  /** Slack is in trouble, or has had enough, as long as this is false. `stored`: what they have put off, each until when they chose. */
  async function sendOne(
    personId: string,
    { settings, stored }: { settings: PersonSettings | undefined; stored: readonly Snooze[] },
    now: Millis,
  ): Promise<boolean> {
    const { key, until } = unsent.get(personId) ?? { key: '', until: 0 };
    const timeZone = zones.get(personId);
    const isWanted = settings && timeZone !== undefined && digestSlot(settings, now, timeZone)?.key === key;
    if (!isWanted || now >= until) {
      unsent.delete(personId);
      return true;
    }
    const back = settings.tell.kind === 'at-once' ? settings.snoozed.filter((each) => each.until <= now) : null;
    const outcome = await send(personId, back);
    if (outcome === 'later') return false;
    unsent.delete(personId);
    if (back) {
      const waiting = withoutSnoozes(stored, back);
      const told = stored.filter((each) => !waiting.includes(each));
      await forget(personId, (snoozed) => withoutSame(snoozed, told));
    }
    log.info({ personId, outcome }, 'a digest was due');
    return true;
  }

  async function forget(personId: string, change: (snoozed: readonly Snooze[]) => Snooze[]): Promise<void> {
    await personSettings.change(personId, (each) => ({ ...each, snoozed: change(each.snoozed) }));
  }

  /** Until when what they have put off really is; nothing is read for those who aren't told when it is back. */
  async function settingsNow(
    settings: ReadonlyMap<string, PersonSettings>,
  ): Promise<ReadonlyMap<string, PersonSettings>> {
    const isTold = ({ tell, snoozed }: PersonSettings) => tell.kind === 'at-once' && snoozed.length > 0;
    if (![...settings.values()].some(isTold)) return settings;
    const requests = await overview.openRequests();
    const open = (each: PersonSettings) =>
      isTold(each) ? { ...each, snoozed: openSnoozes(each.snoozed, requests) } : each;
    return new Map([...settings].map(([personId, each]) => [personId, open(each)]));
  }

  return async (now) => {
    for (const [personId, { snoozed }] of await personSettings.all()) {
      if (withoutOld(snoozed, now).length < snoozed.length) await forget(personId, (each) => withoutOld(each, now));
    }
    const stored = await personSettings.all();
    const settings = await settingsNow(stored);
    for (const [personId, each] of settings) {
      const { tell, snoozed } = each;
      if (tell.kind === 'off' || (tell.kind === 'at-once' && snoozed.length === 0)) continue;
      await claimDue(personId, each, now);
    }
    for (const personId of [...unsent.keys()])
      await sendOne(personId, { settings: settings.get(personId), stored: stored.get(personId)?.snoozed ?? [] }, now);
  };
}

const NAMES_MS = 2_000;

interface SendPorts {
  client: WebClient;
  inbox: Inbox;
  outputs: Pick<OutputStore, 'get'>;
  identity: Identity;
  workspaces: Workspaces;
  people: Pick<People, 'languageOf'>;
  namesOf: NamesOf;
  sayings: Sayings;
  log: Logger;
}

/** `later`: nothing was sent, and it may be possible later. */
export type DigestOutcome = 'sent' | 'nothing-waits' | 'later' | 'unknown';

/** Tells a person what waits for them, or what of it is back that they had put off. Throws `StoreUnavailable`: nothing is sent then. */
type SendDigest = (personId: string, back: readonly SnoozeKey[] | null) => Promise<DigestOutcome>;

export function createSendDigest(ports: SendPorts): SendDigest {
  const { client, inbox, outputs, identity, workspaces, people, namesOf, sayings, log } = ports;
  const findHome = createHomeAddress(client, { identity, workspaces });
  return async (personId, back) => {
    const { waiting, unsure } = await inbox.of(personId);
    const isTold = ({ run: { ref }, approvalId }: OpenRequest) =>
      back?.some((each) => each.ref === ref && each.approvalId === approvalId) ?? true;
    const requests = waiting.map(({ request }) => request).filter(isTold);
    if (requests.length === 0) return unsure > 0 ? 'later' : 'nothing-waits';
    const shown = requests.slice(0, MOST_SHOWN);
    const [texts, language, name, home] = await Promise.all([
      findTexts(outputs, shown),
      people.languageOf(personId),
      Promise.race([
        namesOf(...shown.map(({ run }) => run.starter)),
        delay(NAMES_MS, ({ name: known }: { name: string }) => known, { ref: false }),
      ]),
      findHome(),
    ]);
    const textOf = ({ output }: OpenRequest) => texts.get(output.hash) ?? null;
    const message = digestMessage({
      waiting: requests,
      isBack: back !== null,
      textOf,
      now: Date.now(),
      name,
      home,
      say: sayings.in(language),
    });
    try {
      await postInChannel(client, personId, message);
      return 'sent';
    } catch (error) {
      const { kind } = outcomeOf(error);
      log.warn({ personId, err: error, outcome: kind }, 'could not send a digest');
      return kind === 'later' ? 'later' : 'unknown';
    }
  };
}

async function findTexts(
  outputs: SendPorts['outputs'],
  requests: readonly OpenRequest[],
): Promise<Map<string, string | null>> {
  return new Map(
    await Promise.all(
      requests.map(async ({ run, output }) => [output.hash, await outputs.get(run.ref, output.hash)] as const),
    ),
  );
}

/** Finds the address that opens the app, once; null if Slack doesn't say which app this is. Never rejects. */
function createHomeAddress(
  client: WebClient,
  { identity: { installation, botId }, workspaces }: Pick<SendPorts, 'identity' | 'workspaces'>,
): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    known ??= botId === null ? null : await findAppId({ client, workspaces }, botId);
    return known === null ? null : appAddress(client, { app: known, team: installationId(installation) });
  };
}

/** Unlike `slack://app`, it also works in browsers and on Linux. https://docs.slack.dev/interactivity/deep-linking */
function appAddress({ slackApiUrl }: WebClient, query: { app: string; team: string }): string {
  const address = new URL('../app_redirect', slackApiUrl);
  address.search = new URLSearchParams(query).toString();
  return address.href;
}

async function findAppId(
  { client, workspaces }: Pick<SendPorts, 'client' | 'workspaces'>,
  botId: string,
): Promise<string | null> {
  try {
    const [workspace] = await workspaces();
    const { bot } = await client.bots.info({ bot: botId, ...workspace });
    return bot?.app_id ?? null;
  } catch {
    return null;
  }
}
