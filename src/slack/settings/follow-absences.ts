import { LRUCache } from 'lru-cache';
import { isPassedOn } from '../../core/approval/stand-in.ts';
import type { Absences, Away } from '../../core/inbox/person-settings.ts';
import type { OpenRequest, Overview, Snapshot } from '../../core/inbox/snapshot.ts';
import type { Millis } from '../../core/time.ts';
import { type AbsenceParts, isLeftOver, standInOf } from './absences.ts';

/** What couldn't be handed over isn't tried again for so long, unless the absence changes. */
const SETTLED_MS = 10 * 60_000;
const MOST_SETTLED = 20_000;
/** Groups and rules change without any request changing. */
const AGAIN_MS = 60_000;

type Ports = Pick<AbsenceParts, 'personSettings' | 'inbox' | 'log'> & { overview: Overview };

interface Followed {
  requests: readonly OpenRequest[];
  now: Millis;
}

/**
 * Hands over what comes to wait for those who are away, and takes back what is left of absences that were ended. To be called again
 * and again; several processes may do so at once. Throws `StoreUnavailable`.
 */
export function createFollowAbsences(
  { personSettings, overview, inbox, log }: Ports,
  absences: Absences,
): (now: Millis) => Promise<void> {
  const settled = new LRUCache<string, true>({ max: MOST_SETTLED, ttl: SETTLED_MS });
  /** What was there to see the last time, when all of it was followed. */
  let seen: { snapshot: Snapshot | null; absent: string; at: Millis } | null = null;

  async function isMissing(personId: string, away: Away, now: Millis): Promise<boolean> {
    const standIn = standInOf(away, now);
    if (!standIn) return false;
    const { waiting } = await inbox.of(personId);
    return waiting.some(({ request, rule }) => {
      const isHanded = request.handedOver.some(
        ({ by, to, until }) => by.id === personId && to.id === standIn.id && (until ?? away.until) >= away.until,
      );
      return isPassedOn(rule) && !isHanded && !settled.has(keyOf(personId, away, request));
    });
  }

  async function follow(personId: string, away: Away | null, { requests, now }: Followed) {
    const standIn = standInOf(away, now);
    const kept = away && standIn && { to: standIn.id, until: away.until };
    const isLeft = requests.some((request) => isLeftOver(request, personId, kept));
    if (!isLeft && !(away && (await isMissing(personId, away, now)))) return;
    const { items } = await absences.apply(personId);
    if (!away) return;
    for (const { request, outcome } of items) {
      const key = keyOf(personId, away, request);
      const isNew = outcome.kind === 'refused' && !settled.has(key);
      if (isNew)
        log.info(
          { ref: request.run.ref, approvalId: request.approvalId, by: personId, denial: outcome.denial.kind },
          'the policy bars the stand-in',
        );
      if (outcome.kind === 'refused' || outcome.kind === 'anyway') settled.set(key, true);
    }
  }

  return async (now) => {
    const settings = await personSettings.all();
    const away = new Map([...settings].flatMap(([id, each]) => (standInOf(each.away, now) ? [[id, each.away]] : [])));
    const absent = JSON.stringify([...away]);
    if (away.size === 0 && seen?.absent === absent) return;
    // Where nobody is away, nothing is kept of what lists of Home need.
    const snapshot = away.size === 0 ? null : await overview.latest();
    const requests = snapshot ? snapshot.requests : await overview.openRequests();
    if (snapshot && seen?.snapshot === snapshot && seen.absent === absent && now - seen.at < AGAIN_MS) return;
    for (const id of new Set([...handersIn(requests), ...away.keys()])) {
      await follow(id, settings.get(id)?.away ?? null, { requests, now });
    }
    seen = { snapshot, absent, at: now };
  };
}

/** The ids of those who have handed something over for a while. */
function handersIn(requests: readonly OpenRequest[]): string[] {
  return requests.flatMap(({ handedOver }) => handedOver.flatMap(({ by, until }) => (until === null ? [] : [by.id])));
}

function keyOf(
  personId: string,
  { until, standIn }: Away,
  { run, approvalId }: { run: { ref: string }; approvalId: string },
) {
  return [personId, standIn?.id, until, run.ref, approvalId].join(' ');
}
