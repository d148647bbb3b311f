import type { AckCommand } from '../interaction/handlers.ts';
import type { Rendered } from '../ui/blocks.ts';

/** The answer to a command that only the person sees. */
export function privately(message: Rendered): Parameters<AckCommand>[0] {
  return { response_type: 'ephemeral', ...message };
}
