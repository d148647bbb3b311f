import { ACCOUNTS, type AdminChange, ROLES } from '../administration/change.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { PersonAction } from '../person-actions.ts';

type Check = (value: Json | undefined) => boolean;
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => value === undefined || typeof value === 'boolean';
const maybeText: Check = (value) => value === undefined || typeof value === 'string';
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value);

const isInput: Check = (value) => {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case 'text':
      return text(value.value);
    case 'options':
      return Array.isArray(value.values) && value.values.every(text);
    case 'ids':
      return Array.isArray(value.ids) && value.ids.every(text);
    case 'moment':
      return value.value === null || text(value.value);
    case 'instant':
      return value.seconds === null || Number.isInteger(value.seconds);
    case 'files':
      return (
        Array.isArray(value.files) && value.files.every((file) => isObject(file) && text(file.id) && text(file.name))
      );
    case 'press':
      return maybeText(value.value);
    default:
      return false;
  }
};
const isInputs: Check = (value) =>
  isObject(value) &&
  Object.values(value).every((actions) => isObject(actions) && Object.values(actions).every(isInput));
const maybeInputs: Check = (value) => value === undefined || isInputs(value);
const isPlace: Check = (value) =>
  isObject(value) &&
  ((value.in === 'message' && text(value.channel) && text(value.ts)) || (value.in === 'view' && text(value.viewId)));

const ACTIONS: { [type in PersonAction['type']]: { [field: string]: Check } } = {
  send: { channel: text, text, threadTs: maybeText, alsoToChannel: flag, workspace: maybeText },
  use: { place: isPlace, blockId: text, actionId: text, input: isInput, confirmed: flag, inputs: maybeInputs },
  fill: { viewId: text, inputs: isInputs },
  submit: { viewId: text, inputs: maybeInputs },
  close: { viewId: text, extent: oneOf(['one', 'all']) },
  'open-home': { tab: oneOf(['home', 'messages']) },
  'message-shortcut': { callbackId: text, channel: text, ts: text },
  'global-shortcut': { callbackId: text },
  join: { channel: text },
  'set-time-zone': { timeZone: text },
  'set-presence': { presence: oneOf(['auto', 'away']) },
  'join-group': { group: text },
  'leave-group': { group: text },
  administer: { change: isAdminChange },
  'start-workflow': { name: text, inputs: isInputs },
  'cancel-workflow': { runId: text },
  'mark-read': { channel: text, ts: text },
  dismiss: { channel: text, ts: text },
};

/** Parses a person's action; undefined if invalid. */
export function parseAction(body: JsonObject): PersonAction | undefined {
  return isAction(body) ? body : undefined;
}

function isAction(body: JsonObject): body is JsonObject & PersonAction {
  if (typeof body.type !== 'string' || !Object.hasOwn(ACTIONS, body.type)) return false;
  const shape = ACTIONS[body.type as PersonAction['type']];
  return Object.entries(shape).every(([field, check]) => check(body[field]));
}

const texts: Check = (value) => Array.isArray(value) && value.every(text);

const CHANGES: { [kind in AdminChange['kind']]: { [field: string]: Check } } = {
  deactivate: { person: text },
  reactivate: { person: text },
  'change-account': { person: text, account: oneOf(ACCOUNTS), channel: maybeText },
  'change-role': { person: text, role: oneOf(ROLES) },
  invite: { name: text, realName: text, account: oneOf(ACCOUNTS), channels: texts },
  'create-group': { name: text, handle: text, members: texts },
  'change-group': {
    group: text,
    name: maybeText,
    handle: maybeText,
    members: (value) => value === undefined || texts(value),
  },
  'disable-group': { group: text },
  'enable-group': { group: text },
  'create-channel': { name: text, isPrivate: (value) => typeof value === 'boolean' },
  'rename-channel': { channel: text, name: text },
  'share-channel': { channel: text },
  'archive-channel': { channel: text },
  'unarchive-channel': { channel: text },
  'add-to-channel': { channel: text, person: text },
  'remove-from-channel': { channel: text, person: text },
};

/** Returns true if it has the form of an `AdminChange`. */
function isAdminChange(value: Json | undefined): boolean {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(CHANGES, value.kind)) return false;
  const shape = CHANGES[value.kind as AdminChange['kind']];
  return Object.entries(shape).every(([field, check]) => check(value[field]));
}
