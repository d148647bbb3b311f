import type { Permit } from '../../../core/approval/policy/permits.ts';
import type { TaskPolicy } from '../../../core/approval/policy/policy.ts';
import { policySentences, starterStatement } from '../../../core/approval/policy/sentences.ts';
import type { Crew } from '../../../core/crew.ts';
import { type Rendered, rendered, section } from '../../ui/blocks.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { ownRightSentence } from './own-right-sentence.ts';

/** What is known about the person who asks, and what to call those whom the rules name, in plain text. */
interface Asked {
  startPermit: Permit;
  permit: Permit;
  approverName: (name: string) => string;
}

/** More tasks of their own don't fit in. */
const MOST_TASKS = 8;

/** Who may start a crew and decide its requests. */
export function crewRulesMessage(crew: Crew, { startPermit, permit, approverName }: Asked): Rendered {
  const name = escapedLine(crew.name, 80);
  const nameOf: Parameters<typeof starterStatement>[1] = (approver) => approverName(approver.name);
  const usual = policySentences({ policy: crew.approval, crew, nameOf });
  const starting = [
    `*Starting ${name}*`,
    escapeMrkdwn(starterStatement(crew.starters, nameOf).sentence),
    ownRightSentence(startPermit, { what: 'start it here', crew: crew.name }),
  ];
  const deciding = [
    '*Deciding its requests*',
    escapeMrkdwn(usual.join(' ')),
    ownRightSentence(permit, { what: 'decide them', crew: crew.name }),
  ];
  const ofTask = (policy: TaskPolicy) => {
    const own = policySentences({ policy, crew, nameOf }).filter((sentence) => !usual.includes(sentence));
    const rules = own.length === 0 ? 'The same rules.' : own.join(' ');
    return section(`*Deciding tasks named “${escapedLine(policy.match, 80)}”*\n${escapedLine(rules, 900)}`);
  };
  return rendered(`Who may start ${name} and decide its requests`, [
    section(starting.join('\n')),
    section(deciding.join('\n')),
    ...crew.approval.tasks.slice(0, MOST_TASKS).map(ofTask),
  ]);
}
