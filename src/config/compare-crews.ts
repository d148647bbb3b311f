import { z } from 'zod';
import { compareApproval } from './compare-approval.ts';
import { compareInput } from './compare-input.ts';
import type { Mistake } from './mistake.ts';
import { repeatsIn } from './repeats-in.ts';

const MAP = z.record(z.string(), z.unknown()).catch({});
const LIST = z.array(MAP).catch([]);

/**
 * The mistakes of a crews file that show only when its entries are compared. Zod would compare only what has no other mistake,
 * so this reads whatever is there, and leaves what is of the wrong shape to the schema. What is undefined is unknown.
 */
export function compareCrews(content: unknown): Mistake[] {
  const crews = LIST.parse(MAP.parse(content).crews);
  return [
    ...repeatedNames(crews),
    ...crews.flatMap((crew, i) => approvalMistakes(crew, ['crews', i, 'approval'])),
    ...crews.flatMap((crew, i) => inputMistakes(crew, ['crews', i, 'inputs'])),
  ];
}

function repeatedNames(crews: Record<string, unknown>[]): Mistake[] {
  const names = crews.map(({ name }) => (typeof name === 'string' ? name.toLowerCase() : undefined));
  return repeatsIn(names).map((i) => ({ path: ['crews', i, 'name'], message: 'is already the name of another crew' }));
}

function approvalMistakes(crew: Record<string, unknown>, at: Mistake['path']): Mistake[] {
  const approval = MAP.parse(crew.approval);
  const mistakes = compareApproval(approval).map(({ path, message }) => ({ path: [...at, ...path], message }));
  if (approval.started_elsewhere === undefined || crew.started_elsewhere === undefined) return mistakes;
  return [
    ...mistakes,
    { path: [...at, 'started_elsewhere'], message: 'is set beside approval, too: keep one of them' },
  ];
}

function inputMistakes({ inputs }: Record<string, unknown>, at: Mistake['path']): Mistake[] {
  return Object.entries(MAP.parse(inputs)).flatMap(([input, settings]) =>
    compareInput(MAP.parse(settings)).map(({ path, message }) => ({ path: [...at, input, ...path], message })),
  );
}
