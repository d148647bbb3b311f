// The OpenAPI description of the service, made of the schemas that read requests and type answers.
// https://spec.openapis.org/oas/v3.1.1.html
import { z } from 'zod';
import type { Dialect } from '../dialects/dialect.ts';
import { isObject, type Json, type JsonObject, jsonOf } from '../json.ts';
import { type Problem, statusOf } from './answer.ts';
import { INPUTS, STARTED } from './routes.ts';

/** Describes the routes of section 4 of the specification and the webhooks, in the words of a dialect. */
export function describeService(dialect: Dialect): JsonObject {
  const { schemas } = dialect;
  const payloads = Object.entries(schemas.payloads).map(
    ([type, schema]) => [payloadName(type), schemaOf(schema)] as const,
  );
  const refusals = refusalsOf(dialect);
  const withCrew = { parameters: [CREW] };
  const post = (operation: JsonObject, request: z.ZodType, name: string, answer: Json) => ({
    ...operation,
    requestBody: { required: true, content: json(name) },
    responses: { 200: answer, ...refusals.always, ...refusals.body },
    callbacks: callbacksOf(request),
  });
  return {
    openapi: '3.1.1',
    info: {
      title: `Crew execution service, in the dialect ${dialect.name}`,
      // The interface has none of its own.
      version: '1',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: {
      '/crews/{crew}/inputs': {
        ...withCrew,
        get: {
          operationId: 'inputs',
          summary: 'Tells which inputs the crew needs.',
          responses: { 200: answerOf('The names of the inputs.', 'Inputs'), ...refusals.always },
        },
      },
      '/crews/{crew}/kickoff': {
        ...withCrew,
        post: post(
          { operationId: 'kickoff', summary: 'Starts an execution.', parameters: [KEY] },
          schemas.kickoff,
          'Kickoff',
          answerOf('It has started.', 'Started'),
        ),
      },
      '/crews/{crew}/status/{id}': {
        parameters: [CREW, { ...CREW, name: 'id', description: 'What the kickoff answered as kickoff_id.' }],
        get: {
          operationId: 'status',
          summary: 'Tells how far an execution is, and its result.',
          responses: { 200: answerOf('How far it is.', 'Status'), ...refusals.always },
        },
      },
      '/crews/{crew}/resume': {
        ...withCrew,
        post: post(
          { operationId: 'resume', summary: 'Takes what a person says to the output of a task.' },
          schemas.resume,
          'Resume',
          answerOf('It is taken.', 'Resumed'),
        ),
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Inputs: schemaOf(INPUTS),
        Kickoff: schemaOf(schemas.kickoff),
        Started: schemaOf(STARTED),
        Status: schemaOf(schemas.status),
        Resume: schemaOf(schemas.resume),
        Resumed: schemaOf(schemas.resumed),
        Problem: schemaOf(schemas.problem),
        ...Object.fromEntries(payloads),
      },
    },
  };
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A kickoff that is sent again with the same key starts nothing. meta.requestId in the body does the same.',
  schema: { type: 'string', minLength: 1 },
};
const CREW = { name: 'crew', in: 'path', required: true, schema: { type: 'string' } };

/** The schema of a body. It rules out no other fields, since receivers ignore them. */
function schemaOf(schema: z.ZodType): JsonObject {
  // The service also checks what JSON Schema can't say.
  const options = { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' } as const;
  const { $schema: _, ...described } = z.toJSONSchema(schema, options);
  const plain = jsonOf(described, 'a schema');
  return isObject(plain) ? plain : {};
}

function json(name: string): JsonObject {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

function answerOf(description: string, name: string): JsonObject {
  return { description, content: json(name) };
}

/** Why a request is refused: whatever it is, and if it has a body. */
function refusalsOf(dialect: Dialect): { readonly always: JsonObject; readonly body: JsonObject } {
  const refusal = (kind: Exclude<Problem['kind'], `missing-${string}`>, description: string, header?: string) => {
    const problem: Problem = { kind, message: '' };
    const isText = 'text' in dialect.problem(problem).body;
    const content = isText ? { 'text/plain': { schema: { type: 'string' } } } : json('Problem');
    const headers = header === undefined ? {} : { [header]: { required: true, schema: { type: 'string' } } };
    return [statusOf(problem), { description, headers, content }] as const;
  };
  return {
    always: Object.fromEntries([
      refusal('malformed', 'The request can’t be read.'),
      refusal('unauthorized', 'The token is missing or wrong.', 'WWW-Authenticate'),
      refusal('not-found', 'There is no such crew or execution.'),
      refusal('wrong-method', 'The address doesn’t take this method.', 'Allow'),
      refusal('timeout', 'The request took too long to arrive.'),
      refusal('headers-too-large', 'The headers are too large.'),
      refusal('fault', 'Something went wrong in the service.'),
    ]),
    body: Object.fromEntries([
      refusal('too-large', 'The body is too large.'),
      refusal('compressed', 'The body has a Content-Encoding.'),
      [
        422,
        answerOf(
          'Inputs or fields are missing, or another kickoff had this Idempotency-Key or meta.requestId.',
          'Problem',
        ),
      ],
    ]),
  };
}

/** The fields of requests that name a webhook, with their pointers and the type of the webhook's payload. */
const WEBHOOKS = [
  ['humanInputWebhook', 'humanInputWebhook/url', 'human-input'],
  ['humanInputWebhookUrl', 'humanInputWebhookUrl', 'human-input'],
  ['taskWebhookUrl', 'taskWebhookUrl', 'task'],
  ['stepWebhookUrl', 'stepWebhookUrl', 'step'],
  ['crewWebhookUrl', 'crewWebhookUrl', 'crew'],
] as const;

function callbacksOf(request: z.ZodType): JsonObject {
  const { properties } = schemaOf(request);
  const webhooks = WEBHOOKS.filter(([field]) => isObject(properties) && field in properties);
  return Object.fromEntries(
    webhooks.map(([field, pointer, type]) => [
      field,
      {
        [`{$request.body#/${pointer}}`]: {
          post: {
            security: [],
            requestBody: { required: true, content: json(payloadName(type)) },
            responses: { '2XX': { description: 'The receiver has taken it.' } },
          },
        },
      },
    ]),
  );
}

/** The payload of `human-input` is `HumanInputPayload`. */
function payloadName(type: string): string {
  const words = type.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Payload`;
}
