import { afterAll, beforeAll, it } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

/** A service may not know a run for two minutes before it counts as lost, and is asked at growing intervals. */
const PATIENCE = { withinMs: 270_000 };

let world: World;

beforeAll(async () => {
  // Only crews of this dialect notify of a run before its first resume.
  world = await startWorld({ fixtures: 1, dialect: 'observed' });
  await world.startBot();
});
afterAll(() => world.stop());

it('a run that its service no longer knows is said to be lost, and goes on in its thread when a notification arrives', async () => {
  const { start, setTasks, maria, addFault, crew } = await world.fixture();
  const gate = `${crew}-works`;
  await world.crews.sandbox.shutGate(gate);
  await setTasks([{ name: 'work', output: 'Done after all.', hold: gate }]);
  await addFault({ route: 'status', respond: { status: 404, body: { detail: 'Execution not found' } }, times: 100 });
  const root = await start();
  await maria.seesChanged(root, 'Status unknown', PATIENCE);
  await maria.seesChanged(root, 'no longer knows this run');

  await world.crews.sandbox.openGate(gate);
  await maria.seesInThread(root, 'is done, after');
  await maria.seesChanged(root, 'Completed');
});
