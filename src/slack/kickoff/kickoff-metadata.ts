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
  channelFrom: z.enum(['place', 'choice']).default('place'),
});

/** Whether the run goes where the form was asked for, or where the starter chose in the modal below it. */
export type ChannelFrom = KickoffMetadata['channelFrom'];

/** The rest of the metadata is short. */
const UNREPORTED_LIMIT = METADATA_LIMIT - 500;

export function kickoffMetadata({ unreported, ...rest }: KickoffMetadata): string {
  const { crew, channel, attempt, sharing, channelFrom } = rest;
  const fits = JSON.stringify(unreported).length <= UNREPORTED_LIMIT;
  return JSON.stringify({ crew, channel, attempt, unreported: fits ? unreported : [], sharing, channelFrom });
}

/** Null if the metadata isn't that of a kickoff form. */
export function parseKickoffMetadata(value: string): KickoffMetadata | null {
  return parse(METADATA, value);
}
