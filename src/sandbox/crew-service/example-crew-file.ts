import { fileURLToPath } from 'node:url';
import type { CrewFile } from './crew-process/process-pool.ts';
import type { ExampleCrewsOptions } from './crews/crews.ts';

/** The file of the two example crews. */
export function exampleCrewFile(options: ExampleCrewsOptions): CrewFile {
  return { file: fileURLToPath(new URL('./crews/crews.ts', import.meta.url)), options };
}
