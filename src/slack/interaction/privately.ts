import type { Rendered } from '../ui/blocks.ts';

/** The answer to a command that only the person sees. */
export function privately(message: Rendered): Rendered & { response_type: 'ephemeral' } {
  return { response_type: 'ephemeral', ...message };
}
