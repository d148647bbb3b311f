import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineCrew } from '../../../src/sandbox/crew-service/define-crew.ts';
import { scriptedCrew } from '../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';

/** Crews that take their time, also loaded by a service in a process of its own. */
export const crews = [
  scriptedCrew({
    name: 'staged',
    tasks: [
      { name: 'ask', humanInput: true, output: 'round {{round}}' },
      { name: 'work', steps: 3, hold: 'work', output: 'worked' },
    ],
  }),
  defineCrew({ name: 'counting', inputs: { until: z.number() } }).task('count', {
    agent: 'Counter',
    async run({ inputs, step, signal }) {
      const counted: number[] = [];
      for (let number = 1; number <= inputs.until; number++) {
        counted.push(
          await step(`Count ${number}`, async () => {
            await pause(20, undefined, { signal });
            return number;
          }),
        );
      }
      return counted;
    },
  }),
];
