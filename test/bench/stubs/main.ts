import { createServer } from 'node:http';
import { readBody } from '../read-body.ts';
import { answerControl } from './control.ts';
import { answerCrew } from './crew.ts';
import { answerSlack } from './slack.ts';
import { createState, type Stub, type StubAnswer } from './state.ts';

// A Slack and a crew service that keep next to nothing and answer at once, in one process: what is measured is the bot.
// https://docs.slack.dev/apis/web-api, and specification of the crew execution service.
const state = createState();

const STUBS: Record<string, Stub> = { api: answerSlack, crew: answerCrew, control: answerControl };

const server = createServer(async (request, response) => {
  const [, first = '', ...rest] = (request.url ?? '').split('/');
  const body = (await readBody(request)).toString();
  const answer = STUBS[first]?.(state, rest.join('/'), body) ?? NOT_FOUND;
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body));
});
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('The stubs are ready'));

const NOT_FOUND: StubAnswer = { status: 404, body: { error: 'not found' } };

// They end with the process that started them, however that ends.
process.stdin.resume().on('end', () => process.exit());
