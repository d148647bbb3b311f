import type { Member, SlashCommand, UserGroup } from '../../people-api.ts';
import { membersOf, roleOf } from '../state/person-words.ts';
import { emojiLike } from '../text/emoji.ts';

export type Suggestion = {
  key: string;
  label: string;
  hint: string;
  note: string;
  /** The text and the caret position after accepting the suggestion. */
  text: string;
  caret: number;
};

type Typing = { text: string; caret: number };

type Suggestable = { commands: SlashCommand[]; members: Member[]; groups: UserGroup[] };

/** The workspace's own commands, implemented by the server. */
const OWN_COMMANDS: SlashCommand[] = [
  { command: '/invite', usageHint: '@name', description: 'Add someone, or the app, to this channel' },
  { command: '/remove', usageHint: '@name', description: 'Remove someone from this channel' },
  { command: '/leave', usageHint: '', description: 'Leave this channel' },
];

const MAX_NAMES = 8;

/** The command whose arguments are being typed, if any. */
export function usageOf(text: string, commands: SlashCommand[]): SlashCommand | undefined {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return name === undefined ? undefined : [...commands, ...OWN_COMMANDS].find(({ command }) => command === name);
}

/** Suggests commands while a leading `/…` is typed, names for a word that starts with `@`, and emoji for one with `:`. */
export function suggest(text: string, caret: number, suggestable: Suggestable): Suggestion[] {
  const before = text.slice(0, caret);
  if (/^\/\S*$/.test(before))
    return commandsLike(before, text.slice(caret), [...suggestable.commands, ...OWN_COMMANDS]);
  const name = /(?:^|\s)@([\w.-]*)$/.exec(before)?.[1];
  if (name !== undefined) return namesLike(name, { text, caret }, suggestable);
  const emoji = /(?:^|\s):([\w+-]{2,})$/.exec(before)?.[1];
  return emoji === undefined ? [] : emojiNamed(emoji, { text, caret });
}

function emojiNamed(word: string, { text, caret }: Typing): Suggestion[] {
  return emojiLike(word.toLowerCase(), MAX_NAMES).map(({ name, characters }) => {
    const completion = `${text.slice(0, caret - word.length - 1)}:${name}: `;
    const label = `${characters} :${name}:`;
    return { key: name, label, hint: '', note: '', text: completion + text.slice(caret), caret: completion.length };
  });
}

function namesLike(word: string, { text, caret }: Typing, { members, groups }: Suggestable): Suggestion[] {
  const start = caret - word.length - 1;
  const nameOf = (id: string) => members.find((one) => one.id === id)?.realName ?? id;
  const names = [
    ...members.filter(isActive).map((one) => ({ name: one.name, label: one.realName, note: roleOf(one, groups) })),
    ...groups.filter(isEnabled).map((group) => ({
      name: group.handle.replace(/^@/, ''),
      label: group.name,
      note: `group: ${membersOf(group, nameOf)}`,
    })),
    { name: 'channel', label: 'everyone in this channel', note: '' },
  ];
  return names
    .filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(word.toLowerCase()))
    .slice(0, MAX_NAMES)
    .map(({ name, label, note }) => {
      const completion = `${text.slice(0, start)}@${name} `;
      return {
        key: name,
        label: `@${name}`,
        hint: label,
        note,
        text: completion + text.slice(caret),
        caret: completion.length,
      };
    });
}

const isActive = ({ isDeactivated, isOutOfReach }: Member) => isDeactivated !== true && isOutOfReach !== true;
const isEnabled = ({ disabledAt }: UserGroup) => disabledAt === undefined;

function commandsLike(beginning: string, after: string, commands: SlashCommand[]): Suggestion[] {
  return commands
    .filter(({ command }) => command.startsWith(beginning.toLowerCase()))
    .map(({ command, usageHint, description }) => ({
      key: command,
      label: command,
      hint: usageHint,
      note: description,
      text: `${command} ${after.trimStart()}`,
      caret: command.length + 1,
    }));
}
