import { escapeMrkdwn } from './text/escape.ts';

// Names the channel of a run with a link, for messages outside of its thread.

export interface Place {
  channel: string;
  /** Null if the person can't open it, because the channel is private and they aren't in it. */
  link: string | null;
}

/** Returns the channel and a link with this label; nothing if the person can't open it. */
export function placeParts({ channel, link }: Place, label: string): string[] {
  return link === null ? [] : [channelMention(channel), `<${escapeMrkdwn(link)}|${label}>`];
}

/** Mentions a channel. Slack shows its name only to people who may know it. */
export function channelMention(channel: string): string {
  return `<#${channel.replace(/\W/g, '')}>`;
}
