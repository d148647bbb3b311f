import { type Crew, isDeployed } from '../../../core/policy/crew.ts';
import { type Denial, mayStart, type Permit } from '../../../core/policy/permits.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { gatherFacts } from '../../directory/directory.ts';
import type { ListenerContext } from '../../listening/context.ts';

/** The reason why a person can't start a crew. Without a denial, the crew is no longer set up, or was never deployed. */
export type StartRefusal = DeniedStart | { crew: Crew | null; denial: Denial | null };

export interface DeniedStart {
  crew: Crew;
  denial: Denial;
}

interface Start {
  crew: string;
  /** Null until it is chosen. Then nobody can tell whether the person is a member of it. */
  channel: string | null;
}

/** Returns why the person may not start a crew in a channel; null if they may. Stores refusals in the ledger. @throws {StoreUnavailable} don't ack then */
export async function whyNotStart(
  context: ListenerContext,
  { crew: name, channel }: Start,
): Promise<StartRefusal | null> {
  const crew = context.crews.get(name);
  if (!crew || !isDeployed(crew)) return { crew: crew ?? null, denial: await whyUnknown(context) };
  const [start] = await findStartPermits(context, [crew], channel);
  return start?.permit.kind === 'denied' ? refuseStart(context, { crew, denial: start.permit.denial }) : null;
}

/**
 * Returns the names of the crews that a form for this crew may offer, or why the person may not start it. Stores refusals in the ledger.
 * @throws {StoreUnavailable} don't ack then
 */
export async function findOffered(
  context: ListenerContext,
  { crew: name, channel }: Start,
): Promise<Result<string[], StartRefusal>> {
  const permits = await findStartPermits(context, [...context.crews.values()].filter(isDeployed), channel);
  const start = permits.find(({ crew }) => crew.name === name);
  if (!start) return refuse({ crew: context.crews.get(name) ?? null, denial: await whyUnknown(context) });
  const { crew, permit } = start;
  const mayPass = channel === null && isPossible(start);
  if (permit.kind === 'denied' && !mayPass) return refuse(await refuseStart(context, { crew, denial: permit.denial }));
  return ok(permits.filter(isOffered).map((each) => each.crew.name));
}

/**
 * Returns the crew that a form begins with, and the crews that it offers, for a person who named none; or why there is none. If there is only
 * one crew, they meant that one, and its refusal is stored in the ledger. @throws {StoreUnavailable} don't ack then
 */
export async function findFirstOffered(
  context: ListenerContext,
  channel: Start['channel'],
): Promise<Result<{ crew: string; crews: string[] }, DeniedStart[]>> {
  const permits = await findStartPermits(context, [...context.crews.values()].filter(isDeployed), channel);
  const permitted = permits.find(({ permit }) => permit.kind === 'permitted');
  const first = permitted ?? (channel === null ? permits.find(isPossible) : undefined);
  if (first) return ok({ crew: first.crew.name, crews: permits.filter(isOffered).map(({ crew }) => crew.name) });
  const refusals = permits.flatMap(({ crew, permit }) =>
    permit.kind === 'denied' ? [{ crew, denial: permit.denial }] : [],
  );
  const [only, ...others] = refusals;
  if (only && others.length === 0) await refuseStart(context, only);
  return refuse(refusals);
}

/** Stores a refusal in the ledger. @throws {StoreUnavailable} don't ack then */
async function refuseStart(context: ListenerContext, refusal: DeniedStart): Promise<DeniedStart> {
  const { person, recordRefusedStart, requestId, addToLog } = context;
  const refused = { crew: refusal.crew.name, by: person.id, reason: refusal.denial.kind };
  await recordRefusedStart({ ...refused, requestId });
  addToLog({ crew: refused.crew, action: 'start', refusal: 'denied', denial: refused.reason });
  return refusal;
}

/** Denies people from outside the workspace any answer about which crews and runs there are. */
export async function whyUnknown({ directory, person }: ListenerContext): Promise<Denial | null> {
  const account = await directory.account(person.id);
  if (!account) return { kind: 'unsure', personId: person.id, approver: null };
  return account.isStranger ? { kind: 'stranger' } : null;
}

interface StartPermit {
  crew: Crew;
  permit: Permit;
}

/** Returns for each crew whether the person may start it. Asks Slack for two seconds at most. @throws {StoreUnavailable} */
async function findStartPermits(
  { person: { id }, directory, connectedTo }: ListenerContext,
  crews: readonly Crew[],
  channel: Start['channel'],
): Promise<StartPermit[]> {
  const approvers = crews
    .flatMap(({ starters }) => starters)
    .filter(({ kind }) => channel !== null || kind !== 'channel');
  const [facts, tokens] = await Promise.all([
    gatherFacts(directory, { people: [id], approvers, channel: channel ?? '' }),
    Promise.all(crews.map(async ({ name, requireUserToken }) => requireUserToken && connectedTo(name, id))),
  ]);
  return crews.map((crew, i) => {
    const connected = new Set(tokens[i] ? [id] : []);
    return { crew, permit: mayStart(crew, id, { ...facts, connected }) };
  });
}

/** Returns true if the person may start the crew in some channel, as far as that is known without one. */
function isPossible({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || (permit.denial.kind === 'unsure' && permit.denial.approver === 'channel');
}

/** Returns true if a form may offer the crew: the person may start it, or what prevents that may pass. */
function isOffered({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || permit.denial.kind === 'unsure' || permit.denial.kind === 'no-token';
}
