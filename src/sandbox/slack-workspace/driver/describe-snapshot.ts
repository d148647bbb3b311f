import type { Message, Snapshot } from '../people-api.ts';
import { homeText, modalText, visibleText } from './visible-text.ts';

const LATEST = 6;

/** What a member sees, as text for test failures. */
export function describeSnapshot(snapshot: Snapshot): string {
  const channels = snapshot.channels
    .map((channel) => ({ channel, messages: snapshot.messages[channel.id] ?? [] }))
    .filter(({ messages }) => messages.length > 0)
    .map(
      ({ channel, messages }) =>
        `#${channel.name}\n${messages
          .slice(-LATEST)
          .map((m) => line(snapshot, m))
          .join('\n')}`,
    );
  const modals = snapshot.modals.map((view) => `modal:\n${indented(modalText(view))}`);
  const home = snapshot.home ? [`home tab:\n${indented(homeText(snapshot.home))}`] : [];
  return [`${snapshot.me.realName} sees:`, ...channels, ...modals, ...home].join('\n');
}

function line(snapshot: Snapshot, message: Message): string {
  const author = snapshot.members.find((member) => member.id === message.userId)?.realName ?? message.userId;
  const inThread = message.threadTs !== undefined && message.threadTs !== message.ts ? '↳ ' : '';
  const only = message.ephemeral ? ' (only visible to you)' : '';
  return indented(`${inThread}${author}${only}: ${visibleText(message)}`);
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
