import { z } from 'zod';
import { SHARINGS } from '../api/channels.ts';
import { parse } from '../ui/button-value.ts';
import { METADATA_LIMIT } from '../ui/limits.ts';

/** What a kickoff form carries from when it is opened to when it is submitted. */
export type KickoffMetadata = z.infer<typeof METADATA>;

const METADATA = z.object({
  crew: z.string(),
  channel: z.string(),
  attempt: z.number().int(),
  unreported: z.array(z.string()).default([]),
  sharing: z.enum(SHARINGS).default('own'),
});

/** The rest of the metadata is short. */
const UNREPORTED_LIMIT = METADATA_LIMIT - 500;

export function kickoffMetadata({ crew, channel, attempt, unreported, sharing }: KickoffMetadata): string {
  const fits = JSON.stringify(unreported).length <= UNREPORTED_LIMIT;
  return JSON.stringify({ crew, channel, attempt, unreported: fits ? unreported : [], sharing });
}

/** Null if the metadata isn't that of a kickoff form. */
export function parseKickoffMetadata(value: string): KickoffMetadata | null {
  return parse(METADATA, value);
}
