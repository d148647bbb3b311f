// The crew file of the demo: the example crews, slow enough to watch and fast enough not to bore.
import { crews as exampleCrews } from '../crew-service/crews/crews.ts';

const TASK_DELAY_MS = 1_500;

export const crews = exampleCrews({
  // A crew file has its settings from the environment of the service.
  outputFolder: process.env.DEMO_OUTPUT_FOLDER ?? '.demo/output',
  taskDelayMs: TASK_DELAY_MS,
});
