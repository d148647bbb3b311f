import type { Logger } from 'pino';
import type { Approver } from '../../core/approval/policy/approver.ts';
import type { People } from '../api/users.ts';
import type { LookUps } from './look-ups.ts';
import { MOST_WAIT_MS, within } from './within.ts';

/**
 * The names of approvers as people know them, at most ten minutes old: a person's name for an id or e-mail address, the handle
 * for a group's id. They are plain text, which mentions no one, and have to be escaped. What Slack can't tell stays as the
 * crews file has it. Never throws.
 */
export type ApproverNames = (approvers: readonly Approver[]) => Promise<(name: string) => string>;

export function createApproverNames(lookUps: LookUps, { people, log }: { people: People; log: Logger }): ApproverNames {
  return async (approvers) => {
    const named = approvers.map(async (approver) => {
      const about = { approver: approver.name };
      const shown = await within(MOST_WAIT_MS, nameOf(approver, { lookUps, people }), { log, about });
      return [approver.name, shown ?? approver.name] as const;
    });
    const names = new Map(await Promise.all(named));
    return (name) => names.get(name) ?? name;
  };
}

async function nameOf(
  { kind, name }: Approver,
  { lookUps, people }: { lookUps: LookUps; people: People },
): Promise<string> {
  switch (kind) {
    case 'person':
      return people.nameOf({ id: name, name });
    case 'email': {
      const id = await lookUps.idByEmail(name, 'shown');
      return id === null ? name : people.nameOf({ id, name });
    }
    case 'group': {
      const group = (await lookUps.groups('shown')).find(({ id }) => id === name);
      return group ? `@${group.handle}` : name;
    }
    case 'handle':
    case 'channel':
    case 'workspace':
      return name;
  }
}
