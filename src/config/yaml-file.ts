import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type * as Yaml from 'yaml';
import type { Document, Node } from 'yaml';
import { ok, type Result, refuse } from '../core/values/result.ts';
import type { Environment } from './environment.ts';

// Reads a YAML file with environment variables in it, and says where in the file a mistake is.

/** Loads the package only if there is a file: that would be a tenth of the start. */
const load: (name: 'yaml') => typeof Yaml = createRequire(import.meta.url);

type Path = readonly PropertyKey[];

/** A message about a place in a file. */
export interface Remark {
  /** Offset from the start of the file. */
  offset: number;
  /** Begins with the line's number. */
  sentence: string;
}

export interface YamlFile {
  content: unknown;
  /** Returns the line of the value at a path, or of its parent. */
  lineOf(path: Path): number;
  /** Returns a message about the whole file. */
  remarks: Remark[];
  /** Returns a message about the value at a path, or about its parent. The text follows its name. */
  remark(path: Path, text: string): Remark;
}

/** Repeated keys don't stop the reading. */
const HARMLESS = 'DUPLICATE_KEY';

/** The refusal never quotes the file. */
export function readYaml(text: string): Result<YamlFile, string[]> {
  const { LineCounter, parseDocument } = load('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  const lineAt = (offset: number) => `line ${lines.linePos(offset).line}`;
  const lineOf = (path: Path) => lines.linePos(offsetOf(document.contents, path)).line;
  const remarks = document.errors.map(({ code, pos: [offset] }) => ({
    offset,
    sentence: `${lineAt(offset)}: ${yamlProblem(code)}`,
  }));
  const isBroken = document.errors.some(({ code }) => code !== HARMLESS);
  if (isBroken) return refuse(remarks.map(({ sentence }) => sentence));
  const content = contentOf(document);
  if (!content) return refuse(['an alias (*name) has no anchor (&name) before it; put a value with * in quotes']);
  const remark = (path: Path, text: string) => {
    const offset = offsetOf(document.contents, path);
    const place = [lineAt(offset), nameOf(path)].filter((part) => part !== '').join(', ');
    return { offset, sentence: `${place} ${text}` };
  };
  return ok({ content: content.value, lineOf, remarks, remark });
}

function contentOf(document: Document): { value: unknown } | null {
  try {
    return { value: document.toJS() };
  } catch {
    return null;
  }
}

/** Returns the offset of the key or item at the end of a path, or of the last part that exists. */
function offsetOf(node: Node | null, path: Path, offset = startOf(node) ?? 0): number {
  const { isMap, isScalar, isSeq } = load('yaml');
  const [part, ...rest] = path;
  if (part === undefined) return offset;
  if (isMap<Node, Node | null>(node)) {
    // The last one of two equal keys counts.
    const pair = node.items.findLast(({ key }) => isScalar(key) && String(key.value) === String(part));
    return pair ? offsetOf(pair.value, rest, startOf(pair.key) ?? offset) : offset;
  }
  const item = isSeq<Node>(node) && typeof part === 'number' ? node.items[part] : undefined;
  return item ? offsetOf(item, rest) : offset;
}

function startOf(node: Node | null): number | null {
  return node?.range?.[0] ?? null;
}

/** Returns a path in words, such as `crews[0].inputs.topic`. */
function nameOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Uses the parser's error code: its message quotes the broken line, which may hold a token. */
function yamlProblem(code: string): string {
  const hint = code === 'BAD_SCALAR_START' ? ': put a value that starts with @ in quotes' : '';
  return `this isn't YAML (${code.toLowerCase().replaceAll('_', ' ')})${hint}`;
}

interface Missing {
  path: (string | number)[];
  name: string;
}

interface Substituted {
  value: unknown;
  /** The value, with undefined for each string that names a missing variable. */
  known: unknown;
  missing: Missing[];
}

/**
 * Replaces `${NAME}` in every string of a value by that variable; `$${` stands for `${` itself. Variables that aren't set, or
 * are empty, are returned with the path of the string.
 * @param instead what stands for a string at a path that names such a variable; null for nothing
 */
export function substitute(
  value: unknown,
  env: Environment,
  instead: (path: readonly PropertyKey[]) => string | null = () => null,
): Substituted {
  const missing: Missing[] = [];
  const replaced = mapStrings(value, (text, path) => {
    const { replaced, unset } = replaceIn(text, env);
    const other = unset.length === 0 ? null : instead(path);
    if (other !== null) return other;
    missing.push(...unset.map((name) => ({ path, name })));
    return replaced;
  });
  const known = mapStrings(value, (text, path) => {
    const { replaced, unset } = replaceIn(text, env);
    return unset.length === 0 ? replaced : (instead(path) ?? undefined);
  });
  return { value: replaced, known, missing };
}

function replaceIn(text: string, env: Environment): { replaced: string; unset: string[] } {
  const unset: string[] = [];
  const replaced = text.replace(/\$(\$\{)|\$\{([^}]*)\}/g, (_, escaped?: string, written = '') => {
    if (escaped !== undefined) return escaped;
    const name = String(written).trim();
    const variable = env[name];
    if (!variable) unset.push(name);
    return variable ?? '';
  });
  return { replaced, unset };
}

function mapStrings(
  part: unknown,
  change: (text: string, path: (string | number)[]) => unknown,
  path: (string | number)[] = [],
): unknown {
  if (typeof part === 'string') return change(part, path);
  if (Array.isArray(part)) return part.map((item, i) => mapStrings(item, change, [...path, i]));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, mapStrings(item, change, [...path, key])]));
}

/** Returns the crews file's whole path for messages, since a relative path may be meant from another folder. */
export function nameOfFile(path: string): string {
  return `CREWS_FILE (${resolve(path)})`;
}

/** Reads a file in UTF-8, or returns why it can't be read. */
export function readText(path: string): Result<string, string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    return refuse(whyUnread(error));
  }
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
    case 'EPERM':
      return "this user isn't allowed to read it";
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return "it isn't text in UTF-8";
    default:
      return code === '' ? String(error) : code;
  }
}
