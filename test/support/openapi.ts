import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';

const RESPONSE = z.looseObject({
  headers: z.record(z.string(), z.object({ required: z.boolean(), schema: z.unknown() })).default({}),
});
const OPERATION = z.looseObject({ responses: z.record(z.string(), RESPONSE) });
const DOCUMENT = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.looseObject({ get: OPERATION, post: OPERATION, delete: OPERATION }).partial()),
});

type Method = 'get' | 'post' | 'delete';

/** A request and its answer. */
export interface Exchange {
  method: string;
  /** Below the address of the server, without a query. */
  path: string;
  answer: Response;
}

export interface Described {
  document: z.infer<typeof DOCUMENT>;
  /** What of an answer isn't as described; null if it is. */
  problem(exchange: Exchange): Promise<string | null>;
  /** Whether a value is as the schema at this JSON pointer says, and has no other fields; the problems, or null. */
  problemAt(pointer: string, value: unknown): string | null;
  /** The described answers that no exchange had yet, each such as `post /asks 201`. */
  notMet(): string[];
}

/** Reads a description. Throws if it isn't what OpenAPI 3.1 says: https://spec.openapis.org/oas/3.1/schema/2022-10-07.html */
export async function readDescription(given: unknown): Promise<Described> {
  const validity = await new Validator().validate(Object(given));
  if (!validity.valid) throw new Error(`The description isn't valid: ${JSON.stringify(validity.errors)}`);
  const document = DOCUMENT.parse(given);
  if (!document.openapi.startsWith('3.1.')) throw new Error(`The description is of OpenAPI ${document.openapi}.`);
  const isDate = (text: string) => !Number.isNaN(Date.parse(text));
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': isDate, uri: URL.canParse, uuid: true },
  });
  ajv.addSchema({ $id: 'description', ...closed(document) });
  const met = new Set<string>();

  const problemAt = (pointer: string, value: unknown) => {
    const validate = ajv.getSchema(`description#${pointer}`);
    if (!validate) return `Nothing is described at ${pointer}.`;
    return validate(value) ? null : `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`;
  };

  return {
    document,
    problemAt,
    async problem({ method, path, answer }) {
      const described = Object.keys(document.paths).find((each) => matches(each, path));
      const operations = document.paths[described ?? ''] ?? {};
      // A method that isn't taken has no operation of its own.
      const own = METHODS.filter((each) => operations[each] && each === method.toLowerCase());
      const meant = answer.status === 405 ? METHODS.filter((each) => operations[each]) : own;
      if (described === undefined || meant.length === 0) return `${method} ${path} isn't described.`;
      const text = await answer.text();
      const problems = meant.map((each) => {
        const response = operations[each]?.responses[answer.status];
        if (!response) return `${each} ${path} isn't said to answer ${answer.status}: ${text}`;
        met.add(`${each} ${described} ${answer.status}`);
        const missing = Object.entries(response.headers).filter(
          ([name, { required }]) => required && answer.headers.get(name) === null,
        );
        if (missing.length > 0)
          return `${each} ${path} ${answer.status} lacks ${missing.map(([name]) => name).join(', ')}.`;
        const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
        const steps = ['paths', described, each, 'responses', String(answer.status), 'content', type, 'schema'];
        return problemAt(pointerOf(steps), type === 'application/json' ? JSON.parse(text) : text);
      });
      return problems.find((each) => each !== null) ?? null;
    },
    notMet: () =>
      Object.entries(document.paths).flatMap(([path, operations]) =>
        METHODS.flatMap((each) =>
          Object.keys(operations[each]?.responses ?? {})
            .map((status) => `${each} ${path} ${status}`)
            .filter((answer) => !met.has(answer)),
        ),
      ),
  };
}

const METHODS: Method[] = ['get', 'post', 'delete'];

/** https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

function matches(described: string, path: string): boolean {
  const parts = path.split('/');
  const names = described.split('/');
  return names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i]);
}

/** A description lets senders add fields later; what they send today has only those that it names. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, closed(each)]);
  const isOpen = 'properties' in value && !('additionalProperties' in value);
  return Object.fromEntries([...entries, ...(isOpen ? [['additionalProperties', false]] : [])]);
}
