import type { Approval, Person } from '../../core/approval/approval.ts';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { approversNow, policyFor } from '../../core/approval/policy/policy.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { starterOf } from '../../core/execution/execution.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import { approverWords } from '../ui/approver-words.ts';
import { nameIn } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { DenialDetails } from './denial-text.ts';
import { canAsk } from './next-step.ts';

type Ports = Pick<ListenerContext, 'rulesOf' | 'directory' | 'namesOf' | 'say'>;

interface Denied {
  you: string;
  /** Null for a refusal of another kind, which names nobody. */
  denial: Denial | null;
  execution: Execution | null;
  approval: Approval | null;
}

/** What it takes to tell a person why the policy says no, and whom to ask instead. */
export async function findDenialDetails(ports: Ports, denied: Denied): Promise<DenialDetails> {
  const { you, denial, execution, approval } = denied;
  // While Slack can't tell who may decide, it isn't asked for names either; strangers don't learn who.
  const isTold = denial && canAsk(denial) && execution && approval?.status === 'pending';
  const say = await ports.say();
  const other = denial && approval && otherIn(denial, approval);
  return {
    what: 'this',
    you,
    other: other && nameIn(await ports.namesOf(other), other),
    starterId: (execution && starterOf(execution)?.id) ?? null,
    crew: execution && escapedLine(execution.crew, 80),
    whoCan: isTold ? await whoCan(ports, { execution, approval, say }) : null,
    say,
  };
}

/** The other person whom a denial is about; null if it is about nobody else. */
export function otherIn(denial: Denial, { votes, handedOver }: Pick<Approval, 'votes' | 'handedOver'>): Person | null {
  if (denial.kind === 'giver-denied') return handedOver.find(({ by }) => by.id === denial.giver)?.by ?? null;
  return denial.kind === 'right-used' ? (votes.find(({ by }) => by.id === denial.by)?.by ?? null) : null;
}

async function whoCan(
  { rulesOf, directory, namesOf }: Ports,
  { execution: { crew }, approval, say }: { execution: Execution; approval: Approval; say: Say },
): Promise<string | null> {
  const policy = policyFor(rulesOf(crew).policy, approval);
  if (policy === null) return null;
  const approvers = approversNow(policy, { isEscalated: approval.times.escalatedAt !== null });
  const handedTo = approval.handedOver.map(({ to }) => to);
  const [approverName, name] = await Promise.all([directory.approverNames(approvers), namesOf(...handedTo)]);
  const others = handedTo.map((to) => nameIn(name, to));
  return approverWords(approvers, approverName, { others, say });
}
