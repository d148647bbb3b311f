import type { Logger } from 'pino';
import type { Approver } from '../../core/approval/policy/approver.ts';
import type { LookUps } from './look-ups.ts';
import { groupOfHandle } from './user-groups.ts';
import { MOST_WAIT_MS, within } from './within.ts';

/** A person or user group whom a message can mention. */
export interface Mention {
  kind: 'person' | 'group';
  id: string;
}

/**
 * Whom to mention for approvers. A channel and the workspace are nobody, as are addresses and groups that don't exist. Null if
 * Slack can't tell. Never throws.
 */
export type MentionsOf = (approvers: readonly Approver[]) => Promise<Mention[] | null>;

export function createMentionsOf(lookUps: LookUps, log: Logger): MentionsOf {
  return async (approvers) => {
    const found = Promise.all(approvers.map((approver) => mentionOf(lookUps, approver)));
    const mentions = await within(MOST_WAIT_MS, found, {
      log,
      about: { approvers: approvers.map(({ name }) => name) },
    });
    if (mentions === null) return null;
    return [...new Map(mentions.flatMap((mention) => (mention ? [[mention.id, mention]] : []))).values()];
  };
}

async function mentionOf(lookUps: LookUps, { kind, name }: Approver): Promise<Mention | null> {
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
      const group = groupOfHandle(await lookUps.groups('fact'), name);
      return group === null || group.isDisabled ? null : { kind: 'group', id: group.id };
    }
    case 'channel':
    case 'workspace':
      return null;
  }
}
