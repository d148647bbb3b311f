// The OpenAPI description of the routes for programs, made from the schemas that these routes use.
// https://spec.openapis.org/oas/v3.1.1.html

import { z } from 'zod';
import { ASK } from './parse-ask.ts';
import { ASK_ANSWER, CALLBACK_BODY } from './told-decision.ts';

export const REFUSAL = z.object({
  status: z.literal('refused'),
  message: z.string().describe('A sentence that says what is wrong.'),
  problems: z.array(z.string()).optional().describe('With 422: a sentence for everything that is wrong.'),
});

export const MOST_WAIT_S = 50;

/** The seconds for which a caller waits for the decision. */
export const WAIT = z
  .string()
  .regex(/^\d{1,9}$/)
  .default('0')
  .transform(Number)
  .pipe(z.int().nonnegative());

export function describeAsks({ publicUrl, version }: { publicUrl: string; version: string }): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Signoff: programs that ask people',
      version,
      description: 'A program asks people in Slack by the rules of a crew, and fetches or is sent what they decide.',
    },
    servers: [{ url: publicUrl }],
    security: [{ token: [] }],
    paths: {
      '/asks': { post: ASK_PEOPLE },
      '/asks/{ref}': {
        parameters: [{ name: 'ref', in: 'path', required: true, schema: { type: 'string' } }],
        get: FETCH,
        delete: WITHDRAW,
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: '`npm run webhook -- CREW` prints the token of a crew.' },
      },
      schemas: {
        Ask: schemaOf(ASK),
        Answer: schemaOf(ASK_ANSWER),
        Decision: schemaOf(CALLBACK_BODY),
        Refusal: schemaOf(REFUSAL),
      },
    },
  };
}

/** Returns the schema of a body. It allows other fields, since a later version may add some. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return described;
}

const content = (...names: string[]) => {
  const [only, ...others] = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: others.length === 0 ? only : { oneOf: [only, ...others] } } };
};

const answerOf = (description: string) => ({ description, content: content('Answer') });

const header = (description: string, type = 'string') => ({ description, required: true, schema: { type } });

const refusal = (description: string, headers: Record<string, object> = {}) => ({
  description,
  headers,
  content: content('Refusal'),
});

const RETRY_AFTER = { 'Retry-After': header('In how many seconds it is worth sending it again.', 'integer') };

const REFUSED_ALWAYS = {
  401: refusal('The token is missing or wrong, or isn’t that of the crew that policy names.', {
    'WWW-Authenticate': header('How callers prove who they are. Missing where only policy is wrong.'),
  }),
  405: refusal('The address doesn’t take this method.', { Allow: header('The methods that it takes.') }),
  500: refusal('Something went wrong in Signoff.'),
  503: refusal('It could not be stored or looked up, or too much is in progress: send it again.', RETRY_AFTER),
};

const REFUSED_BODY = {
  400: refusal('The body isn’t JSON in UTF-8.'),
  408: refusal('The body took too long to arrive.'),
  413: refusal('The body is larger than 20 MiB.'),
  415: refusal('The body has a Content-Encoding.', { 'Accept-Encoding': header('Always identity.') }),
};

const UNKNOWN = refusal('Nothing was asked under this ref by the rules of this crew, or no longer.');

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const WEBHOOK_HEADERS = [
  [
    'webhook-id',
    'The same each time that this decision is sent, so that a receiver can tell what it has already.',
    'string',
  ],
  ['webhook-timestamp', 'When this was sent, in seconds since 1970.', 'integer'],
  [
    'webhook-signature',
    'One or several signatures, each as v1,BASE64 and with spaces between. One that is right suffices.',
    'string',
  ],
].map(([name, description, type]) => ({ name, in: 'header', required: true, description, schema: { type } }));

const DECIDED = {
  post: {
    operationId: 'askDecided',
    summary: 'Tells what was decided, or that nobody decided in time.',
    description: 'Signed as Standard Webhooks describe, with the key that `npm run webhook -- CREW` prints.',
    security: [],
    parameters: WEBHOOK_HEADERS,
    requestBody: { required: true, content: content('Decision') },
    responses: {
      '2XX': { description: 'The receiver has taken it.' },
      410: { description: 'The receiver doesn’t want it: it isn’t sent again, unless a person says so.' },
      default: { description: 'It is sent again for a day, under the same webhook-id.' },
    },
  },
};

const ASK_PEOPLE = {
  operationId: 'ask',
  summary: 'Asks people.',
  requestBody: { required: true, content: content('Ask') },
  responses: {
    200: answerOf('The same was asked under this id before.'),
    201: answerOf('People are asked.'),
    ...REFUSED_BODY,
    ...REFUSED_ALWAYS,
    403: refusal('The crew refuses what was not started in Slack.'),
    409: {
      description:
        'The id, thread or replaces doesn’t allow it. Where people have decided what replaces names, it is told.',
      content: content('Refusal', 'Answer'),
    },
    422: refusal(
      'Fields are wrong. Whether channel and replaces can be found is only looked up once all others are right.',
    ),
    429: refusal('Too much within an hour.', RETRY_AFTER),
  },
  callbacks: { decided: { '{$request.body#/callback}': DECIDED } },
};

const FETCH = {
  operationId: 'fetch',
  summary: 'Tells how things stand.',
  parameters: [
    {
      name: 'wait',
      in: 'query',
      description: `For how many seconds to wait for the decision; more than ${MOST_WAIT_S} count as ${MOST_WAIT_S}.`,
      schema: z.toJSONSchema(WAIT, { io: 'output' }),
    },
  ],
  responses: {
    200: answerOf('How things stand. A decision that people can still undo isn’t told.'),
    ...REFUSED_ALWAYS,
    404: UNKNOWN,
    422: refusal('wait isn’t a number of seconds.'),
  },
};

const WITHDRAW = {
  operationId: 'withdraw',
  summary: 'Takes back what was asked.',
  responses: {
    200: answerOf('It is cancelled, now or before.'),
    ...REFUSED_ALWAYS,
    404: UNKNOWN,
    409: answerOf('People have decided, or it waits as long as they can undo it.'),
  },
};
