import type { PolicyPlaces } from '../../../core/approval/policy/places.ts';
import type { TaskPolicy } from '../../../core/approval/policy/policy.ts';
import {
  type PolicyStatement,
  policyStatements,
  sentenceWithPlace,
  starterStatement,
} from '../../../core/approval/policy/sentences.ts';
import type { Crew } from '../../../core/crew.ts';
import { type Rendered, rendered, section } from '../../ui/blocks.ts';
import { bulleted } from '../../ui/bulleted.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

interface Asked {
  /** Whether the person who asks can start the crew, and decide its requests, and why; mrkdwn. */
  canStart: string;
  canDecide: string;
  /** What to call those whom the rules name, in plain text. */
  approverName: (name: string) => string;
  /** Where the rules stand. */
  places: PolicyPlaces;
}

/** The rules of more tasks don't fit into a message. */
const MOST_TASKS = 8;

/** Who may start a crew and decide its requests. */
export function crewRulesMessage(crew: Crew, { canStart, canDecide, approverName, places }: Asked): Rendered {
  const name = escapedLine(crew.name, 80);
  const nameOf: Parameters<typeof starterStatement>[1] = (approver) => approverName(approver.name);
  const usual = policyStatements({ policy: crew.approval, crew, nameOf });
  const placed = (task: number | null) => (rule: PolicyStatement) =>
    escapeMrkdwn(sentenceWithPlace(rule, { places, task }));
  const starting = [`*Starting ${name}*`, canStart, placed(null)(starterStatement(crew.starters, nameOf))];
  const deciding = ['*Deciding its requests*', canDecide, ...bulleted(usual.map(placed(null)))];
  const ofTask = (policy: TaskPolicy, i: number) => {
    const isUsual = ({ sentence }: PolicyStatement) => usual.some((each) => each.sentence === sentence);
    const own = policyStatements({ policy, crew, nameOf }).filter((rule) => !isUsual(rule));
    const rules = own.length === 0 ? ['The same rules.'] : bulleted(own.map(placed(i)));
    return [`*Deciding tasks named “${escapedLine(policy.match, 80)}”*`, ...rules].join('\n');
  };
  const texts = [
    cutMrkdwn(starting.join('\n'), 2_500),
    cutMrkdwn(deciding.join('\n'), 2_500),
    ...crew.approval.tasks.slice(0, MOST_TASKS).map((task, i) => cutMrkdwn(ofTask(task, i), 550)),
  ];
  return rendered(texts.join('\n'), texts.map(section));
}
