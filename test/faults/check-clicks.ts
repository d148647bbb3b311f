import type { LedgerEvent } from '../../src/core/ledger/entry.ts';
import { type Action, type Click, isAcknowledged } from './clicks.ts';
import type { Posted } from './evidence.ts';
import { eventOf, type RequestStory } from './request-story.ts';

/** What one person did about one request in one way. */
interface Group {
  by: string;
  action: Action;
  approval: string;
  ref: string;
  clicks: readonly Click[];
}

/** Every vote, decision and refusal has exactly one entry: those that were acknowledged have one, and nothing has two. */
export function clickProblems(
  clicks: readonly Click[],
  stories: readonly RequestStory[],
  cards: readonly Posted[],
): string[] {
  return groupsOf(clicks, cards).flatMap((group) => {
    const story = stories.find(({ ref, approval }) => ref === group.ref && approval === group.approval);
    const entries = (story?.entries ?? []).map(eventOf).filter((event) => isAbout(event, group));
    const [first] = group.clicks;
    const what = `to ${group.action} in round ${first?.round} by ${group.by}`;
    const isLost = entries.length === 0 && group.clicks.some(isAcknowledged);
    return [
      ...(isLost ? [`an acknowledged click ${what} has no entry in the ledger`] : []),
      ...(entries.length > group.clicks.length
        ? [`${group.clicks.length} clicks ${what} have ${entries.length} entries in the ledger`]
        : []),
    ];
  });
}

/** An acknowledged vote stands unless it was taken back later, or its voter was told that it doesn't. */
export function lostVotes(
  clicks: readonly Click[],
  stories: readonly RequestStory[],
  cards: readonly Posted[],
): string[] {
  const last = new Map<string, Click>();
  for (const click of clicks) last.set(`${click.by} ${click.cardTs}`, click);
  return [...last.values()].filter(isAcknowledged).flatMap((click) => {
    const card = cards.find(({ ts }) => ts === click.cardTs);
    const story = stories.find(({ ref, approval }) => ref === card?.ref && `card:${approval}` === card?.key);
    const own = (story?.entries ?? [])
      .map(eventOf)
      .filter((event) => ACTIONS.some((action) => isBy(event, action, click.by)));
    const end = own.at(-1);
    return end && isAbout(end, click)
      ? []
      : [`what ${click.by} did last in round ${click.round} was lost: ${click.action}`];
  });
}

const ACTIONS: readonly Action[] = ['approve', 'reject', 'withdraw', 'undo'];

function groupsOf(clicks: readonly Click[], cards: readonly Posted[]): Group[] {
  const groups = new Map<string, Group>();
  for (const click of clicks) {
    const card = cards.find(({ ts }) => ts === click.cardTs);
    const [ref = '', approval = ''] = [card?.ref, card?.key?.replace('card:', '')];
    const key = [click.by, click.action, ref, approval].join(' ');
    const { by, action } = click;
    groups.set(key, { by, action, ref, approval, clicks: [...(groups.get(key)?.clicks ?? []), click] });
  }
  return [...groups.values()];
}

function isAbout(event: LedgerEvent, { by, action }: Pick<Click, 'by' | 'action'>): boolean {
  return isBy(event, action, by);
}

/** Whether an entry is what this action of this person leaves, or its refusal. */
function isBy(event: LedgerEvent, action: Action, person: string): boolean {
  switch (event.kind) {
    case 'voted':
      return action === 'approve' && event.facts.by === person;
    case 'decided':
      return action === event.facts.verdict && event.facts.by?.by === person;
    case 'withdrawn':
      return action === 'withdraw' && event.facts.by === person && event.facts.reason === 'own';
    case 'undone':
      return action === 'undo' && event.facts.by === person;
    case 'refused':
      return action === event.facts.action && event.facts.by === person;
    default:
      return false;
  }
}
