import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createCrewClient } from '../../src/crew/client.ts';
import { credentials, crew, silent } from '../crew/crew-values.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const clientOf = (baseUrl: string) =>
  createCrewClient({
    ...{ crews: [crew({ baseUrl })], publicUrl: 'https://bot.example', credentials, webhookAuth: 'bearer' },
    ...{ log: silent, limits: { effectMs: 300, readMs: 300 } },
  });

const KEY = { ref: 'abcdefghijklmnopqrstuvwxyz', hop: 0, as: null };
const RESUME = { ...KEY, executionId: 'E', taskId: 'T', feedback: 'x', isApprove: true };

describe.each([301, 302, 303, 307, 308])('a crew that answers %i', (status) => {
  it('leads no call elsewhere, and leaks no token', async () => {
    const elsewhere: string[] = [];
    const other = await serve((request, response) => {
      elsewhere.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end('{"kickoff_id":"K"}');
    });
    const client = clientOf(await serve((_, response) => response.writeHead(status, { location: `${other}/x` }).end()));
    expect((await client.kickoff('research', { ...KEY, inputs: {} })).kind).toBe('refused');
    expect((await client.resume('research', RESUME)).kind).toBe('refused');
    await client.status('research', 'K');
    await client.inputs('research');
    await client.close();
    expect(elsewhere).toEqual([]);
  });
});

describe('a crew that never stops', () => {
  const ENDLESS: [string, RequestListener][] = [
    [
      'sending a body',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.on('drain', more);
        more();
      },
    ],
    [
      'dripping a body',
      (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
    ['thinking', () => {}],
  ];

  it.each(ENDLESS)('%s holds up no call for longer than it may take', async (_, listener) => {
    const client = clientOf(await serve(listener));
    const [kickoff, , status, inputs] = await Promise.all([
      client.kickoff('research', { ...KEY, inputs: {} }),
      client.resume('research', RESUME),
      client.status('research', 'K'),
      client.inputs('research'),
    ]);
    await client.close();
    // What it may have begun is not begun once more by machine.
    expect(['unknown', 'accepted']).toContain(kickoff.kind);
    expect(status.kind).not.toBe('completed');
    expect(inputs.kind).not.toBe('inputs');
  });
});
