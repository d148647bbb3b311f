import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { readBody } from '../read-body.ts';
import { announce, readEnvironment } from './environment.ts';

// The least that any receiver of Slack's requests does: check the signature, decode the payload, answer 200.
const { port, signingSecret } = readEnvironment(process.env);

const server = createServer(async (request, response) => {
  const body = await readBody(request);
  const { 'x-slack-request-timestamp': stamp, 'x-slack-signature': signature } = request.headers;
  const mac = createHmac('sha256', signingSecret).update(`v0:${stamp}:`).update(body).digest('hex');
  const isValid = timingSafeEqual(Buffer.from(`v0=${mac}`), Buffer.from(String(signature)));
  const payload: unknown = JSON.parse(String(parse(body.toString()).payload));
  response.writeHead(isValid && payload !== null ? 200 : 401).end();
});
server.listen(port, '127.0.0.1', announce);
