// Finds what an open card and its review show besides the state of the request: the text, the people who can decide, the last round.

import type { CardModel } from '../../core/messages/view-models.ts';
import { type Crew, inputLabel } from '../../core/policy/crew.ts';
import { doubtsAbout } from '../../core/policy/explained.ts';
import { DEFAULT_POLICY, namedIn, type Policy, settingsOf } from '../../core/policy/policy.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import type { OutputStore } from '../../core/ports.ts';
import { roundBefore, roundOfSameText } from '../../core/request/ask.ts';
import { type Execution, starterOf } from '../../core/state/execution.ts';
import type { Rendering } from '../../core/state/post.ts';
import {
  allVotes,
  askedText,
  decisionOf,
  type EarlierRound,
  type HumanRequest,
  type Person,
} from '../../core/state/request.ts';
import type { NamesOf } from '../api/users.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import type { Say } from '../language/say.ts';
import type { Change, FindChange } from '../ui/comparison/find-change.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { type ApproverName, canBeNotified, type Mention, type NameOf } from '../ui/person.ts';
import type { Tick } from './edits/edit.ts';
import { editableText } from './edits/sections.ts';
import { ticksOf } from './edits/ticks.ts';
import { paragraphsOf } from './quoted-points.ts';
import type { LabelOf } from './status-text.ts';
import { approversIn, type Deciders, peopleLeft } from './who-decides.ts';

export interface CardDetails {
  /** The whole output. Null if it is no longer stored. */
  output: string | null;
  /** Number of characters of the output that the card shows. Null for as much as there is room for. */
  preview: number | null;
  /** Notes with an approval. `required`: *Approve* asks for one. */
  notes: 'offered' | 'hidden' | 'required';
  edits: 'offered' | 'hidden';
  /** Null while the crew isn't configured. */
  deciders: Deciders | null;
  /** True for the card of one person who decides with a right that was lent to them. */
  isLent?: boolean;
  /** People and groups that an open card mentions. Default: nobody. */
  mentions?: readonly Mention[];
  /** Points of the feedback that led to this round, each with whether the text follows it. Default: not known. */
  ticks?: readonly Tick[];
  name: NameOf;
  /** Labels of the inputs of an ask. Default: their names. */
  labelOf?: LabelOf;
  rendering: Rendering;
  /** Null for a first round, and for a request that needs no decision any more. */
  lastRound?: LastRound | null;
  /** Changes that people have made to the text. Null if there are none, or if we can't tell. */
  editChange?: Change | null;
  say: Say;
}

/** The text of the round before, and what has changed since. */
export interface LastRound {
  /** Hashes of the two texts. */
  before: string;
  after: string;
  /** Null if one of the texts is no longer stored. */
  change: Change | null;
  /** The latest round before that had exactly the same text. Null if there is none. */
  sameAs: number | null;
}

export interface CardPorts {
  outputs: OutputStore;
  crews: ReadonlyMap<string, Crew>;
  namesOf: NamesOf;
  approverNames: SlackDirectory['approverNames'];
  findChange: FindChange;
}

const AS_WRITTEN: ApproverName = (name) => name;

/** Finds the text of a request, what led to it, and the names of the people who can decide by the policy as it is now. */
export async function findCardDetails(
  { outputs, crews, namesOf, approverNames, findChange }: CardPorts,
  rules: RequestRules,
  model: CardModel,
): Promise<Omit<CardDetails, 'preview' | 'isLent' | 'mentions' | 'rendering' | 'say'>> {
  const { execution, request, policies } = rules;
  const crew = crews.get(execution.crew);
  const starter = policies.some(({ selfApproval }) => !selfApproval) ? starterOf(execution) : null;
  const { shortages = [] } = request.discussion.undecidable ?? {};
  const approvers = [...policies.flatMap(namedIn), ...approversIn(shortages)].filter(canBeNotified);
  const before = request.state.status === 'pending' ? roundBefore(execution, request) : null;
  const { edited } = request.question;
  const [output, lastRound, name, approverName, ticks, editChange] = await Promise.all([
    outputs.get(execution.ref, request.question.output.hash),
    before && findLastRound(findChange, { before, execution, request }),
    namesOf(model.ledBy?.by, model.starter, edited?.by, ...peopleOn(request)),
    approvers.length === 0 ? AS_WRITTEN : approverNames(approvers),
    before ? findTicks(outputs, { before, execution, request }, model) : [],
    edited && findChange({ ref: execution.ref, before: edited.of.hash, after: request.question.output.hash }),
  ]);
  const isDecidable = policies.length > 0 && !model.crewMissing;
  const deciders = isDecidable ? { policies, doubts: doubtsAbout(rules), starter, approverName } : null;
  const comments = commentsOf(crew, policies, model);
  return { output, ...comments, deciders, lastRound, editChange, ticks, name, labelOf: labelsOf(crew) };
}

export function labelsOf(crew: Pick<Crew, 'inputs'> | undefined): LabelOf {
  const hints = crew?.inputs ?? {};
  return (input) => inputLabel(input, hints);
}

/** Returns what people can send with their verdicts. */
export function commentsOf(
  crew: Pick<Crew, 'approvalNotes'> | undefined,
  policies: readonly Policy[],
  model: Pick<CardModel, 'isAsk' | 'byWorkflow' | 'outcomes' | 'fields' | 'edited'>,
): Pick<CardDetails, 'notes' | 'edits'> {
  const { approve } = commentIn(policies);
  // A program or a workflow always has a place for notes. With an edited text, the crew gets no optional note.
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

/** Returns what a person can do with their edits: approve the edited text if the crew has a place for it, or send them back. */
export function editWays(
  crew: Pick<Crew, 'approvalNotes'> | undefined,
  policies: readonly Policy[],
  { isAsk, byWorkflow, outcomes, fields }: Pick<CardModel, 'isAsk' | 'byWorkflow' | 'outcomes' | 'fields'>,
): ('approve' | 'reject')[] {
  const { approve, reject } = commentIn(policies);
  // A workflow step outputs only the beginning of a text.
  const isStep = isAsk && byWorkflow;
  const isPlain = outcomes === undefined && fields === undefined;
  const takesText = crew?.approvalNotes !== false && approve !== 'none' && isPlain && !isStep;
  const triesAgain = reject !== 'none' && !isAsk;
  return [...(takesText ? (['approve'] as const) : []), ...(triesAgain ? (['reject'] as const) : [])];
}

function peopleOn(request: HumanRequest): (Person | null | undefined)[] {
  const { handedOver, retractions, undecidable } = request.discussion;
  const decision = decisionOf(request);
  return [
    decision?.by,
    decision?.for,
    ...peopleLeft(undecidable?.shortages ?? []),
    ...[...allVotes(request.discussion), ...retractions].map(({ by }) => by),
    ...handedOver.flatMap(({ to, by }) => [to, by]),
  ];
}

interface Revised {
  execution: Execution;
  request: HumanRequest;
  before: EarlierRound;
}

async function findLastRound(findChange: FindChange, { execution, request, before }: Revised): Promise<LastRound> {
  const hashes = { before: before.text.hash, after: askedText(request.question).hash };
  const change = await findChange({ ref: execution.ref, ...hashes });
  return { ...hashes, change, sameAs: roundOfSameText(execution, request) };
}

/** Compares the text with the feedback that led to it. Returns nothing if a text is too long or no longer stored. */
async function findTicks(
  outputs: OutputStore,
  { execution, before, request }: Revised,
  { ledBy }: Pick<CardModel, 'ledBy'>,
): Promise<Tick[]> {
  const texts = [before.text, askedText(request.question)];
  if (!ledBy?.feedback || texts.some(({ length }) => length > READABLE_LENGTH)) return [];
  const [oldText, nextText] = await Promise.all(texts.map(async ({ hash }) => outputs.get(execution.ref, hash)));
  if (!oldText || !nextText) return [];
  const points = paragraphsOf(ledBy.feedback).map(({ written }) => written);
  return ticksOf(points, { oldText: editableText(oldText), nextText: editableText(nextText) });
}
