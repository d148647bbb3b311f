import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { checkSlackClock, judgeClock } from '../../../src/tools/doctor/check-network.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';

it.each([
  [0, '✓ Clock: the same as on this machine.'],
  [-1_400, '✓ Clock: the same as on this machine.'],
  [12_000, '✓ Clock: 12 s ahead of the clock of this machine.'],
  [-45_000, '! Clock: 45 s behind the clock of this machine.'],
  [400_000, '✗ Clock: 400 s ahead of the clock of this machine.'],
])('describes a clock that is %d ms ahead', (aheadMs, line) => {
  expect(findingLine(judgeClock('Clock', aheadMs))).toContain(line);
});

it('compares the clock with the date of an answer from Slack', async () => {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + 600_000).toUTCString()).end('{"ok":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const line = findingLine(await checkSlackClock(`http://127.0.0.1:${port}/api/`));
  server.close();
  server.closeAllConnections();
  expect(line).toMatch(/^✗ Clock of Slack: (599|600|601) s ahead/);
});
