import { hasStarted } from '../approval/policy/permits.ts';
import type { ClassifiedSnapshot } from './classified-snapshot.ts';
import { DENIED, type Judgement, judgeClass, judgeStarter, type Viewer } from './judge.ts';
import type { OwnRun, PersonalInbox, WaitingRequest } from './personal-inbox.ts';
import type { ClassEntry, Classified } from './request-classes.ts';
import type { OpenRequest, PastDecision } from './snapshot.ts';

const MOST_DECISIONS = 100;

/** What concerns a person, by judging each class of requests once. */
export function inboxOf(classified: ClassifiedSnapshot, viewer: Viewer): PersonalInbox {
  const runs = ownRuns(classified, viewer);
  return {
    at: viewer.now,
    ...openRequests(classified.requests, viewer),
    runs,
    decided: pastDecisions(classified.decisions, viewer, runs),
  };
}

/** Those who started runs that the person may decide unless they are the same: only Slack can tell. */
export function startersInDoubt({ requests, decisions }: ClassifiedSnapshot, viewer: Viewer): ReadonlySet<string> {
  const classes = [...requests.classes, ...decisions.classes].filter(({ starters }) => starters.size > 0);
  const open = classes.filter((each) => judgeClass(each, viewer).kind === 'permitted');
  const starters = open.flatMap((each) => [...each.starters]);
  return new Set(starters.filter((id) => !viewer.account.identities.includes(id)));
}

type Sorted = Pick<PersonalInbox, 'waiting' | 'waitingForOthers' | 'unsure'>;

function openRequests(requests: Classified<OpenRequest>, viewer: Viewer): Sorted {
  const judge = judging(requests, viewer);
  const own = new Set(viewer.account.identities);
  const waiting: WaitingRequest[] = [];
  const waitingForOthers: OpenRequest[] = [];
  let unsure = 0;
  for (const entry of requests.entries) {
    const { item: request, starterId } = entry;
    const judgement = judge(entry);
    const hasVoted = request.voters.some((id) => own.has(id));
    if (judgement.kind === 'unsure' && !hasVoted) unsure += 1;
    if (judgement.kind === 'permitted' && !hasVoted) waiting.push({ request, rule: judgement.rule });
    else if (hasVoted || (starterId !== null && own.has(starterId))) waitingForOthers.push(request);
  }
  return { waiting, waitingForOthers, unsure };
}

function pastDecisions(decisions: Classified<PastDecision>, viewer: Viewer, runs: readonly OwnRun[]): PastDecision[] {
  const judge = judging(decisions, viewer);
  const own = new Set(viewer.account.identities);
  const started = new Set(runs.map((each) => (each.kind === 'open' ? each.run.ref : each.ended.ref)));
  const isOwn = ({ by, ref, record }: PastDecision) =>
    by.some((id) => own.has(id)) || started.has(ref) || own.has(record?.starterId ?? '');
  const found: PastDecision[] = [];
  for (const entry of decisions.entries) {
    if (found.length === MOST_DECISIONS) break;
    if (isOwn(entry.item) || judge(entry).kind === 'permitted') found.push(entry.item);
  }
  return found;
}

/** Judges each class and each starter once. */
function judging<Item>({ classes }: Classified<Item>, viewer: Viewer): (entry: ClassEntry<Item>) => Judgement {
  const judgements = new Map(classes.map((each) => [each, judgeClass(each, viewer)]));
  const starters = new Map<string, boolean | null>();
  const facts = { accounts: viewer.facts.accounts, members: {}, connected: null };
  const isStarter = (id: string) => {
    const known = starters.get(id);
    if (known !== undefined) return known;
    const answer = hasStarted(id, viewer.id, facts);
    starters.set(id, answer);
    return answer;
  };
  return ({ in: found, starterId }) => {
    const judgement = (found && judgements.get(found)) ?? DENIED;
    const mayStarterDecide = starterId === null || found === null || found.policy.selfApproval;
    return mayStarterDecide ? judgement : judgeStarter(judgement, isStarter(starterId));
  };
}

function ownRuns({ runsOf, endedOf }: ClassifiedSnapshot, { account: { identities } }: Viewer): OwnRun[] {
  const open = identities.flatMap((id) => runsOf.get(id) ?? []);
  const ended = identities.flatMap((id) => endedOf.get(id) ?? []);
  return [
    ...open.map((run) => ({ kind: 'open', run }) as const),
    ...ended.map((each) => ({ kind: 'ended', ended: each }) as const),
  ];
}
