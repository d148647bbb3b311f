import { z } from 'zod';
import type { Actor } from './actor.ts';
import { parseRequest } from './parse-request.ts';

/** A slash command as a person typed it. */
export interface SlashCommand {
  text: string;
  channel: string;
  actor: Actor;
  triggerId: string;
  responseUrl: string | null;
}

/** https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling */
const commandSchema = z.object({
  text: z.string().default(''),
  channel_id: z.string().min(1),
  user_id: z.string().min(1),
  user_name: z.string().optional(),
  team_id: z.string().optional(),
  trigger_id: z.string().min(1),
  response_url: z.string().optional(),
});

/** @throws {UnreadableRequest} if the body isn't a command */
export function readCommand(body: unknown): SlashCommand {
  const { text, channel_id, user_id, user_name, team_id, trigger_id, response_url } = parseRequest(commandSchema, body);
  return {
    text,
    channel: channel_id,
    actor: { person: { id: user_id, name: user_name ?? user_id }, teamId: team_id ?? null },
    triggerId: trigger_id,
    responseUrl: response_url ?? null,
  };
}
