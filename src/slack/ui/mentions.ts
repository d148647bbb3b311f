/** A person or user group whom a message notifies, by Slack's id. */
export interface Mention {
  kind: 'person' | 'group';
  id: string;
}

/** Mentions in mrkdwn, each once. https://docs.slack.dev/messaging/formatting-message-text#mentions */
export function mentionsText(mentions: readonly Mention[]): string {
  const shown = mentions.filter(({ id }) => /^[A-Z0-9]+$/.test(id)).map(({ kind, id }) => TOKENS[kind](id));
  return [...new Set(shown)].join(' ');
}

const TOKENS: Record<Mention['kind'], (id: string) => string> = {
  person: (id) => `<@${id}>`,
  group: (id) => `<!subteam^${id}>`,
};
