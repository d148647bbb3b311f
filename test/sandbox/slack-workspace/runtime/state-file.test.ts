import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slack-workspace-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('finds everything again after a restart', async () => {
  const stateFile = join(folder, 'kept', 'workspace.json');
  const first = await startSlackWorkspace({ stateFile });
  const said = await first.as('maria').say('#general', 'Remember me');
  await first.as('jon').markRead(said);
  await first.close();
  const second = await startSlackWorkspace({ stateFile });
  const found = await second.as('jon').sees('#general', 'Remember me');
  expect(found.ts).toBe(said.ts);
  expect((await second.as('jon').snapshot()).channels.find(({ name }) => name === 'general')).toMatchObject({
    unread: 0,
  });
  const later = await second.as('maria').say('#general', 'And me');
  expect(Number(later.ts)).toBeGreaterThan(Number(said.ts));
  await second.close();
});

it('begins anew where the file is damaged', async () => {
  const stateFile = join(folder, 'workspace.json');
  await writeFile(stateFile, '{"format":');
  const slack = await startSlackWorkspace({ stateFile });
  await slack.as('maria').sees('#general', 'Welcome!');
  await slack.close();
});
