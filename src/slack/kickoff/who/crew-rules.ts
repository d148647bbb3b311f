import type { Approver } from '../../../core/approval/policy/approver.ts';
import type { PolicyPlaces } from '../../../core/approval/policy/places.ts';
import type { TaskPolicy } from '../../../core/approval/policy/policy.ts';
import { type PolicyStatement, policyStatements, starterStatement } from '../../../core/approval/policy/statements.ts';
import type { Crew } from '../../../core/crew.ts';
import { policySentence, sentenceWithPlace } from '../../approval/policy-sentences.ts';
import type { Say } from '../../language/say.ts';
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
  say: Say;
}

/** The rules of more tasks don't fit into a message. */
const MOST_TASKS = 8;

/** Who may start a crew and decide its requests. */
export function crewRulesMessage(crew: Crew, { canStart, canDecide, approverName, places, say }: Asked): Rendered {
  const name = escapedLine(crew.name, 80);
  const wording = { say, nameOf: (approver: Approver) => approverName(approver.name) };
  const usual = policyStatements({ policy: crew.approval, crew });
  const placed = (task: number | null) => (rule: PolicyStatement) =>
    escapeMrkdwn(sentenceWithPlace(rule, { places, task, ...wording }));
  const starting = [say('who.starting', { crew: name }), canStart, placed(null)(starterStatement(crew.starters))];
  const deciding = [say('who.deciding'), canDecide, ...bulleted(usual.map(placed(null)))];
  const usualSentences = new Set(usual.map((rule) => policySentence(rule, wording)));
  const ofTask = (policy: TaskPolicy, i: number) => {
    const isUsual = (rule: PolicyStatement) => usualSentences.has(policySentence(rule, wording));
    const own = policyStatements({ policy, crew }).filter((rule) => !isUsual(rule));
    const rules = own.length === 0 ? [say('who.same-rules')] : bulleted(own.map(placed(i)));
    return [say('who.deciding-tasks', { match: escapedLine(policy.match, 80) }), ...rules].join('\n');
  };
  const texts = [
    cutMrkdwn(starting.join('\n'), 2_500),
    cutMrkdwn(deciding.join('\n'), 2_500),
    ...crew.approval.tasks.slice(0, MOST_TASKS).map((task, i) => cutMrkdwn(ofTask(task, i), 550)),
  ];
  return rendered(texts.join('\n'), texts.map(section));
}
