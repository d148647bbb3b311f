// The tool calls that an agent of LangChain has people review before it makes them:
// https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop
import { z } from 'zod';
import type { Decision } from '../crew-description.ts';
import { approvedText } from '../crews/edits.ts';
import { asText, isObject, type Json, type JsonObject, jsonIn } from '../json.ts';

export type ToolCall = {
  readonly name: string;
  readonly args: JsonObject;
  /** The agent's own words about it; '' without any. */
  readonly why: string;
  /** `approve`, `edit`, `reject`. */
  readonly allowed: readonly string[];
  /** JSON Schema of the arguments, where the middleware was told one. */
  readonly argsSchema?: Json | undefined;
};

/** The middleware takes one of these for each call. */
export type ToolDecision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly editedAction: { readonly name: string; readonly args: JsonObject } }
  | { readonly type: 'reject'; readonly message?: string };

/** A tool, as far as it tells which arguments it takes. */
export type Tool = { readonly name: string; readonly schema?: unknown };

const args = z.custom<JsonObject>((value) => isObject(value as Json | undefined));

const review = z.object({
  actionRequests: z.array(z.object({ name: z.string(), args, description: z.string().nullish() })).min(1),
  reviewConfigs: z.array(
    z.object({
      actionName: z.string(),
      allowedDecisions: z.array(z.string()),
      argsSchema: z.custom<Json>().optional(),
    }),
  ),
});

/** The calls that an interrupt of `humanInTheLoopMiddleware` asks about, in their order; undefined for any other interrupt. */
export function toolCallsIn(question: Json): readonly ToolCall[] | undefined {
  const parsed = review.safeParse(question);
  if (!parsed.success) return undefined;
  const { actionRequests, reviewConfigs } = parsed.data;
  const configs = new Map(reviewConfigs.map((config) => [config.actionName, config]));
  const calls = actionRequests.flatMap(({ name, args, description }) => {
    const { allowedDecisions: allowed, argsSchema } = configs.get(name) ?? {};
    return allowed ? [{ name, args, why: ownWords(description ?? '', { name, args }), allowed, argsSchema }] : [];
  });
  // The middleware says of each call what may be decided. Without that, no decision could be used.
  return calls.length === actionRequests.length ? calls : undefined;
}

/** The middleware's own description says no more than the call. */
function ownWords(description: string, { name, args }: Pick<ToolCall, 'name' | 'args'>): string {
  const isDefault = description.endsWith(`Tool: ${name}\nArgs: ${JSON.stringify(args, null, 2)}`);
  return isDefault ? '' : description.trim();
}

/** People see and edit this text. Signoff shows its shape as a call, with the arguments as fields and `why` above them. */
export function toolCallText({ name, args, why }: ToolCall): string {
  return asText({ name, args, ...(why !== '' && { why }) });
}

/** The decision can't be followed: people have to be asked again, and told why. */
export class UnusableDecision extends Error {
  override name = 'UnusableDecision';
}

/** Makes of a decision what the middleware takes for a call. Rejects with `UnusableDecision` if it would take no such answer, or the tool no such arguments. */
export async function toolDecision(call: ToolCall, decision: Decision, tools: readonly Tool[]): Promise<ToolDecision> {
  const { allowed, name } = call;
  const { approved, text } = decision;
  if (!approved) {
    if (!allowed.includes('reject'))
      throw new UnusableDecision(`The tool ${name} takes no rejection. Approve the call, or edit it.`);
    return text === '' ? { type: 'reject' } : { type: 'reject', message: text };
  }
  const question = toolCallText(call);
  const edited = approvedText(question, [{ text }]);
  const args = edited === question ? call.args : editedArgs(call, edited);
  const isEdited = JSON.stringify(args) !== JSON.stringify(call.args);
  if (!isEdited && allowed.includes('approve')) return { type: 'approve' };
  if (!allowed.includes('edit'))
    throw new UnusableDecision('The tool takes no edits. Approve or reject the call as it is.');
  if (!isEdited)
    throw new UnusableDecision('The tool takes no approval without edits. Approve it with edits, or reject it.');
  const schema = tools.find((tool) => tool.name === name)?.schema ?? call.argsSchema;
  const problems = await problemsWith(args, name, schema);
  if (problems.length > 0) throw new UnusableDecision(problems.join(' '));
  return { type: 'edit', editedAction: { name, args } };
}

/** The call that is asked about again: nothing was called yet. */
export function withReason(call: ToolCall, { message }: UnusableDecision): ToolCall {
  const reason = `The answer can’t be used: ${message} Nothing has been called yet.`;
  return { ...call, why: `${reason}\n\n${call.why}`.trim() };
}

function editedArgs(call: ToolCall, text: string): JsonObject {
  const edited = jsonIn(text);
  if (edited === undefined) throw new UnusableDecision('The edited text is no JSON.');
  if (!isObject(edited) || !isObject(edited.args) || Object.keys(edited).some((name) => !EDITABLE.includes(name)))
    throw new UnusableDecision('The edited text must be JSON with name and args, as it was.');
  if (edited.name !== call.name) throw new UnusableDecision('Edits can’t name another tool.');
  return edited.args;
}

const EDITABLE = ['name', 'args', 'why'];

/** https://standardschema.dev: the schemas of zod, among others. */
type StandardSchema = {
  readonly '~standard': {
    validate(value: unknown): Promise<Validated> | Validated;
  };
  /** An object's schema in zod has it. */
  readonly shape?: object;
};

type Validated = { readonly value?: unknown; readonly issues?: readonly Issue[] | undefined };
type Issue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** A sentence for each argument that the tool's schema doesn't take, as far as the schema tells. */
async function problemsWith(args: JsonObject, tool: string, schema: unknown): Promise<string[]> {
  if (typeof schema !== 'object' || schema === null) return [];
  if (!('~standard' in schema)) return problemsByJsonSchema(args, tool, schema);
  const { '~standard': standard, shape = {} } = schema as StandardSchema;
  const { value, issues } = await standard.validate(args);
  if (issues) return issues.map(sentenceOf);
  // Tools leave out what they don't know, and with it what people wanted.
  const merged = { ...shape, ...Object(value) };
  return unknownArgs(Object.keys(args), Object.keys(merged), tool);
}

function sentenceOf({ path = [], message }: Issue): string {
  return `${path.map(keyOf).join('.')}: ${message}.`;
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

function problemsByJsonSchema(args: JsonObject, tool: string, schema: object): string[] {
  const { properties = {}, additionalProperties } = schema as JsonSchema;
  const unknown = additionalProperties ? [] : unknownArgs(Object.keys(args), Object.keys(properties), tool);
  const { error } = readJsonSchema(schema)?.safeParse(args) ?? {};
  return unknown.length > 0 ? unknown : (error?.issues.map(sentenceOf) ?? []);
}

type JsonSchema = { readonly properties?: object; readonly additionalProperties?: unknown };

/** Undefined for a schema with parts that zod doesn't know. The tool itself checks by it all the same. */
function readJsonSchema(schema: object): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.BaseSchema);
  } catch {
    return undefined;
  }
}

function unknownArgs(names: readonly string[], taken: readonly string[], tool: string): string[] {
  return names.filter((name) => !taken.includes(name)).map((name) => `${name} is no argument of ${tool}.`);
}

type WithNodes = { readonly nodes?: Readonly<Record<string, { readonly bound?: unknown }>> };

/** The tools of a graph's own nodes, or of those of the graph within an agent: `createAgent` makes one that has them. */
export function toolsOf(graph: object): readonly Tool[] {
  const { graph: within = graph } = graph as { graph?: WithNodes };
  const nodes = Object.values((within as WithNodes).nodes ?? {});
  return nodes.flatMap(({ bound }) => (bound as { tools?: readonly Tool[] } | undefined)?.tools ?? []);
}
