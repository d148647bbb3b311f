import type { WorkspaceState } from './workspace-state.ts';

/** Converts `@name`, `@group`, `@channel` and `#channel` into Slack's mentions and links. */
export function linkedNames(state: WorkspaceState, text: string): string {
  return text
    .replace(/(^|[\s(])@([a-z0-9._-]+)/gi, (whole, before: string, name: string) => {
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
