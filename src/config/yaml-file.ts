import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, Node } from 'yaml';
import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';

/** Called only where there is a file to read: loading the package would be a tenth of the start of a bot that has none. */
const load: (name: 'yaml') => typeof Yaml = createRequire(import.meta.url);

type Path = readonly PropertyKey[];

/** Something to say about a place in a file. */
export interface Remark {
  /** How far from the start of the file. */
  offset: number;
  /** Starts with the line. */
  sentence: string;
}

export interface YamlFile {
  content: unknown;
  /** The line of the value at a path, or of what holds it. */
  lineOf(path: Path): number;
  /** About the file as such. */
  remarks: Remark[];
  /** About the value at a path, or the one that lacks it; the text follows its name. */
  remark(path: Path, text: string): Remark;
}

/** Keys that are there twice don't keep the rest from being read. */
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

/** Where the key or the item at the end of a path begins, or of as much of the path as there is. */
function offsetOf(node: Node | null, path: Path, offset = startOf(node) ?? 0): number {
  const { isMap, isScalar, isSeq } = load('yaml');
  const [part, ...rest] = path;
  if (part === undefined) return offset;
  if (isMap<Node, Node | null>(node)) {
    // Of keys that are there twice, the last one counts.
    const pair = node.items.findLast(({ key }) => isScalar(key) && String(key.value) === String(part));
    return pair ? offsetOf(pair.value, rest, startOf(pair.key) ?? offset) : offset;
  }
  const item = isSeq<Node>(node) && typeof part === 'number' ? node.items[part] : undefined;
  return item ? offsetOf(item, rest) : offset;
}

function startOf(node: Node | null): number | null {
  return node?.range?.[0] ?? null;
}

/** `crews[0].inputs.topic` */
function nameOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** By the parser's error code: its message quotes the broken line, which may hold a token. */
function yamlProblem(code: string): string {
  const hint = code === 'BAD_SCALAR_START' ? ': put a value that starts with @ in quotes' : '';
  return `this isn't YAML (${code.toLowerCase().replaceAll('_', ' ')})${hint}`;
}
