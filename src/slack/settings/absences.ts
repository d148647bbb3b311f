import { isDeepStrictEqual } from 'node:util';
import type { Person } from '../../core/approval/approval.ts';
import { takeBack } from '../../core/approval/end-hand-overs.ts';
import { HANDED_OVER } from '../../core/approval/policy/permits.ts';
import type { Recipients } from '../../core/approval/recipient.ts';
import { addRecipients } from '../../core/approval/recipients.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { isPassedOn, letStandIn } from '../../core/approval/stand-in.ts';
import { inParallel } from '../../core/in-parallel.ts';
import {
  type AbsenceOutcome,
  type AbsenceReport,
  type Absences,
  type Away,
  isToldAtOnce,
} from '../../core/inbox/person-settings.ts';
import type { OpenRequest, Overview, Snapshot } from '../../core/inbox/snapshot.ts';
import type { Changed } from '../../core/ports.ts';
import { ok } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import { findPermission } from '../approval/find-permission.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

const AT_ONCE = 4;
const OPEN: AbsenceOutcome = { kind: 'open' };

export type AbsenceParts = Pick<
  ListenerContext,
  'store' | 'personSettings' | 'inbox' | 'directory' | 'rulesOf' | 'crews' | 'connectedTo' | 'people' | 'wake' | 'log'
> & { overview: Pick<Overview, 'latest'> };

/** Who is away, and who stands in until when. */
interface Absence {
  by: Person;
  to: Person;
  until: Millis;
}

export function createAbsences(parts: AbsenceParts): Absences {
  return {
    async apply(personId) {
      for (let stored = await storedAbsence(parts, personId); ; ) {
        const report = await applyStored(parts, personId, stored);
        // Who ends their absence meanwhile takes back only what was handed over before that.
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

/** What another process has just stored counts at once. */
async function storedAbsence({ personSettings }: AbsenceParts, personId: string): Promise<StoredAbsence> {
  let now = 0;
  const { away } = await personSettings.change(personId, (settings, at) => {
    now = at;
    return settings;
  });
  return { away, now };
}

async function applyStored(
  parts: AbsenceParts,
  personId: string,
  { away, now }: StoredAbsence,
): Promise<AbsenceReport> {
  const { overview, inbox, people } = parts;
  const standIn = standInOf(away, now);
  await takeBackAll(parts, personId, { standIn, away, snapshot: await overview.latest('now') });
  if (!away || !standIn) return { standIn: null, items: [] };
  const by = { id: personId, name: await people.nameOf({ id: personId, name: personId }) };
  const { waiting } = await inbox.of(personId);
  const absence = { by, to: standIn, until: away.until };
  const outcomes = new Map<OpenRequest, AbsenceOutcome>();
  await inParallel(AT_ONCE, waiting, async (each) => {
    outcomes.set(each.request, await outcomeOf(parts, absence, each));
  });
  return { standIn, items: waiting.map(({ request }) => ({ request, outcome: outcomes.get(request) ?? OPEN })) };
}

/** Who stands in for a person at the moment; null for nobody. */
export function standInOf(away: Away | null, now: Millis): Person | null {
  return away !== null && now < away.until ? away.standIn : null;
}

/** Whether a request was handed over by a person for an absence that isn't, or is another one now. */
export function isLeftOver(
  { handedOver }: Pick<OpenRequest, 'handedOver'>,
  personId: string,
  kept: { to: string; until: Millis } | null,
): boolean {
  return handedOver.some(
    ({ by, to, until }) => by.id === personId && until !== null && !(kept?.to === to.id && kept.until === until),
  );
}

async function takeBackAll(
  { store, wake, log }: AbsenceParts,
  personId: string,
  { standIn, away, snapshot }: { standIn: Person | null; away: Away | null; snapshot: Snapshot },
): Promise<void> {
  const kept = away && standIn && { to: standIn.id, until: away.until };
  const left = snapshot.requests.filter((request) => isLeftOver(request, personId, kept));
  await inParallel(AT_ONCE, [...new Set(left.map(({ run }) => run.ref))], async (ref) => {
    const changed = await store.change(ref, (execution, now) => ok(takeBack(execution, personId, kept, now)));
    if (changed.kind !== 'changed') return;
    log.info({ ref, by: personId }, 'took back what was handed over for an absence');
    wake(ref);
  });
}

async function outcomeOf(
  parts: AbsenceParts,
  absence: Absence,
  { request, rule }: { request: OpenRequest; rule: string },
): Promise<AbsenceOutcome> {
  if (rule === HANDED_OVER) return { kind: 'not-passed-on' };
  if (!isPassedOn(rule)) return { kind: 'anyway' };
  const { run, approvalId } = request;
  const found = await parts.store.load(run.ref, { mostAgeMs: 60_000 });
  if (!found) return OPEN;
  const permission = await findPermission(parts, found.execution, [absence.by.id, absence.to.id]);
  const settings = await parts.personSettings.find(absence.to.id);
  const changed = await parts.store.change(run.ref, (execution, now) => {
    const handed = letStandIn(execution, approvalId, { ...absence, ...permission }, now);
    const isTold = handed.ok && handed.value !== execution && isToldAtOnce(settings, now);
    return isTold ? ok(addRecipients(handed.value, approvalId, directly(absence.to), now)) : handed;
  });
  if (changed.kind === 'changed') {
    parts.log.info({ ref: run.ref, approvalId, by: absence.by.id, to: absence.to.id }, 'handed over for an absence');
    parts.wake(run.ref);
  }
  return judged(changed, approvalId, absence.to);
}

function directly({ id }: Person): Recipients {
  return { people: [{ to: id, reason: 'setting' }], isComplete: true };
}

function judged(changed: Changed<Refusal>, approvalId: string, to: Person): AbsenceOutcome {
  switch (changed.kind) {
    case 'changed':
      return { kind: 'handed-over' };
    case 'unchanged': {
      const approval = changed.execution.approvals.find(({ id }) => id === approvalId);
      return { kind: approval?.handedOver.some((each) => each.to.id === to.id) ? 'handed-over' : 'anyway' };
    }
    case 'refused':
      return changed.refusal.kind === 'cannot-take-over' ? { kind: 'refused', denial: changed.refusal.denial } : OPEN;
    case 'absent':
      return OPEN;
  }
}
