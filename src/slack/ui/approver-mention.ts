import type { Approver } from '../../core/approval/policy/approver.ts';
import { escapedLine } from './text/escape.ts';

/**
 * A person or group whom a policy names, as mrkdwn. In modals and private messages it notifies nobody.
 * https://docs.slack.dev/messaging/formatting-message-text#mentioning-users
 */
export function approverMention({ kind, name }: Approver): string {
  switch (kind) {
    case 'person':
      return `<@${name}>`;
    case 'group':
      return `<!subteam^${name}>`;
    case 'email':
    case 'handle':
    case 'channel':
    case 'workspace':
      return escapedLine(name, 100);
  }
}
