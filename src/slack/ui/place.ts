// Where a request or run is in Slack.
import { escapeMrkdwn } from './text/escape.ts';

export interface Place {
  channel: string;
  /** Null where it leads the person nowhere, as the channel is private and they aren't in it. */
  link: string | null;
}

/** The channel and the link with this label; nothing where the person can't open it. */
export function placeParts({ channel, link }: Place, label: string): string[] {
  return link === null ? [] : [channelMention(channel), `<${escapeMrkdwn(link)}|${label}>`];
}

/** Slack shows its name to those who may know it. The id is Slack's own. */
export function channelMention(channel: string): string {
  return `<#${channel.replace(/\W/g, '')}>`;
}
