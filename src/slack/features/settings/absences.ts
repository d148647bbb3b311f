import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import {
  type AbsenceOutcome,
  type AbsenceReport,
  type Absences,
  type Away,
  notifiesAtOnce,
} from '../../../core/inbox/person-settings.ts';
import type { OpenRequest, Overview, Snapshot } from '../../../core/inbox/snapshot.ts';
import { HANDED_OVER } from '../../../core/policy/permits.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { Changed } from '../../../core/ports.ts';
import { addRecipients } from '../../../core/request/alerts.ts';
import { isPassedOn, letStandIn, takeBack } from '../../../core/request/hand-over.ts';
import type { Recipients } from '../../../core/state/post.ts';
import type { Person } from '../../../core/state/request.ts';
import { inParallel } from '../../../core/values/in-parallel.ts';
import { ok } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { findPermission } from '../../request/change-request.ts';

// Follows people's absences: hands requests to stand-ins, and takes them back. `bot/schedule.ts` and saved settings call it.

type AbsenceParts = Pick<
  ListenerContext,
  'store' | 'personSettings' | 'inbox' | 'directory' | 'rulesOf' | 'crews' | 'connectedTo' | 'people' | 'log'
> & { overview: Pick<Overview, 'latest'> };

/** Hands a person's requests to their stand-in as their stored absence says, and takes back what earlier absences left behind. */
export function createAbsences(parts: AbsenceParts): Absences {
  return {
    async apply(personId) {
      for (let stored = await storedAbsence(parts, personId); ; ) {
        const report = await applyStored(parts, personId, stored);
        // An absence that ended or changed meanwhile has taken back only what was handed over before that.
        const after = await storedAbsence(parts, personId);
        if (isDeepStrictEqual(after.away, stored.away)) return report;
        stored = after;
      }
    },
  };
}

interface StoredAbsence {
  away: Away | null;
  now: Millis;
}

/** Reads the settings by a change, so that what another process has just stored counts. */
async function storedAbsence({ personSettings }: AbsenceParts, personId: string): Promise<StoredAbsence> {
  let now = 0;
  const { away } = await personSettings.change(personId, (settings, at) => {
    now = at;
    return settings;
  });
  return { away, now };
}

const AT_ONCE = 4;
const OPEN: AbsenceOutcome = { kind: 'open' };

async function applyStored(
  parts: AbsenceParts,
  personId: string,
  { away, now }: StoredAbsence,
): Promise<AbsenceReport> {
  const { overview, inbox, people } = parts;
  const standIn = standInOf(away, now);
  await takeBackAll(parts, personId, { standIn, snapshot: await overview.latest('now') });
  if (!standIn) return { standIn: null, items: [] };
  const by = { id: personId, name: await people.nameOf({ id: personId, name: personId }) };
  const { waiting } = await inbox.of(personId);
  const absence = { by, ...standIn };
  const outcomes = new Map<OpenRequest, AbsenceOutcome>();
  await inParallel(AT_ONCE, waiting, async (each) => {
    outcomes.set(each.request, await outcomeOf(parts, absence, each));
  });
  return {
    standIn: standIn.to,
    items: waiting.map(({ request }) => ({ request, outcome: outcomes.get(request) ?? OPEN })),
  };
}

/** Returns who stands in for a person now, and until when; null for nobody. */
function standInOf(away: Away | null, now: Millis): StandIn | null {
  return away?.standIn && now < away.until ? { to: away.standIn, until: away.until } : null;
}

/** Returns true if a person handed a request over for an absence that has ended or changed. */
function isLeftOver({ handedOver }: OpenRequest, personId: string, standIn: StandIn | null): boolean {
  return handedOver.some(
    ({ by, to, until }) =>
      by.id === personId && until !== null && !(standIn?.to.id === to.id && standIn.until === until),
  );
}

async function takeBackAll(
  { store, log }: AbsenceParts,
  personId: string,
  { standIn, snapshot }: { standIn: StandIn | null; snapshot: Snapshot },
): Promise<void> {
  const left = snapshot.requests.filter((request) => isLeftOver(request, personId, standIn));
  await inParallel(AT_ONCE, [...new Set(left.map(({ run }) => run.ref))], async (ref) => {
    const changed = await store.change(ref, (execution, now) =>
      ok(takeBack(execution, personId, standIn && { ...standIn, to: standIn.to.id }, now)),
    );
    if (changed.kind !== 'changed') return;
    log.info({ ref, by: personId }, 'took back what was handed over for an absence');
  });
}

interface StandIn {
  to: Person;
  until: Millis;
}

async function outcomeOf(
  parts: AbsenceParts,
  absence: StandIn & { by: Person },
  { request, rule }: { request: OpenRequest; rule: string },
): Promise<AbsenceOutcome> {
  if (rule === HANDED_OVER) return { kind: 'not-passed-on' };
  if (!isPassedOn(rule)) return { kind: 'anyway' };
  const { run, approvalId } = request;
  const record = await parts.store.load(run.ref, { mostAgeMs: 60_000 });
  if (!record) return OPEN;
  const permission = await findPermission(parts, record.execution, [absence.by.id, absence.to.id]);
  const settings = await parts.personSettings.find(absence.to.id);
  const recipients: Recipients = { people: [{ to: absence.to.id, reason: 'setting' }], untold: 0, isComplete: true };
  const changed = await parts.store.change(run.ref, (execution, now) => {
    const result = letStandIn(execution, approvalId, { ...absence, ...permission }, now);
    const isNotified = result.ok && result.value !== execution && notifiesAtOnce(settings, now);
    return isNotified ? ok(addRecipients(result.value, approvalId, recipients, now)) : result;
  });
  if (changed.kind === 'changed') {
    parts.log.info({ ref: run.ref, approvalId, by: absence.by.id, to: absence.to.id }, 'handed over for an absence');
  }
  return outcomeAfter(changed, approvalId, absence.to);
}

function outcomeAfter(changed: Changed<Refusal>, approvalId: string, to: Person): AbsenceOutcome {
  switch (changed.kind) {
    case 'changed':
      return { kind: 'handed-over' };
    case 'unchanged': {
      const request = changed.execution.requests.find(({ id }) => id === approvalId);
      return { kind: request?.discussion.handedOver.some((each) => each.to.id === to.id) ? 'handed-over' : 'anyway' };
    }
    case 'refused':
      if (changed.refusal.kind === 'no-delegation') return { kind: 'not-allowed' };
      return changed.refusal.kind === 'cannot-take-over' ? { kind: 'refused', denial: changed.refusal.denial } : OPEN;
    case 'absent':
      return OPEN;
  }
}

/** A request that couldn't be handed over isn't tried again for so long, unless the absence changes. */
const SETTLED_MS = 10 * 60_000;
const MOST_SETTLED = 20_000;
/** Unchanged requests are judged again after this time, because groups and rules change, too. */
const AGAIN_MS = 60_000;

/** Outcomes that another try soon wouldn't change. */
const SETTLED: ReadonlySet<AbsenceOutcome['kind']> = new Set(['refused', 'not-allowed', 'anyway']);

type FollowParts = Pick<AbsenceParts, 'personSettings' | 'inbox' | 'log'> & { overview: Overview };

interface Followed {
  requests: readonly OpenRequest[];
  now: Millis;
}

/**
 * Hands over new requests of people who are away, and takes back what ended absences left behind. Call it again and again; several
 * processes may do so at once. @throws {StoreUnavailable}
 */
export function createFollowAbsences(
  { personSettings, overview, inbox, log }: FollowParts,
  absences: Absences,
): (now: Millis) => Promise<void> {
  const settled = new LRUCache<string, true>({ max: MOST_SETTLED, ttl: SETTLED_MS });
  let seen: { snapshot: Snapshot | null; absent: string; at: Millis } | null = null;

  async function isMissing(personId: string, away: Away, now: Millis): Promise<boolean> {
    const standIn = standInOf(away, now);
    if (!standIn) return false;
    const { waiting } = await inbox.of(personId);
    return waiting.some(({ request, rule }) => {
      const isHanded = request.handedOver.some(
        ({ by, to, until }) => by.id === personId && to.id === standIn.to.id && (until ?? away.until) >= away.until,
      );
      return isPassedOn(rule) && !isHanded && !settled.has(keyOf(personId, away, request));
    });
  }

  async function follow(personId: string, away: Away | null, { requests, now }: Followed) {
    const isLeft = requests.some((request) => isLeftOver(request, personId, standInOf(away, now)));
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
      if (SETTLED.has(outcome.kind)) settled.set(key, true);
    }
  }

  return async (now) => {
    const settings = await personSettings.all();
    const away = new Map<string, Away>();
    for (const [id, each] of settings) if (each.away && standInOf(each.away, now)) away.set(id, each.away);
    const absent = JSON.stringify([...away]);
    if (away.size === 0 && seen?.absent === absent) return;
    // If nobody is away, the open requests are enough. The whole snapshot, which Home needs, costs more.
    const snapshot = away.size === 0 ? null : await overview.latest();
    const requests = snapshot ? snapshot.requests : await overview.openRequests();
    if (snapshot && seen?.snapshot === snapshot && seen.absent === absent && now - seen.at < AGAIN_MS) return;
    for (const id of new Set([...giversOf(requests), ...away.keys()])) {
      await follow(id, settings.get(id)?.away ?? null, { requests, now });
    }
    seen = { snapshot, absent, at: now };
  };
}

function giversOf(requests: readonly OpenRequest[]): string[] {
  return requests.flatMap(({ handedOver }) => handedOver.flatMap(({ by, until }) => (until === null ? [] : [by.id])));
}

function keyOf(
  personId: string,
  { until, standIn }: Away,
  { run, approvalId }: { run: { ref: string }; approvalId: string },
) {
  return [personId, standIn?.id, until, run.ref, approvalId].join(' ');
}
