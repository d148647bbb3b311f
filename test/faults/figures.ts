import type { Judgement } from './judge.ts';

/** The figures of many errands in one line, as the README has them. */
export function figuresOf(judgements: readonly Judgement[]): string {
  const sum = (part: (judgement: Judgement) => number) => judgements.reduce((all, each) => all + part(each), 0);
  return [
    `${sum(({ decisions }) => decisions)} decisions acknowledged`,
    `${sum(({ delivered }) => delivered)} delivered`,
    `${sum(({ undelivered }) => undelivered)} shown as not delivered`,
    `${sum(({ lost }) => lost)} lost`,
    `${sum(({ doubled }) => doubled)} doubled`,
  ].join(', ');
}
