// Slack's reading of text that people type.

import type { WorkspaceState } from './workspace-state.ts';

const URLS = /https?:\/\/[^\s<>|]+[^\s<>|.,:;!?)\]'"]/g;

/**
 * Typed text as Slack stores it: escaped, with mentions, channels and addresses as links.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function storedText(state: WorkspaceState, typed: string): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return linkedNames(state, escaped.replace(URLS, '<$&>'));
}

/**
 * The text of a command that is set to escape: the same, with names beside the ids of people, and the ids alone of private
 * channels. https://docs.slack.dev/interactivity/implementing-slash-commands#defining_slash_command
 */
export function escapedCommandText(state: WorkspaceState, typed: string): string {
  const withNames = storedText(state, typed).replace(/<@([UW]\w+)>/g, (whole, id: string) => {
    const member = state.members.find((candidate) => candidate.id === id);
    return member ? `<@${id}|${member.name}>` : whole;
  });
  return withNames.replace(/(^|[\s(])#([a-z0-9_-]+)/gi, (whole, before: string, name: string) => {
    const channel = state.channels.find((candidate) => candidate.kind === 'private' && candidate.name === name);
    return channel ? `${before}<#${channel.id}|>` : whole;
  });
}

/** Converts `@name`, `@group`, `@channel` and `#channel` into Slack's mentions and links. */
export function linkedNames(state: WorkspaceState, text: string): string {
  return text
    .replace(/(^|[\s(="“])@([a-z0-9._-]+)/gi, (whole, before: string, name: string) => {
      const mention = mentionOf(state, name.toLowerCase());
      return mention ? `${before}${mention}` : whole;
    })
    .replace(/(^|[\s(])#([a-z0-9_-]+)/gi, (whole, before: string, name: string) => {
      const channel = state.channels.find((candidate) => candidate.kind === 'public' && candidate.name === name);
      return channel ? `${before}<#${channel.id}|${channel.name}>` : whole;
    });
}

function mentionOf(state: WorkspaceState, name: string): string | undefined {
  if (['channel', 'here', 'everyone'].includes(name)) return `<!${name}>`;
  const member = state.members.find((candidate) => candidate.name === name);
  if (member) return `<@${member.id}>`;
  const group = state.groups.find((candidate) => candidate.handle === name && candidate.disabledAt === undefined);
  return group && `<!subteam^${group.id}>`;
}
