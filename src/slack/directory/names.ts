import type { Logger } from 'pino';
import type { Approver } from '../../core/policy/policy.ts';
import type { People } from '../api/users.ts';
import type { NamedMention } from '../ui/person.ts';
import { groupOfHandle, type LookUps, MOST_WAIT_MS, type SlackDirectory, within } from './directory.ts';

// Finds how messages name approvers: by name (purpose `shown`: an old answer of Slack will do) or as a mention (`fact`: it notifies people).
// `bot/parts.ts` makes both part of the directory.

export function createApproverNames(
  lookUps: LookUps,
  { people, log }: { people: People; log: Logger },
): SlackDirectory['approverNames'] {
  return async (approvers) => {
    const entries = approvers.map(async (approver) => {
      const about = { approver: approver.name };
      const name = await within(MOST_WAIT_MS, nameOf(approver, { lookUps, people }), { log, about });
      return [approver.name, name ?? approver.name] as const;
    });
    const names = new Map(await Promise.all(entries));
    return (name) => names.get(name) ?? name;
  };
}

async function nameOf(
  { kind, name }: Approver,
  { lookUps, people }: { lookUps: LookUps; people: People },
): Promise<string> {
  switch (kind) {
    case 'person':
      // The name of an approver of this kind is the person's id.
      return people.nameOf({ id: name, name });
    case 'email': {
      const id = await lookUps.idByEmail(name, 'shown');
      return id === null ? name : people.nameOf({ id, name });
    }
    case 'group': {
      const group = (await lookUps.userGroups.all('shown')).find(({ id }) => id === name);
      return group ? `@${group.handle}` : name;
    }
    case 'handle':
    case 'channel':
    case 'workspace':
    case 'input':
      return name;
  }
}

export function createMentionsOf(lookUps: LookUps, log: Logger): SlackDirectory['mentionsOf'] {
  return async (approvers) => {
    const all = Promise.all(approvers.map((approver) => mentionOf(lookUps, approver)));
    const about = { approvers: approvers.map(({ name }) => name) };
    const mentions = await within(MOST_WAIT_MS, all, { log, about });
    if (mentions === null) return null;
    return [...new Map(mentions.flatMap((mention) => (mention ? [[mention.id, mention]] : []))).values()];
  };
}

async function mentionOf(lookUps: LookUps, { kind, name }: Approver): Promise<NamedMention | null> {
  switch (kind) {
    case 'person':
      return { kind: 'person', id: name };
    case 'email': {
      const id = await lookUps.idByEmail(name, 'fact');
      return id === null ? null : { kind: 'person', id };
    }
    case 'group':
      return { kind: 'group', id: name };
    case 'handle': {
      const group = groupOfHandle(await lookUps.userGroups.all('fact'), name);
      return group === null || group.isDisabled ? null : { kind: 'group', id: group.id };
    }
    case 'channel':
    case 'workspace':
    case 'input':
      return null;
  }
}
