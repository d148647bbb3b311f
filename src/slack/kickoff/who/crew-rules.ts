import type { Permit } from '../../../core/approval/policy/permits.ts';
import type { TaskPolicy } from '../../../core/approval/policy/policy.ts';
import { policySentences, starterStatement } from '../../../core/approval/policy/sentences.ts';
import type { Crew } from '../../../core/crew.ts';
import { type Rendered, rendered, section } from '../../ui/blocks.ts';
import { bulleted } from '../../ui/bulleted.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { ownRightSentence } from './own-right-sentence.ts';

/** What is known about the person who asks, and what to call those whom the rules name, in plain text. */
interface Asked {
  startPermit: Permit;
  permit: Permit;
  approverName: (name: string) => string;
}

/** The rules of more tasks don't fit into a message. */
const MOST_TASKS = 8;

/** Who may start a crew and decide its requests. */
export function crewRulesMessage(crew: Crew, { startPermit, permit, approverName }: Asked): Rendered {
  const name = escapedLine(crew.name, 80);
  const nameOf: Parameters<typeof starterStatement>[1] = (approver) => approverName(approver.name);
  const usual = policySentences({ policy: crew.approval, crew, nameOf });
  const starting = [
    `*Starting ${name}*`,
    ownRightSentence(startPermit, { what: 'start it here', crew: crew.name }),
    escapeMrkdwn(starterStatement(crew.starters, nameOf).sentence),
  ];
  const deciding = [
    '*Deciding its requests*',
    ownRightSentence(permit, { what: decideThem(crew, permit), crew: crew.name }),
    ...bulleted(usual.map(escapeMrkdwn)),
  ];
  const ofTask = (policy: TaskPolicy) => {
    const own = policySentences({ policy, crew, nameOf }).filter((sentence) => !usual.includes(sentence));
    const rules = own.length === 0 ? ['The same rules.'] : bulleted(own.map(escapeMrkdwn));
    return [`*Deciding tasks named “${escapedLine(policy.match, 80)}”*`, ...rules].join('\n');
  };
  return rendered(`Who may start ${name} and decide its requests`, [
    section(cutMrkdwn(starting.join('\n'), 2_500)),
    section(cutMrkdwn(deciding.join('\n'), 2_500)),
    ...crew.approval.tasks.slice(0, MOST_TASKS).map((task) => section(cutMrkdwn(ofTask(task), 550))),
  ]);
}

function decideThem({ approval }: Crew, { kind }: Permit): string {
  return kind === 'permitted' && !approval.selfApproval ? 'decide them, unless you started the run' : 'decide them';
}
