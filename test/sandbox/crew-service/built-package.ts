import { fileURLToPath } from 'node:url';

/** The folder with the programs of the package. Processes start from them in half the processor time that the sources take. */
export const BUILT_PACKAGE = fileURLToPath(new URL('../../../src/sandbox/crew-service/dist/', import.meta.url));

/** `startCrewService` and all else of `@signoff/crew-service/service`, as it is published. */
export async function builtService(): Promise<typeof import('../../../src/sandbox/crew-service/service.ts')> {
  return import(/* @vite-ignore */ `${BUILT_PACKAGE}service.js`);
}
