// Recognises outputs that aren't prose: JSON, and tool calls in the shapes that agent frameworks write.
import type { Rendering } from '../../core/state/post.ts';
import { cleanText, withSigns } from '../../core/values/text.ts';
import { indentedJson, type JsonPart, parseJson } from './text/json-text.ts';

export interface ToolCall {
  tool: string;
  args: JsonPart;
}

/** A structured text. */
export interface Structure {
  /** Markdown above the JSON; '' if there is none. */
  before: string;
  calls: readonly ToolCall[];
  /** The rest of the JSON besides its calls; null if there is none. */
  value: JsonPart | null;
  /** The agent's own words on why it asks; '' if it doesn't say. */
  reason: string;
}

/** Returns the structure of an output; null for prose. */
export function structureOf(text: string): Structure | null {
  const json = jsonIn(cleanText(text).trim());
  if (json === null || isArticle(json.before) || !hasNames(json.value)) return null;
  const { before, tool } = json;
  const { value, reason } = withoutReason(json.value);
  if (tool !== null) return { before, calls: [{ tool, args: value }], value: null, reason };
  const [calls, rest] = callsIn(value);
  if (!calls.every(({ args }) => hasNames(args))) return null;
  const own = calls.map((call) => ({ tool: call.tool, ...withoutReason(call.args) }));
  const reasons = [reason, ...own.map((call) => call.reason)].filter(Boolean);
  return {
    before,
    calls: own.map((call) => ({ tool: call.tool, args: call.value })),
    value: rest,
    reason: [...new Set(reasons)].join('\n'),
  };
}

/** Returns the structure of an output; null for prose, and if the rendering shows nothing of the text. */
export function structureIn(output: string | null, rendering: Rendering): Structure | null {
  return output === null || rendering === 'bare' ? null : structureOf(output);
}

/** The text above JSON is shown whole, so a long text that only ends with JSON counts as prose. */
const LONGEST_BEFORE = { characters: 1_000, lines: 12 };

function isArticle(before: string): boolean {
  return before.length > LONGEST_BEFORE.characters || before.split('\n').length > LONGEST_BEFORE.lines;
}

/** A longer name, or one of several lines, could pass for other text. */
const LONGEST_NAME = 100;

/** Returns true if the fields of a value can be shown under their names. */
function hasNames(value: JsonPart): boolean {
  if (value.kind === 'array') return value.items.every(hasNames);
  if (value.kind !== 'object') return true;
  const isName = (name: string) => name.length <= LONGEST_NAME && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  return value.entries.every(([name, held]) => isName(name) && hasNames(held));
}

/** Returns what to compare of a structured text: the arguments of its only call, or all of its JSON. Null for prose. */
export function calledValue(text: string): { above: string; value: JsonPart } | null {
  const json = jsonIn(cleanText(text).trim());
  if (json === null) return null;
  const [[call, ...others], rest] = json.tool === null ? callsIn(json.value) : [[], null];
  const isCall = call !== undefined && others.length === 0 && rest === null;
  const tool = isCall ? call.tool : (json.tool ?? '');
  return { above: `${json.before}\n${tool}`, value: isCall ? call.args : json.value };
}

/** Returns the tool of a single call; null for several calls, and for none. */
export function calledTool(structure: Structure | null): string | null {
  const [call, ...others] = structure?.calls ?? [];
  return call !== undefined && others.length === 0 ? call.tool : null;
}

interface JsonIn {
  before: string;
  /** The name of a tool right before its arguments; null if there is none. */
  tool: string | null;
  value: JsonPart;
}

const TOOL = /^[\w.:/-]{1,100}$/;
/** The name of a tool and its arguments on one line. */
const INLINE = /^([\w.:/-]{1,100}) (`+)(\{.*\})\2$/;
const CLOSING = /^(`{3,}|~{3,})$/;
const OPENING = /^(`{3,}|~{3,})(?:json)?[ \t]*$/i;

/** Finds JSON that is the whole text, or that ends it as code, perhaps below the name of a tool. */
function jsonIn(text: string): JsonIn | null {
  const whole = parseJson(text);
  if (whole !== null) return { before: '', tool: null, value: whole };
  if (!text.endsWith('`') && !text.endsWith('~')) return null;
  const lines = text.split('\n');
  const [, tool = '', , args = ''] = INLINE.exec(lines.at(-1) ?? '') ?? [];
  const inline = parseJson(args);
  if (inline !== null) return { before: lines.slice(0, -1).join('\n').trim(), tool, value: inline };
  const [, marks] = CLOSING.exec(lines.pop() ?? '') ?? [];
  const opening = lines.findLastIndex((line) => OPENING.exec(line)?.[1] === marks);
  const value = opening === -1 ? null : parseJson(lines.slice(opening + 1).join('\n'));
  const above = lines.slice(0, opening);
  // A text with other code above its JSON is an article rather than a structure.
  if (value === null || above.some((line) => /^[ \t>]*(?:`{3}|~{3})/.test(line))) return null;
  const name = above.findLast((line) => line.trim() !== '')?.trim() ?? '';
  // A word that ends a sentence and a title are no names of a tool.
  const isTool = value.kind === 'object' && TOOL.test(name) && /^[a-z].*[a-zA-Z\d]$/.test(name);
  const before = above.join('\n').trimEnd();
  return isTool
    ? { before: before.slice(0, -name.length).trim(), tool: name, value }
    : { before: before.trim(), tool: null, value };
}

/** Arguments in which agents write what people need in order to decide. */
const REASONS = ['approval_context', 'approvalContext', 'why'];
/** A longer reason is a field like the others, so that the card says how much of it is left out. */
const LONGEST_REASON = 600;

function withoutReason(value: JsonPart): { value: JsonPart; reason: string } {
  if (value.kind !== 'object') return { value, reason: '' };
  const isReason = ([name, held]: readonly [string, JsonPart]) =>
    REASONS.includes(name) && held.kind === 'text' && held.text.trim() !== '' && held.text.length <= LONGEST_REASON;
  const reasons = value.entries.filter(isReason);
  if (reasons.length === 0) return { value, reason: '' };
  return {
    value: { kind: 'object', entries: value.entries.filter((entry) => !isReason(entry)) },
    reason: reasons.map(([, held]) => (held.kind === 'text' ? cleanText(withSigns(held.text)).trim() : '')).join('\n'),
  };
}

/** Names that frameworks give to lists of calls. */
const LISTS = ['action_requests', 'actionRequests', 'tool_calls', 'toolCalls'];
/** Names of lists for the program that shows the calls. */
const FOR_PROGRAMS = ['review_configs', 'reviewConfigs'];

/** Returns the calls in a value, and the rest of it. */
function callsIn(value: JsonPart): [calls: readonly ToolCall[], rest: JsonPart | null] {
  const one = callOf(value);
  if (one !== null) return [[one], null];
  if (value.kind === 'array') {
    const calls = callsOf(value.items);
    return calls === null ? [[], value] : [calls, null];
  }
  if (value.kind !== 'object') return [[], value];
  const lists = value.entries.filter(([name]) => LISTS.includes(name)).map(([, list]) => list);
  const calls = lists.length === 1 && lists[0]?.kind === 'array' ? callsOf(lists[0].items) : null;
  if (calls === null) return [[], value];
  const rest = value.entries.filter(
    ([name, held]) => !LISTS.includes(name) && !(FOR_PROGRAMS.includes(name) && isConfiguration(held)),
  );
  return [calls, rest.length === 0 ? null : { kind: 'object', entries: rest }];
}

/** Names in LangChain's configuration of the answers that a tool takes, which says nothing about the call. */
const TOOL_NAMES = ['action_name', 'actionName'];
const ANSWER_LISTS = ['allowed_decisions', 'allowedDecisions'];
const ANSWERS = ['approve', 'edit', 'reject', 'respond'];

function isConfiguration(value: JsonPart): boolean {
  const isAnswer = (item: JsonPart) => item.kind === 'text' && ANSWERS.includes(item.text);
  const isSetting = ([name, held]: Entries[number]) =>
    (TOOL_NAMES.includes(name) && held.kind === 'text' && TOOL.test(held.text)) ||
    (ANSWER_LISTS.includes(name) && held.kind === 'array' && held.items.every(isAnswer));
  return value.kind === 'array' && value.items.every((item) => item.kind === 'object' && item.entries.every(isSetting));
}

function callsOf(items: readonly JsonPart[]): readonly ToolCall[] | null {
  const calls = items.map(callOf).filter((call) => call !== null);
  return calls.length > 0 && calls.length === items.length ? calls : null;
}

/** Pairs of names under which a call has its tool and its arguments. */
const PAIRS = [
  ['name', ['args', 'arguments', 'parameters']],
  ['tool', ['args', 'arguments', 'parameters', 'input', 'tool_input']],
  ['tool_name', ['args', 'arguments', 'parameters', 'input', 'tool_input', 'tool_args']],
  ['action', ['args', 'arguments', 'parameters', 'action_input']],
] as const;

/** Names of ids that only the calling program needs, and the form of such ids. */
const NUMBERS = ['id', 'call_id', 'tool_call_id'];
const CALL_TYPES = ['function', 'function_call', 'tool_call', 'tool_use'];
const CALL_NUMBER = /^(?:call|fc|toolu|tooluse|tool_call|chatcmpl-tool)[_-][\w-]{1,100}$/;
/** The place of a call among others, which streams have beside its type. */
const INDEX = /^\d{1,2}$/;

function callOf(value: JsonPart): ToolCall | null {
  if (value.kind !== 'object') return null;
  const fields = new Map(value.entries);
  // If a name is given twice, nobody knows which one counts.
  if (fields.size !== value.entries.length) return null;
  const inner = fields.get('function');
  if (inner?.kind === 'object') return callWith(callOf(inner), value.entries, ['function']);
  const type = fields.get('type');
  if (type?.kind === 'text' && type.text === 'tool_use' && fields.has('input'))
    return callOfPair(value.entries, fields, ['name', 'input']);
  for (const [name, names] of PAIRS) {
    const args = names.find((each) => fields.has(each));
    const call = args === undefined ? null : callOfPair(value.entries, fields, [name, args]);
    if (call !== null) return call;
  }
  return null;
}

type Entries = readonly (readonly [name: string, value: JsonPart])[];

function callOfPair(
  entries: Entries,
  fields: ReadonlyMap<string, JsonPart>,
  [name, argsName]: readonly [string, string],
): ToolCall | null {
  const tool = fields.get(name);
  const argsValue = fields.get(argsName);
  if (tool?.kind !== 'text' || !TOOL.test(tool.text) || argsValue === undefined) return null;
  // OpenAI's arguments are JSON within a text.
  const args = argsValue.kind === 'text' ? parseJson(argsValue.text) : argsValue;
  return args?.kind === 'object' ? callWith({ tool: tool.text, args }, entries, [name, argsName]) : null;
}

/** Adds the fields beside the arguments to them, without ids that only a program needs. */
function callWith(call: ToolCall | null, entries: Entries, names: readonly string[]): ToolCall | null {
  const isTyped = entries.some(([name, value]) => name === 'type' && isCallType(value));
  const isForProgram = ([name, value]: Entries[number]) =>
    numbersCall(name, value, isTyped ? 'typed' : 'untyped') || (call !== null && describesCall(name, value, call));
  const others = entries.filter((entry) => !names.includes(entry[0]) && !isForProgram(entry));
  if (call === null || call.args.kind !== 'object' || others.length === 0) return call;
  return { tool: call.tool, args: { kind: 'object', entries: [...call.args.entries, ...others] } };
}

function isCallType(value: JsonPart): boolean {
  return value.kind === 'text' && CALL_TYPES.includes(value.text);
}

/** Returns true for an id that only the calling program needs. Any other value of these names may matter to people. */
function numbersCall(name: string, value: JsonPart, call: 'typed' | 'untyped'): boolean {
  if (name === 'index') return call === 'typed' && value.kind === 'raw' && INDEX.test(value.text);
  if (name === 'type') return isCallType(value);
  return NUMBERS.includes(name) && value.kind === 'text' && CALL_NUMBER.test(value.text);
}

/** Returns true for LangChain's description of a call, if it says nothing but the tool and the arguments, as Python writes them. */
function describesCall(name: string, value: JsonPart, { tool, args }: ToolCall): boolean {
  const beginning = `Tool execution requires approval\n\nTool: ${tool}\nArgs: `;
  if (name !== 'description' || value.kind !== 'text' || !value.text.startsWith(beginning)) return false;
  const argWords = new Set([...wordsIn(indentedJson(args)), 'none']);
  return wordsIn(value.text.slice(beginning.length)).every((word) => argWords.has(word));
}

function wordsIn(text: string): string[] {
  const words = text.replace(/\\[nrt]/g, ' ').toLowerCase();
  return words.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const ACRONYMS = 'id url uri sql api ip iban vat pdf csv html json pr sku eur usd gbp chf'.split(' ');
/** Words in names of programs that people spell in a special way. */
const SPELLINGS = new Map([
  ['email', 'e-mail'],
  ['emails', 'e-mails'],
  ['ids', 'IDs'],
  ['urls', 'URLs'],
  ...ACRONYMS.map((word): [string, string] => [word, word.toUpperCase()]),
]);

/** Writes the name of a field in words: `refund_amount` becomes “Refund amount”. Other text stays as it is. */
export function inWords(name: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(name)) return name;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map(wordOf);
  const text = words.join(' ');
  return text === '' ? name : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function wordOf(word: string): string {
  const plain = word.toLowerCase();
  return SPELLINGS.get(plain) ?? (/^[A-Z\d]{2,}$/.test(word) ? word : plain);
}

/** Writes the name of a tool in words, without the names of servers before it: `mcp__github__create_issue`. */
export function toolInWords(tool: string): string {
  const parts = tool.split(/__|[.:/]/).filter(Boolean);
  return inWords(parts.at(-1) ?? tool);
}

/** Writes the names of one object's fields in words, except names that would look alike. */
export function namesInWords(names: readonly string[]): string[] {
  const words = names.map(inWords);
  const counts = new Map<string, number>();
  for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return words.map((each, i) => (counts.get(each) === 1 ? each : (names[i] ?? each)));
}
