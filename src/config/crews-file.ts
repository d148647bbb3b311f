import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Crew } from '../core/crew.ts';
import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import { closestName } from './closest-name.ts';
import { CREW_SETTINGS, SETTING_NAMES } from './crew-settings.ts';
import type { Environment } from './environment.ts';
import { substitute } from './substitute.ts';

const CREWS_FILE = z.strictObject(
  {
    crews: z
      .array(CREW_SETTINGS, { error: 'is missing: the list of crews' })
      .min(1, 'is an empty list: add a crew')
      .check((context) => {
        const seen = new Set<string>();
        context.value.forEach(({ name }, i) => {
          const message = 'is already the name of another crew';
          if (seen.has(name.toLowerCase())) {
            context.issues.push({ code: 'custom', path: [i, 'name'], message, input: name });
          }
          seen.add(name.toLowerCase());
        });
      }),
  },
  { error: 'must start with crews: and a list' },
);

/**
 * Parses a crews file, with `${NAME}` in its values replaced from the environment. The refusal names every mistake with its
 * line, but never a value, which may be a token.
 */
export function parseCrewsFile(text: string, env: Environment): Result<Crew[], string[]> {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  const lineAt = (offset: number) => `line ${lines.linePos(offset).line}`;
  const broken = document.errors.map(({ code, pos }) => `${lineAt(pos[0])}: ${yamlProblem(code)}`);
  if (broken.length > 0) return refuse(broken);

  const lineOf = (path: PropertyKey[]): string => {
    const node = document.getIn(path, true);
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
    if (Array.isArray(range) && typeof range[0] === 'number') return lineAt(range[0]);
    return path.length === 0 ? 'line 1' : lineOf(path.slice(0, -1));
  };
  const place = (path: PropertyKey[]) => [lineOf(path), nameOf(path)].filter((part) => part !== '').join(', ');

  const content = contentOf(document);
  if (!content) return refuse(['an alias (*name) has no anchor (&name) before it; put a value with * in quotes']);
  const { value, missing } = substitute(content.value, env);
  const parsed = CREWS_FILE.safeParse(value);
  const problems = [
    ...missing.map(({ path, name }) => `${place(path)} names the variable ${name}, which isn't set`),
    ...(parsed.error?.issues ?? [])
      .filter(({ path }) => !missing.some((each) => nameOf(each.path) === nameOf(path)))
      .flatMap((issue) => sentences(issue, place)),
  ];
  return parsed.success && problems.length === 0 ? ok(parsed.data.crews) : refuse(problems);
}

function contentOf(document: ReturnType<typeof parseDocument>): { value: unknown } | null {
  try {
    return { value: document.toJS() };
  } catch {
    return null;
  }
}

type Issue = z.core.$ZodIssue;

function sentences(issue: Issue, place: (path: PropertyKey[]) => string): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${place(issue.path)} ${issue.message}`];
  return issue.keys.map((key) => {
    const meant = closestName(key, SETTING_NAMES);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    return `${place([...issue.path, key])} isn't a setting${hint}`;
  });
}

/** `crews[0].inputs.topic` */
function nameOf(path: PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** By the parser's error code: its message quotes the broken line, which may hold a token. */
function yamlProblem(code: string): string {
  return `this isn't YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
}
