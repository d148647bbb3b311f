import { isObject, type Json, type JsonObject } from '../json.ts';
import type { PersonAction } from '../person-actions.ts';
import { isAdminChange } from './parse-admin-change.ts';

type Check = (value: Json | undefined) => boolean;
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => value === undefined || typeof value === 'boolean';
const maybeText: Check = (value) => value === undefined || typeof value === 'string';
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

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

const SHAPES: { [type in PersonAction['type']]: { [field: string]: Check } } = {
  send: { channel: text, text, threadTs: maybeText, alsoToChannel: flag },
  use: { place: isPlace, blockId: text, actionId: text, input: isInput, confirmed: flag, inputs: maybeInputs },
  fill: { viewId: text, inputs: isInputs },
  submit: { viewId: text, inputs: maybeInputs },
  close: { viewId: text, extent: oneOf('one', 'all') },
  'open-home': { tab: oneOf('home', 'messages') },
  'message-shortcut': { callbackId: text, channel: text, ts: text },
  'global-shortcut': { callbackId: text },
  join: { channel: text },
  'set-time-zone': { timeZone: text },
  'set-presence': { presence: oneOf('auto', 'away') },
  'join-group': { group: text },
  'leave-group': { group: text },
  administer: { change: isAdminChange },
  'mark-read': { channel: text, ts: text },
  dismiss: { channel: text, ts: text },
};

/** Parses a person's action; undefined if invalid. */
export function parseAction(body: JsonObject): PersonAction | undefined {
  return isAction(body) ? body : undefined;
}

function isAction(body: JsonObject): body is JsonObject & PersonAction {
  if (typeof body.type !== 'string' || !Object.hasOwn(SHAPES, body.type)) return false;
  const shape = SHAPES[body.type as PersonAction['type']];
  return Object.entries(shape).every(([field, check]) => check(body[field]));
}
