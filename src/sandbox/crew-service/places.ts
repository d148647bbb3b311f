// The places of files that the service loads by their paths: among the sources, or beside each other in dist/.
const isBuilt = import.meta.url.endsWith('.js');

function place(source: string, built: string): URL {
  return new URL(isBuilt ? built : source, import.meta.url);
}

/** The module that crew files import as `@signoff/crew-service`. */
export const CREW_ENTRY = place('./crew.ts', './crew.js');

/** Its types. */
export const CREW_TYPES = place('./crew.ts', './types/crew.d.ts');

/** Its own description, with its version. */
export const PACKAGE = place('./package.json', '../package.json');

/** The program that runs the code of crews. */
export const CREW_PROGRAM = place('./crew-process/child/main.mjs', './child/main.mjs');

/** The crew file of the two example crews. */
export const EXAMPLE_CREWS = place('./crews/crews.ts', './example-crews.js');
