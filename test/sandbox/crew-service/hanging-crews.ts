import { z } from 'zod';
import { defineCrew } from '../../../src/sandbox/crew-service/define-crew.ts';
import { scriptedCrew } from '../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';

/** A task that takes no notice of the end of the service, and lets nothing else happen in its process. */
const hanging = defineCrew({ name: 'hanging', inputs: { computes: z.boolean(), told: z.url() } }).task('hang', {
  agent: 'Sleeper',
  async run({ inputs }): Promise<string> {
    await fetch(inputs.told, { method: 'POST', body: '{}' });
    // Like an endless loop, but for the processor.
    if (inputs.computes) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return new Promise(() => setInterval(() => {}, 1_000));
  },
});

export const asking = scriptedCrew({ name: 'asking', tasks: [{ name: 'ask', humanInput: true }] });

export const crews = [hanging, asking];
