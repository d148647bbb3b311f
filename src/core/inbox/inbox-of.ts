import { hasStarted } from '../approval/policy/permits.ts';
import type { ClassifiedSnapshot } from './classified-snapshot.ts';
import { DENIED, type Judgement, judgeClass, judgeStarter, type Viewer } from './judge.ts';
import type { OwnRun, PersonalInbox, WaitingRequest } from './personal-inbox.ts';
import type { Classified, RequestClass } from './request-classes.ts';
import type { OpenRequest, PastDecision } from './snapshot.ts';

const MOST_DECISIONS = 100;

/** What concerns a person, by judging each class of requests once. */
export function inboxOf(classified: ClassifiedSnapshot, viewer: Viewer): PersonalInbox {
  const runs = ownRuns(classified, viewer);
  return {
    at: viewer.now,
    ...openRequests(classified, viewer),
    runs,
    decided: pastDecisions(classified, viewer, runs),
  };
}

/** Those who started runs that the person may decide unless they are the same: only Slack can tell. */
export function startersInDoubt({ requests, decisions }: ClassifiedSnapshot, viewer: Viewer): ReadonlySet<string> {
  const classes = [...requests.classes, ...decisions.classes].filter(({ starters }) => starters.size > 0);
  const open = classes.filter((each) => judgeClass({ ...each, isElsewhere: false }, viewer).kind === 'permitted');
  const starters = open.flatMap((each) => [...each.starters]);
  return new Set(starters.filter((id) => !viewer.account.identities.includes(id)));
}

/** Those who handed over what was handed to the person, perhaps by others in between: it counts only while they may decide. */
export function giversInDoubt({ requests, decisions }: ClassifiedSnapshot, viewer: Viewer): ReadonlySet<string> {
  const isConcerned = ({ handedOver }: RequestClass) =>
    handedOver.some(({ to }) => viewer.account.identities.includes(to.id));
  const classes = [...requests.classes, ...decisions.classes].filter(isConcerned);
  return new Set(classes.flatMap(({ handedOver }) => handedOver.map(({ by }) => by.id)));
}

type Sorted = Pick<PersonalInbox, 'waiting' | 'waitingForOthers' | 'unsure'>;

function openRequests({ requests, votedFor }: ClassifiedSnapshot, viewer: Viewer): Sorted {
  const { judge, isOwn } = judging(requests, viewer);
  const voted = new Set(viewer.account.identities.flatMap((id) => votedFor.get(id) ?? []));
  const waiting: WaitingRequest[] = [];
  const waitingForOthers: OpenRequest[] = [];
  let unsure = 0;
  requests.items.forEach((request, i) => {
    const judgement = judge(i);
    const hasVoted = voted.has(i);
    if (judgement.kind === 'unsure' && !hasVoted) unsure += 1;
    if (judgement.kind === 'permitted' && !hasVoted) waiting.push({ request, rule: judgement.rule });
    else if (hasVoted || isOwn(i)) waitingForOthers.push(request);
  });
  return { waiting, waitingForOthers, unsure };
}

function pastDecisions(classified: ClassifiedSnapshot, viewer: Viewer, runs: readonly OwnRun[]): PastDecision[] {
  const { decisions, decidedBy, decidedOn } = classified;
  const { judge, isOwn } = judging(decisions, viewer);
  const refs = runs.map((each) => (each.kind === 'open' ? each.run.ref : each.ended.ref));
  const own = [
    ...viewer.account.identities.flatMap((id) => decidedBy.get(id) ?? []),
    ...refs.flatMap((ref) => decidedOn.get(ref) ?? []),
  ];
  const judged = Array.from(decisions.classOf.keys()).filter((i) => isOwn(i) || judge(i).kind === 'permitted');
  const places = [...new Set([...own, ...judged])].sort((one, other) => one - other);
  return places.slice(0, MOST_DECISIONS).flatMap((place) => decisions.items[place] ?? []);
}

interface Judging {
  /** Of the item at a place. */
  judge: (i: number) => Judgement;
  /** Whether the person has started its run. */
  isOwn: (i: number) => boolean;
}

/** Judges each class once, and each starter. */
function judging<Item>({ classes, starters, classOf, starterOf }: Classified<Item>, viewer: Viewer): Judging {
  const judgements = classes.map((each) => judgeClass(each, viewer));
  const barsStarters = classes.map(({ policy }) => !policy.selfApproval);
  const facts = { accounts: viewer.facts.accounts, members: {}, connected: null };
  const startedBy = new Map<number, boolean | null>();
  const hasStartedRunsOf = (place: number) => {
    const known = startedBy.get(place);
    if (known !== undefined) return known;
    const answer = hasStarted(starters[place] ?? '', viewer.id, facts);
    startedBy.set(place, answer);
    return answer;
  };
  const own = new Set(viewer.account.identities.map((id) => starters.indexOf(id)).filter((place) => place !== -1));
  return {
    judge(i) {
      const place = classOf[i] ?? -1;
      const starter = starterOf[i] ?? -1;
      const judgement = judgements[place] ?? DENIED;
      return starter !== -1 && barsStarters[place] ? judgeStarter(judgement, hasStartedRunsOf(starter)) : judgement;
    },
    isOwn: (i) => own.has(starterOf[i] ?? -1),
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
