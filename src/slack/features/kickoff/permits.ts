import { type Crew, isDeployed } from '../../../core/policy/crew.ts';
import { type Denial, mayStart, type Permit } from '../../../core/policy/evaluate.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { gatherFacts } from '../../directory/directory.ts';
import type { ListenerContext } from '../../listening/context.ts';

/** Why a person can't start a crew; without a denial, the crew isn't set up any more, or was never deployed. */
export type StartRefusal = DeniedStart | { crew: Crew | null; denial: Denial | null };

export interface DeniedStart {
  crew: Crew;
  denial: Denial;
}

interface Start {
  crew: string;
  /** Null while it isn't chosen yet: then nobody can tell whether the members of the channel include the person. */
  channel: string | null;
}

/**
 * Why the person may not start a crew in a channel, or null if they may. A refusal is in the ledger before this resolves.
 * @throws {StoreUnavailable} don't ack then
 */
export async function whyNotStart(
  context: ListenerContext,
  { crew: name, channel }: Start,
): Promise<StartRefusal | null> {
  const crew = context.crews.get(name);
  if (!crew || !isDeployed(crew)) return { crew: crew ?? null, denial: await whyUnknown(context) };
  const [found] = await findStartPermits(context, [crew], channel);
  return found?.permit.kind === 'denied' ? refuseStart(context, { crew, denial: found.permit.denial }) : null;
}

/**
 * The names of the crews that a form for this one may offer to the person, or why they may not start it. A refusal is in the
 * ledger before this resolves. @throws {StoreUnavailable} don't ack then
 */
export async function findOffered(
  context: ListenerContext,
  { crew: name, channel }: Start,
): Promise<Result<string[], StartRefusal>> {
  const permits = await findStartPermits(context, [...context.crews.values()].filter(isDeployed), channel);
  const found = permits.find(({ crew }) => crew.name === name);
  if (!found) return refuse({ crew: context.crews.get(name) ?? null, denial: await whyUnknown(context) });
  const { crew, permit } = found;
  const mayPass = channel === null && isPossible(found);
  if (permit.kind === 'denied' && !mayPass) return refuse(await refuseStart(context, { crew, denial: permit.denial }));
  return ok(permits.filter(isOffered).map((each) => each.crew.name));
}

/**
 * The crew that a form begins with, and those that it offers, for a person who named none; or why there is none. If there is
 * only one crew, they meant that one, and the refusal is in the ledger before this resolves. @throws {StoreUnavailable}
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

/** Puts the refusal into the ledger. @throws {StoreUnavailable} don't ack then */
async function refuseStart(context: ListenerContext, refusal: DeniedStart): Promise<DeniedStart> {
  const { person, recordRefusedStart, requestId, addToLog } = context;
  const refused = { crew: refusal.crew.name, by: person.id, reason: refusal.denial.kind };
  await recordRefusedStart({ ...refused, requestId });
  addToLog({ crew: refused.crew, action: 'start', refusal: 'denied', denial: refused.reason });
  return refusal;
}

/** People from outside the workspace don't learn which crews and runs there are. */
export async function whyUnknown({ directory, person }: ListenerContext): Promise<Denial | null> {
  const account = await directory.account(person.id);
  if (!account) return { kind: 'unsure', personId: person.id, approver: null };
  return account.isStranger ? { kind: 'stranger' } : null;
}

interface StartPermit {
  crew: Crew;
  permit: Permit;
}

/** Which crews the person may start in a channel, in their order. Asks Slack for two seconds at most. @throws {StoreUnavailable} */
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

/** Whether the person may start the crew in some channel, as far as is known without one. */
function isPossible({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || (permit.denial.kind === 'unsure' && permit.denial.approver === 'channel');
}

/** Whether a form may offer the crew: what keeps the person from starting it, if anything, may pass. */
function isOffered({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || permit.denial.kind === 'unsure' || permit.denial.kind === 'no-token';
}
