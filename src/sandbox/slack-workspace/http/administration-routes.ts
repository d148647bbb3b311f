import { ACCOUNTS, ROLES } from '../administration/change.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { Administration } from '../people/administer.ts';

/**
 * Applies changes of people, groups or channels: `route` is the method and the path below `/_sandbox/`. Resolves to
 * whether there is such a change; throws if the person, group or channel doesn't exist, or if Slack wouldn't allow it.
 */
export function administer(administration: Administration, route: string, sent: Json | undefined): boolean {
  const body = isObject(sent) ? sent : {};
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

/** What a request asks for; nothing if it isn't understood. */
function changesOf(admin: Administration, what: string, body: JsonObject, name: string | undefined): (() => void)[] {
  if (name === undefined) return creationsOf(admin, what, body);
  switch (what) {
    case 'PUT groups':
      return groupChanges(admin, name, body);
    case 'PUT people':
      return personChanges(admin, name, body);
    case 'PUT channels':
      return channelChanges(admin, name, body);
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
  const charts = oneOf(['on', 'off'] as const, body.charts);
  const botToken = oneOf(['valid', 'token_revoked', 'account_inactive'] as const, body.botToken);
  return [
    ...(charts ? [() => admin.setCharts(charts)] : []),
    ...(botToken ? [() => admin.setBotToken(botToken)] : []),
    ...(typeof editWindowMs === 'number' || editWindowMs === null ? [() => admin.setEditWindow(editWindowMs)] : []),
  ];
}

function groupChanges(admin: Administration, group: string, body: JsonObject): (() => void)[] {
  const { members, isDisabled } = body;
  const [name, handle] = [stringAt(body, 'name'), stringAt(body, 'handle')];
  const named = { ...(name !== undefined && { name }), ...(handle !== undefined && { handle }) };
  return [
    ...(Array.isArray(members) ? [() => admin.setGroupMembers(group, texts(members))] : []),
    ...(isDisabled === true ? [() => admin.disableGroup(group)] : []),
    ...(isDisabled === false ? [() => admin.enableGroup(group)] : []),
    ...(Object.keys(named).length > 0 ? [() => admin.changeGroup(group, named)] : []),
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
