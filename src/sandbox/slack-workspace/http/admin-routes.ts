// /_sandbox/…, for tests in other processes.

import type { ServerResponse } from 'node:http';
import { ACCOUNTS, ROLES } from '../administration/change.ts';
import { NEW_BLOCK_TYPES } from '../block-kit/check-message.ts';
import { deliverAgain } from '../delivery/deliver.ts';
import { buildWorkflow, runFunction } from '../interactions/workflows.ts';
import { isObject, type Json, type JsonObject, objectAt, parseJson, stringAt } from '../json.ts';
import type { Administration } from '../people/administer.ts';
import type { Fault, FaultEffect } from '../runtime/faults.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { parseWorkflow } from '../workflow.ts';
import { type Exchange, readBody, sendJson, sendText } from './request.ts';

/** Actions outside the workspace's own state, and those of its admins. */
export type AdminControls = {
  sockets: { warn(): void; refresh(): void; cut(): void };
  installAt(requestUrl: string): void;
  administration: Administration;
};

/** `/_sandbox/…`, for tests in other processes. Off by default. REFERENCE.md lists the requests. */
export async function handleAdminRequest(
  workspace: Workspace,
  controls: AdminControls,
  exchange: Exchange,
): Promise<void> {
  const { request, response, url } = exchange;
  const body = parseJson((await readBody(request)).toString());
  const done = () => sendJson(response, 200, { ok: true });
  const route = `${request.method} ${url.pathname.replace('/_sandbox/', '')}`;
  if (/^(GET|POST) functions\//.test(route)) return handleFunction(workspace, exchange, body);
  switch (route) {
    case 'GET calls':
      return sendJson(response, 200, workspace.wire.after(Number(url.searchParams.get('after') ?? 0)));
    case 'POST faults': {
      const fault = isObject(body) ? parseFault(body) : undefined;
      if (!fault) return sendText(response, 400, 'Not a valid fault.');
      workspace.faults.add(fault);
      return done();
    }
    case 'DELETE faults':
      workspace.faults.clear();
      return done();
    case 'POST redeliver':
      return sendJson(response, 200, (await deliverAgain(workspace, stringAt(body, 'name') ?? '')) ?? { ok: false });
    case 'POST sockets/warn':
      controls.sockets.warn();
      return done();
    case 'POST sockets/refresh':
      controls.sockets.refresh();
      return done();
    case 'POST sockets/cut':
      controls.sockets.cut();
      return done();
    case 'POST workflows':
      return build(workspace, response, body);
    case 'POST install':
      controls.installAt(stringAt(body, 'requestUrl') ?? '');
      return done();
    default:
      return change(controls.administration, route, exchange.response, body);
  }
}

function handleFunction(workspace: Workspace, { request, response, url }: Exchange, body: Json | undefined): void {
  const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  try {
    const end = workspace.executions.find(name)?.end;
    if (request.method === 'GET') sendJson(response, 200, end ? { end } : {});
    else sendJson(response, 200, { executionId: runFunction(workspace, name, isObject(body) ? body : {}).executionId });
  } catch (error) {
    sendText(response, 400, String(error));
  }
}

function build(workspace: Workspace, response: ServerResponse, body: Json | undefined): void {
  try {
    buildWorkflow(workspace, parseWorkflow(body));
    sendJson(response, 200, { ok: true });
  } catch (error) {
    sendText(response, 400, String(error));
  }
}

function change(administration: Administration, route: string, response: ServerResponse, body: Json | undefined): void {
  try {
    if (administer(administration, route, body)) sendJson(response, 200, { ok: true });
    else sendText(response, 404, 'Not found.');
  } catch (error) {
    sendText(response, 400, String(error));
  }
}

/**
 * Applies changes of people, groups or channels: `route` is the method and the path below `/_sandbox/`. Resolves to
 * whether there is such a change; throws if the person, group or channel doesn't exist, or if Slack wouldn't allow it.
 */
function administer(administration: Administration, route: string, json: Json | undefined): boolean {
  const body = isObject(json) ? json : {};
  const [verb = '', ...path] = route.split(/[ /]/);
  const [family = '', name, part, member] = path.map(decodeURIComponent);
  if (family === 'channels' && name !== undefined && part === 'members' && member !== undefined)
    return changeMembers(administration, verb, { channel: name, member });
  if (part !== undefined) return false;
  const changes = changesOf(administration, `${verb} ${family}`, body, name);
  for (const change of changes) change();
  return changes.length > 0;
}

function changeMembers(
  administration: Administration,
  verb: string,
  { channel, member }: { channel: string; member: string },
): boolean {
  if (verb === 'PUT') administration.addToChannel(channel, member);
  else if (verb === 'DELETE') administration.removeFromChannel(channel, member);
  return verb === 'PUT' || verb === 'DELETE';
}

/** Returns the changes that a request asks for; none if it isn't understood. */
function changesOf(admin: Administration, what: string, body: JsonObject, name: string | undefined): (() => void)[] {
  if (name === undefined) return creationsOf(admin, what, body);
  switch (what) {
    case 'PUT groups':
      return groupChanges(admin, name, body);
    case 'PUT people':
      return personChanges(admin, name, body);
    case 'PUT channels':
      return channelChanges(admin, name, body);
    case 'PUT workspaces': {
      const access = oneOf(['granted', 'revoked'] as const, body.access);
      return access ? [() => admin.setAccess(name, access)] : [];
    }
    default:
      return [];
  }
}

function creationsOf(admin: Administration, what: string, body: JsonObject): (() => void)[] {
  const name = stringAt(body, 'name');
  const [handle, realName] = [stringAt(body, 'handle'), stringAt(body, 'realName')];
  switch (what) {
    case 'PUT features':
      return featureChanges(admin, body);
    case 'POST groups':
      return name && handle ? [() => admin.createGroup({ name, handle, members: texts(body.members) })] : [];
    case 'POST channels':
      return name ? [() => admin.createChannel(name, body.isPrivate === true ? 'private' : 'public')] : [];
    case 'POST people': {
      const account = oneOf(ACCOUNTS, body.account) ?? 'member';
      const invited = { account, channels: texts(body.channels) };
      return name && realName ? [() => admin.invite({ name, realName, ...invited })] : [];
    }
    default:
      return [];
  }
}

function featureChanges(admin: Administration, { editWindowMs, ...body }: JsonObject): (() => void)[] {
  const missing = Array.isArray(body.missingBlocks) ? body.missingBlocks : undefined;
  const types = NEW_BLOCK_TYPES.filter((type) => missing?.includes(type));
  const botToken = oneOf(['valid', 'token_revoked', 'account_inactive'] as const, body.botToken);
  return [
    ...(missing?.length === types.length ? [() => admin.setMissingBlocks(types)] : []),
    ...(botToken ? [() => admin.setBotToken(botToken)] : []),
    ...(typeof editWindowMs === 'number' || editWindowMs === null ? [() => admin.setEditWindow(editWindowMs)] : []),
  ];
}

function groupChanges(admin: Administration, group: string, body: JsonObject): (() => void)[] {
  const { members, isDisabled } = body;
  const [name, handle] = [stringAt(body, 'name'), stringAt(body, 'handle')];
  const names = { ...(name !== undefined && { name }), ...(handle !== undefined && { handle }) };
  return [
    ...(Array.isArray(members) ? [() => admin.setGroupMembers(group, texts(members))] : []),
    ...(isDisabled === true ? [() => admin.disableGroup(group)] : []),
    ...(isDisabled === false ? [() => admin.enableGroup(group)] : []),
    ...(Object.keys(names).length > 0 ? [() => admin.changeGroup(group, names)] : []),
  ];
}

function personChanges(admin: Administration, person: string, body: JsonObject): (() => void)[] {
  const [account, role] = [oneOf(ACCOUNTS, body.kind), oneOf(ROLES, body.role)];
  const [locale, timeZone] = [stringAt(body, 'locale'), stringAt(body, 'timeZone')];
  const presence = oneOf(['auto', 'away'] as const, body.presence);
  return [
    ...(body.isDeactivated === true ? [() => admin.deactivate(person)] : []),
    ...(body.isDeactivated === false ? [() => admin.reactivate(person)] : []),
    ...(account ? [() => admin.changeKind(person, account)] : []),
    ...(role ? [() => admin.changeRole(person, role)] : []),
    ...(locale !== undefined ? [() => admin.changeLocale(person, locale)] : []),
    ...(timeZone !== undefined ? [() => admin.changeTimeZone(person, timeZone)] : []),
    ...(presence ? [() => admin.changePresence(person, presence)] : []),
  ];
}

function channelChanges(admin: Administration, channel: string, body: JsonObject): (() => void)[] {
  const name = stringAt(body, 'name');
  return [
    ...(body.isShared === true ? [() => admin.shareChannel(channel)] : []),
    ...(body.isArchived === true ? [() => admin.archiveChannel(channel)] : []),
    ...(body.isArchived === false ? [() => admin.unarchiveChannel(channel)] : []),
    ...(name !== undefined ? [() => admin.renameChannel(channel, name)] : []),
  ];
}

function oneOf<Word extends string>(words: readonly Word[], value: Json | undefined): Word | undefined {
  return words.find((word) => word === value);
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Parses a fault; undefined if invalid. */
function parseFault(body: JsonObject): Fault | undefined {
  const method = stringAt(body, 'method');
  const effect = parseEffect(objectAt(body, 'effect') ?? {});
  if (method === undefined || !effect) return undefined;
  const where = Object.entries(isObject(body.where) ? body.where : {}).map(([name, value]) => [name, String(value)]);
  return {
    method,
    effect,
    where: Object.fromEntries(where),
    ...(typeof body.nth === 'number' && { nth: body.nth }),
    ...(typeof body.times === 'number' && { times: body.times }),
    ...(typeof body.containing === 'string' && { containing: body.containing }),
  };
}

function parseEffect(effect: JsonObject): FaultEffect | undefined {
  const number = (name: string) => (typeof effect[name] === 'number' ? effect[name] : 0);
  switch (effect.kind) {
    case 'rate-limited':
      return { kind: 'rate-limited', retryAfterSeconds: number('retryAfterSeconds') };
    case 'status':
      return { kind: 'status', status: number('status') || 500 };
    case 'error':
      return { kind: 'error', error: stringAt(effect, 'error') ?? 'internal_error' };
    case 'ignored':
      return { kind: 'ignored' };
    case 'delay':
      return { kind: 'delay', delayMs: number('delayMs') };
    case 'drop':
      return { kind: 'drop' };
    case 'apply-then-drop':
      return { kind: 'apply-then-drop' };
    case 'silence':
      return { kind: 'silence', apply: effect.apply === true };
    default:
      return undefined;
  }
}
