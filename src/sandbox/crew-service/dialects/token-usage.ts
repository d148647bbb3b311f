import type { Run } from '../executions/run.ts';
import type { JsonObject } from '../json.ts';

/** What a run's tasks have used of a model so far, in the words of deployed services. */
export function tokenUsage({ usage }: Run): JsonObject {
  const { promptTokens, completionTokens } = usage ?? { promptTokens: 0, completionTokens: 0 };
  return {
    total_tokens: promptTokens + completionTokens,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
  };
}
