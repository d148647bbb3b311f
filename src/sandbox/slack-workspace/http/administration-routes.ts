import { isObject, type Json } from '../json.ts';
import { type Administration, isPersonKind } from '../people/administer.ts';

/**
 * Applies one change of people, groups or channels: `route` is the method and the path below `/_sandbox/`. Resolves to
 * whether there is such a change; throws if the person, group or channel doesn't exist.
 */
export function administer(administration: Administration, route: string, body: Json | undefined): boolean {
  const [verb = '', ...path] = route.split(/[ /]/);
  const [family, name = '', part, member] = path.map(decodeURIComponent);
  if (route === 'PUT features') return setFeatures(administration, body);
  if (family === 'groups' && part === undefined && verb === 'PUT') return changeGroup(administration, name, body);
  if (family === 'people' && part === undefined && verb === 'PUT') return changePerson(administration, name, body);
  if (family !== 'channels' || part !== 'members' || member === undefined) return false;
  if (verb === 'PUT') administration.addToChannel(name, member);
  else if (verb === 'DELETE') administration.removeFromChannel(name, member);
  else return false;
  return true;
}

function setFeatures(administration: Administration, body: Json | undefined): boolean {
  const charts = isObject(body) ? body.charts : undefined;
  if (charts !== 'on' && charts !== 'off') return false;
  administration.setCharts(charts);
  return true;
}

function changeGroup(administration: Administration, name: string, body: Json | undefined): boolean {
  if (!isObject(body)) return false;
  const { members, isDisabled } = body;
  if (Array.isArray(members)) administration.setGroupMembers(name, members.map(String));
  if (isDisabled === true) administration.disableGroup(name);
  if (isDisabled === false) administration.enableGroup(name);
  return Array.isArray(members) || typeof isDisabled === 'boolean';
}

function changePerson(administration: Administration, name: string, body: Json | undefined): boolean {
  if (!isObject(body)) return false;
  const { isDeactivated, kind, locale, timeZone } = body;
  if (isDeactivated === true) administration.deactivate(name);
  if (isDeactivated === false) administration.reactivate(name);
  if (isPersonKind(kind)) administration.changeKind(name, kind);
  if (typeof locale === 'string') administration.changeLocale(name, locale);
  if (typeof timeZone === 'string') administration.changeTimeZone(name, timeZone);
  return typeof isDeactivated === 'boolean' || isPersonKind(kind) || [locale, timeZone].some(isText);
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}
