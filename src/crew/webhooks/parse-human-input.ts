import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { META_REF } from '../addresses.ts';
import { candidates, has, idField, keyNames, own, pick, requiredId, textField } from '../payload/fields.ts';
import { isJsonObject, type JsonObject } from '../payload/json-body.ts';
import { outputText } from '../payload/output-text.ts';
import { plainLine } from '../payload/plain-text.ts';

export type HumanInputPayload =
  | {
      kind: 'human-input';
      kickoffId: string | null;
      executionId: string | null;
      taskId: string;
      taskName: string | null;
      output: string;
      /** The execution's ref in our own meta, if the service echoes it. */
      metaRef: string | null;
    }
  | { kind: 'unsupported'; keys: string[] };

const OUTPUT_NAMES = ['task_output', 'taskOutput', 'output', 'result', 'raw'];

const humanInput = z.object({
  kickoffId: idField,
  executionId: idField,
  taskId: requiredId,
  taskName: textField,
  metaRef: textField,
});

/** Reads a request for human input (specification, section 6) in every shape seen in the field. */
export function parseHumanInput(body: Json): HumanInputPayload {
  for (const candidate of candidates(body)) {
    const parsed = humanInput.safeParse(canonical(candidate));
    if (!parsed.success || !has(candidate, ...OUTPUT_NAMES)) continue;
    const { taskName } = parsed.data;
    return {
      kind: 'human-input',
      ...parsed.data,
      taskName: taskName && plainLine(taskName, 200),
      output: outputText(pick(candidate, ...OUTPUT_NAMES)),
    };
  }
  return { kind: 'unsupported', keys: keyNames(body) };
}

function canonical(payload: JsonObject): JsonObject {
  const meta = pick(payload, 'meta');
  return {
    kickoffId: pick(payload, 'kickoff_id', 'kickoffId') ?? null,
    executionId: pick(payload, 'execution_id', 'executionId') ?? null,
    taskId: pick(payload, 'task_id', 'taskId') ?? null,
    taskName: pick(payload, 'task_name', 'taskName', 'name') ?? null,
    metaRef: (isJsonObject(meta) && own(meta, META_REF)) || null,
  };
}
