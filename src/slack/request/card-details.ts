// What an open card shows besides the state of its request, and how it is found.

import { roundBefore, roundOfSameText } from '../../core/approval/request.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { type Crew, inputLabel } from '../../core/policy/crew.ts';
import { doubtsAbout } from '../../core/policy/explained.ts';
import { DEFAULT_POLICY, namedIn, type Policy } from '../../core/policy/policy.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import { settingsOf } from '../../core/policy/settings.ts';
import type { OutputStore } from '../../core/ports.ts';
import { type Approval, allVotes, askedText, type EarlierRound, type Person } from '../../core/state/approval.ts';
import { type Execution, starterOf } from '../../core/state/execution.ts';
import type { Rendering } from '../../core/state/post.ts';
import type { NamesOf } from '../api/users.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import type { Say } from '../language/say.ts';
import type { Change, FindChange } from '../ui/comparison/find-change.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { type ApproverName, isSomebody, type Mention, type NameOf } from '../ui/person.ts';
import type { Tick } from './edits/edit.ts';
import { ticksOf } from './edits/edits-made.ts';
import { editableText } from './edits/sections.ts';
import { paragraphsOf } from './quoted-points.ts';
import type { LabelOf } from './status-text.ts';
import { approversIn, type Deciders, peopleLeft } from './who-decides.ts';

/** What an open card shows besides its model. */
export interface CardDetails {
  /** The whole output; null if it is no longer stored. */
  output: string | null;
  /** How many characters of it the card shows; null for as much as there is room for. */
  preview: number | null;
  /** Whether an approval can come with a note. `required`: *Approve* asks for it. */
  notes: 'offered' | 'hidden' | 'required';
  /** Whether edits can be sent, which are feedback. */
  edits: 'offered' | 'hidden';
  /** Null while that isn't known, as the crew isn't configured. */
  deciders: Deciders | null;
  /** Whether a card is for one person who decides with a right that was lent to them. */
  isLent?: boolean;
  /** Whom an open card mentions; by default nobody. */
  mentions?: readonly Mention[];
  /** Whether each point of the feedback that led to this round was followed; by default nobody can tell. */
  ticks?: readonly Tick[];
  name: NameOf;
  /** The labels of the inputs of an ask; by default their names. */
  labelOf?: LabelOf;
  rendering: Rendering;
  /** Null for a first round, and for a request that needs no decision any more. */
  lastRound?: LastRound | null;
  /** What people have edited; null where nobody has, or that can't be told. */
  editChange?: Change | null;
  say: Say;
}

/** The text of the round before, and what became of it. */
export interface LastRound {
  /** The hashes of the two texts. */
  before: string;
  after: string;
  /** Null if one of the texts is no longer stored. */
  change: Change | null;
  /** The latest round before that had exactly the same text. */
  sameAs: number | null;
}

/** Where the details of a request come from. */
export interface CardPorts {
  outputs: OutputStore;
  crews: ReadonlyMap<string, Crew>;
  namesOf: NamesOf;
  approverNames: SlackDirectory['approverNames'];
  findChange: FindChange;
}

/** The text of a request, what led to it, and the names of those who can decide by the policy as it is now. */
export async function findCardDetails(
  { outputs, crews, namesOf, approverNames, findChange }: CardPorts,
  rules: RequestRules,
  model: CardModel,
): Promise<
  Pick<
    CardDetails,
    'output' | 'notes' | 'edits' | 'deciders' | 'lastRound' | 'editChange' | 'ticks' | 'name' | 'labelOf'
  >
> {
  const { execution, request, policies } = rules;
  const asked = { execution, request };
  const starter = policies.some(({ selfApproval }) => !selfApproval) ? starterOf(execution) : null;
  const { shortages = [] } = request.undecidable ?? {};
  const named = [...policies.flatMap(namedIn), ...approversIn(shortages)].filter(isSomebody);
  const before = request.status === 'pending' ? roundBefore(execution, request) : null;
  const { edited } = request;
  const [output, lastRound, name, approverName, ticks, editChange] = await Promise.all([
    outputs.get(execution.ref, request.output.hash),
    before && findLastRound(findChange, { before, ...asked }),
    namesOf(model.ledBy?.by, model.starter, edited?.by, ...peopleOn(request)),
    named.length === 0 ? AS_WRITTEN : approverNames(named),
    before ? findTicks(outputs, { before, ...asked }, model) : [],
    edited && findChange({ ref: execution.ref, before: edited.of.hash, after: request.output.hash }),
  ]);
  const deciders = policies.length === 0 ? null : { policies, doubts: doubtsAbout(rules), starter, approverName };
  const { notes, edits } = commentsOf(crews.get(execution.crew), policies, model);
  return {
    output,
    notes,
    edits,
    deciders: model.crewMissing ? null : deciders,
    lastRound,
    editChange,
    ticks,
    name,
    labelOf: labelsOf(crews.get(execution.crew)),
  };
}

export function labelsOf(crew: Pick<Crew, 'inputs'> | undefined): LabelOf {
  const hints = crew?.inputs ?? {};
  return (input) => inputLabel(input, hints);
}

const AS_WRITTEN: ApproverName = (name) => name;

/** What people can say with their verdicts. */
export function commentsOf(
  crew: Pick<Crew, 'approvalNotes'> | undefined,
  policies: readonly Policy[],
  model: Pick<CardModel, 'isAsk' | 'byWorkflow' | 'outcomes' | 'fields' | 'edited'>,
): Pick<CardDetails, 'notes' | 'edits'> {
  const { approve } = commentIn(policies);
  // A decision that goes to a program or a workflow has a place for them, whatever the crew's service takes. With an edited text, the
  // crew gets nothing else that nobody has to write.
  const hidesNotes =
    (crew?.approvalNotes === false && !model.isAsk) ||
    approve === 'none' ||
    (model.edited && approve === 'optional') ||
    model.fields !== undefined;
  return {
    notes: hidesNotes ? 'hidden' : approve === 'required' ? 'required' : 'offered',
    edits: editWays(crew, policies, model).length === 0 ? 'hidden' : 'offered',
  };
}

function commentIn(policies: readonly Policy[]): Policy['comment'] {
  return policies.length === 0 ? DEFAULT_POLICY.comment : settingsOf(policies).comment;
}

/** What a person can do with their edits: whoever asks has to have a place for the text, or to try again. */
export function editWays(
  crew: Pick<Crew, 'approvalNotes'> | undefined,
  policies: readonly Policy[],
  { isAsk, byWorkflow, outcomes, fields }: Pick<CardModel, 'isAsk' | 'byWorkflow' | 'outcomes' | 'fields'>,
): ('approve' | 'reject')[] {
  const { approve, reject } = commentIn(policies);
  // The step of a workflow puts out only the beginning of a text.
  const isStep = isAsk && byWorkflow;
  const isPlain = outcomes === undefined && fields === undefined;
  const takesText = crew?.approvalNotes !== false && approve !== 'none' && isPlain && !isStep;
  const triesAgain = reject !== 'none' && !isAsk;
  return [...(takesText ? (['approve'] as const) : []), ...(triesAgain ? (['reject'] as const) : [])];
}

function peopleOn({ handedOver, retractions, undecidable, ...voted }: Approval): (Person | null | undefined)[] {
  const decision = 'decision' in voted ? voted.decision : null;
  return [
    decision?.by,
    decision?.for,
    ...peopleLeft(undecidable?.shortages ?? []),
    ...[...allVotes(voted), ...retractions].map(({ by }) => by),
    ...handedOver.flatMap(({ to, by }) => [to, by]),
  ];
}

interface Revised {
  execution: Execution;
  request: Approval;
  before: EarlierRound;
}

/** What became of the text of the round before. */
async function findLastRound(findChange: FindChange, { execution, request, before }: Revised): Promise<LastRound> {
  const hashes = { before: before.text.hash, after: askedText(request).hash };
  const change = await findChange({ ref: execution.ref, ...hashes });
  return { ...hashes, change, sameAs: roundOfSameText(execution, request) };
}

/** What the text tells of the feedback that led to it; nothing where a text is too long or no longer stored. */
async function findTicks(
  outputs: OutputStore,
  { execution, before, request }: Revised,
  { ledBy }: Pick<CardModel, 'ledBy'>,
): Promise<Tick[]> {
  const texts = [before.text, askedText(request)];
  if (!ledBy?.feedback || texts.some(({ length }) => length > READABLE_LENGTH)) return [];
  const [oldText, nextText] = await Promise.all(texts.map(async ({ hash }) => outputs.get(execution.ref, hash)));
  if (!oldText || !nextText) return [];
  const points = paragraphsOf(ledBy.feedback).map(({ written }) => written);
  return ticksOf(points, { oldText: editableText(oldText), nextText: editableText(nextText) });
}
