import { ACCOUNTS, type AdminChange, ROLES } from '../administration/change.ts';
import { isObject, type Json } from '../json.ts';

type Check = (value: Json | undefined) => boolean;
const text: Check = (value) => typeof value === 'string';
const maybeText: Check = (value) => value === undefined || typeof value === 'string';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value);

const SHAPES: { [kind in AdminChange['kind']]: { [field: string]: Check } } = {
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
  'archive-channel': { channel: text },
  'unarchive-channel': { channel: text },
  'add-to-channel': { channel: text, person: text },
  'remove-from-channel': { channel: text, person: text },
};

/** Whether it has the form of an `AdminChange`. */
export function isAdminChange(value: Json | undefined): boolean {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(SHAPES, value.kind)) return false;
  const shape = SHAPES[value.kind as AdminChange['kind']];
  return Object.entries(shape).every(([field, check]) => check(value[field]));
}
