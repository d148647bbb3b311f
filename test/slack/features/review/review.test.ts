import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrewPolicy, parseApprover } from '../../../../src/core/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { button, buttons } from '../../../../src/slack/ui/blocks.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.groups.canTell = 'now';
});

const APPROVERS = ['UAIKO0003', 'UPRIYA004'].map(parseApprover).filter((each) => each !== null);
const as = (handle: string) => world.slack.as(handle);
const LONG = Array.from({ length: 400 }, (_, i) => `## Part ${i}\n\nWords of part ${i}, and some more of them.`).join(
  '\n\n',
);

/** A person opens the review of a new request. */
async function reviews(handle: string, policy: Partial<CrewPolicy> = {}, text?: string) {
  const { ref, card } = await world.asks({ approvers: APPROVERS, ...policy }, text === undefined ? {} : { text });
  const {
    question: { output },
  } = await world.approvalOf(ref);
  const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
  const message = await world.offers('review', { label: 'Review', value });
  await as(handle).click('Review', { in: message });
  return { ref, card, message };
}

const pagesIn = (first: string) => Number(/Page 1 of (\d+)/.exec(first)?.[1]);

/** What a person sees on the last page, to which they turn from the first. */
async function turnsToEnd(handle: string, pages: number): Promise<string> {
  for (let page = 2; page <= pages; page++) {
    await as(handle).click('Next');
    await as(handle).seesModal(`Page ${page} of ${pages}`);
  }
  return modalText(await as(handle).seesModal(`Page ${pages} of ${pages}`));
}

describe('a review', () => {
  it('offers to add an approver only to a person with a right of their own', async () => {
    const { ref, card, message } = await reviews('aiko', { delegation: 'anyone' });
    const offers = async (handle: string) => JSON.stringify((await as(handle).snapshot()).modals).includes('hand_over');
    await as('aiko').seesModal('Draft number');
    expect(await offers('aiko')).toBe(true);
    await as('aiko').closeModal();
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    await as('aiko').submit();
    await as('jon').click('Review', { in: message });
    await as('jon').seesModal('Draft number');
    expect(await offers('jon')).toBe(false);
    await as('jon').closeModal();
    await as('jon').click('Approve', { in: card });
    expect((await world.approvalOf(ref)).state.status).toBe('decided');
  });

  it('goes on in the same window with what waits next, and asks before that is approved only just then', async () => {
    const waiting = await world.asks({ approvers: APPROVERS });
    const { ref: last } = await world.asks({ approvers: APPROVERS, undoMs: 3_600_000 });
    const { ref } = await reviews('aiko', { quorum: 2 });
    const names = await Promise.all(
      [ref, waiting.ref, last].map(async (each) => (await world.approvalOf(each)).question.taskName),
    );

    await as('aiko').click('Approve', { in: 'modal' });
    expect(modalText(await as('aiko').seesModal('counts'))).toMatch(
      new RegExp(
        `${names[0]}\\* · crew-\\d+ · tea counts: 1 of 2\\..*\\[Withdraw my vote\\].*${names[1]}.*\\[Approve\\].*Draft number`,
        's',
      ),
    );
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal('Approve so soon?');
    expect((await world.approvalOf(waiting.ref)).state.status).toBe('pending');
    await as('aiko').submit();
    await as('aiko').seesModal(new RegExp(`You approved \\*${names[1]}\\* · .*${names[2]}.*\\[Approve\\]`, 's'));
    await as('aiko').click('Reject…', { in: 'modal' });
    await as('aiko').fill('What should change?', 'Shorter.');
    await as('aiko').submit();
    await as('aiko').seesModal(
      new RegExp(`You rejected \\*${names[2]}\\* · .*\\[Undo\\].*Nothing else is waiting for you\\.`, 's'),
    );
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).discussion.votes).toHaveLength(1);
    expect((await world.approvalOf(waiting.ref)).state.status).toBe('decided');
    expect(await world.approvalOf(last)).toMatchObject({ state: { decision: { verdict: 'reject' } } });
  });

  it('decides nothing else by the second click of a double click', async () => {
    const { ref } = await reviews('aiko');
    const {
      question: { taskName },
    } = await world.approvalOf(ref);
    await Promise.allSettled([
      as('aiko').click('Approve', { in: 'modal' }),
      as('aiko').click('Approve', { in: 'modal' }),
    ]);
    await as('aiko').seesModal(`You approved *${taskName}*`);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('decided');
  });

  it('shows the request with its text, takes the decision, and says what came of it', async () => {
    const { ref } = await reviews('aiko');
    const shown = modalText(await as('aiko').seesModal('Draft number'));
    expect(shown).toMatch(/Task \d+\*? · crew-\d+.*started by Maria Alvarez · .*UAIKO0003 and UPRIYA004 can decide/s);
    expect(shown).toMatch(/\[Approve\].*\[Reject…\].*\[Edit…\].*Draft number/s);
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal(/You approved \*Task \d+\* · crew-\d+ · tea\. The crew continues\./);
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { status: 'decided', decision: { by: { id: 'UAIKO0003' } } },
    });
    await as('aiko').closeModal();
  });

  it('can be undone where it says what came of it, and is shown again', async () => {
    const { ref } = await reviews('aiko', { undoMs: 3_600_000 });
    const {
      question: { taskName },
    } = await world.approvalOf(ref);
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal('Until then, you can undo it');
    await as('aiko').click('Undo', { in: 'modal' });
    const shown = modalText(await as('aiko').seesModal('is waiting for a decision again'));
    expect(shown).toMatch(new RegExp(`again\\..*${taskName}.*\\[Approve\\].*Draft number`, 's'));
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await as('aiko').closeModal();
  });

  it('counts a vote, which can be withdrawn there', async () => {
    const { ref } = await reviews('aiko', { quorum: 2 });
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal(/Your approval of \*Task \d+\* · .* counts: 1 of 2\./);
    await as('aiko').click('Withdraw my vote', { in: 'modal' });
    await as('aiko').seesModal('is waiting for a decision again');
    expect((await world.approvalOf(ref)).discussion.votes).toEqual([]);
    await as('aiko').closeModal();
  });

  it('asks for the changes above itself, and then says what came of it', async () => {
    const { ref } = await reviews('aiko', { templates: [{ name: 'Tone', text: 'Friendlier.' }] });
    await as('aiko').click('Reject…', { in: 'modal' });
    await as('aiko').choose('Start from a text', 'Tone');
    await expect.poll(() => as('aiko').chosen('What should change?')).toEqual(['Friendlier.']);
    await as('aiko').submit();
    await as('aiko').seesModal(/You rejected \*Task \d+\* · .* The crew tries again\./);
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { verdict: 'reject', text: 'Friendlier.' } },
    });
    await as('aiko').closeModal();
  });

  it('returns from a form that is not sent', async () => {
    await reviews('aiko', { delegation: 'anyone' });
    await as('aiko').click('Reject…', { in: 'modal' });
    await as('aiko').seesModal('What should change?');
    await as('aiko').back();
    await as('aiko').click('Add an approver…', { in: 'modal' });
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    await as('aiko').submit();
    await as('aiko').seesModal('Draft number');
    await as('aiko').closeModal();
  });

  it('says what came of a note that was previewed three modals high, and closes all of them', async () => {
    await world.asks({ approvers: APPROVERS });
    const { ref } = await reviews('aiko', { quorum: 2 });
    await as('aiko').click('Approve with note…', { in: 'modal' });
    await as('aiko').fill('Note for the crew', 'Fine.');
    await as('aiko').submit();
    await as('aiko').seesModal('So far');
    expect((await as('aiko').snapshot()).modals).toHaveLength(3);
    await as('aiko').submit();
    // Slack closes either one window or all, so that what waits next is shown on top.
    await as('aiko').seesModal(/counts: 1 of 2.*\[Reject…\]/s);
    await as('aiko').click('Reject…', { in: 'modal' });
    await as('aiko').seesModal('What should change?');
    expect((await as('aiko').snapshot()).modals).toHaveLength(3);
    await as('aiko').back();
    await as('aiko').seesNoModal();
    expect((await world.approvalOf(ref)).discussion.votes).toMatchObject([{ feedback: 'Fine.' }]);
  });

  it('sends edits from there', async () => {
    const { ref } = await reviews('aiko');
    await as('aiko').click('Edit…', { in: 'modal' });
    await as('aiko').fill('Text', 'Another draft.');
    await as('aiko').submit();
    await as('aiko').choose('What happens next', 'Send back with these edits');
    await as('aiko').submit();
    await as('aiko').seesModal('You rejected');
    await as('aiko').back();
    await as('aiko').seesNoModal();
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { verdict: 'reject' } } });
  });

  it('asks about an approval that comes very soon', async () => {
    const { ref } = await reviews('aiko', { minReviewMs: 3_600_000 });
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal('Approve so soon?');
    await as('aiko').submit();
    await as('aiko').seesModal('You approved');
    expect((await world.approvalOf(ref)).state.status).toBe('decided');
    await as('aiko').closeModal();
  });

  it.each(['Approve', 'Reject…'])('says who was faster: %s', async (button) => {
    const { card } = await reviews('aiko');
    await as('priya').click('Approve', { in: card });
    await as('aiko').click(button, { in: 'modal' });
    await as('aiko').seesModal('Priya Nair already approved this');
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    await as('aiko').closeModal();
  });

  it('shows what became of a request that was decided before, without the choices', async () => {
    const { card, message } = await reviews('aiko');
    await as('aiko').closeModal();
    await as('priya').click('Approve', { in: card });
    await as('aiko').click('Review', { in: message });
    const shown = modalText(await as('aiko').seesModal('Priya Nair approved'));
    expect(shown).toContain('Draft number');
    expect(shown).not.toContain('[Approve]');
    await as('aiko').closeModal();
  });

  it('has the choices above the first page of a long text and at its end, and takes the decision there', async () => {
    await reviews('aiko', {}, LONG);
    const first = modalText(await as('aiko').seesModal('Page 1 of'));
    const pages = pagesIn(first);
    expect(first).toMatch(/Page 1 of.*\[Approve\].*\[Reject…\].*Words of part 0.*Words of part/s);
    expect(first.match(/\[Approve\]/g)).toHaveLength(1);
    await as('aiko').click('Next');
    expect(modalText(await as('aiko').seesModal('Page 2 of'))).not.toMatch(/\[Approve|\[Reject/);
    await as('aiko').choose('Jump to…', 'Part 0');
    await as('aiko').seesModal('Page 1 of');
    const last = await turnsToEnd('aiko', pages);
    expect(last).toMatch(/Words of part 399.*\[Approve\].*\[Reject…\]/s);
    expect(last.match(/\[Approve\]/g)).toHaveLength(1);
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal('You approved');
    await as('aiko').closeModal();
  });
});

describe('the way through what waits', () => {
  const alone = [parseApprover('UMARIA001')].filter((each) => each !== null);
  const titleOf = async () => (await as('maria').snapshot()).modals.at(-1)?.title;

  /** Maria opens the review of the first of some requests in her Home. */
  async function begins(count: number) {
    const refs: string[] = [];
    for (let i = 0; i < count; i++) refs.push((await world.asks({ approvers: alone, undoMs: 3_600_000 })).ref);
    const names = await Promise.all(refs.map(async (ref) => `${(await world.approvalOf(ref)).question.taskName}`));
    const {
      question: { output },
    } = await world.approvalOf(refs[0] ?? '');
    const value = approvalValue({ ref: refs[0] ?? '', approvalId: '1', hash: output.hash });
    await world.publishes('UMARIA001', buttons(button('review', 'Review', { value })));
    await as('maria').click('Review', { in: 'home' });
    await as('maria').seesModal(`*${names[0]}*`);
    return { refs, names };
  }

  it('has neither a place nor Skip where a single request waits', async () => {
    await begins(1);
    expect(await titleOf()).toBe('Review');
    expect(modalText(await as('maria').seesModal(''))).not.toContain('[Skip]');
    await as('maria').click('Approve', { in: 'modal' });
    await as('maria').seesModal('Nothing else is waiting for you.');
    await as('maria').closeModal();
  });

  it('counts, skips without a decision, and ends with how many were skipped', async () => {
    const { refs, names } = await begins(3);
    expect(await titleOf()).toBe('Review · 1 of 3');
    await as('maria').click('Skip');
    await as('maria').seesModal(`*${names[1]}*`);
    expect(await titleOf()).toBe('Review · 2 of 3');
    await as('maria').click('Reject…', { in: 'modal' });
    await as('maria').fill('What should change?', 'Shorter.');
    await as('maria').submit();
    await as('maria').seesModal(new RegExp(`You rejected \\*${names[1]}\\*.*${names[2]}`, 's'));
    expect(await titleOf()).toBe('Review · 3 of 3');
    await as('maria').click('Undo', { in: 'modal' });
    await as('maria').seesModal('is waiting for a decision again');
    expect(await titleOf()).toBe('Review · 2 of 3');
    await as('maria').click('Reject…', { in: 'modal' });
    await as('maria').fill('What should change?', 'Shorter.');
    await as('maria').submit();
    await as('maria').seesModal(new RegExp(`You rejected \\*${names[1]}\\*.*${names[2]}`, 's'));
    expect(await titleOf()).toBe('Review · 3 of 3');
    await as('maria').click('Skip');
    await as('maria').seesModal('That’s all. You skipped 2 requests, which still wait for you in *Home*.');
    await as('maria').closeModal();
    expect(
      (await Promise.all(refs.map((ref) => world.approvalOf(ref)))).map(({ state: { status } }) => status),
    ).toEqual([...['pending', 'decided', 'pending']]);
  });
});

describe('a person who can’t decide', () => {
  it('reads all of the text, below why they can’t and who can in one line, and without the choices', async () => {
    const { ref } = await reviews('jon', { quorum: 2 }, LONG);
    const shown = modalText(await as('jon').seesModal('You aren’t allowed to decide this.'));
    expect(shown).toMatch(/🚫 You aren’t allowed to decide this\. [^\n]*UAIKO0003 and UPRIYA004[^\n]*\n\[Ask them\]/);
    expect(shown.match(/UAIKO0003/g)).toHaveLength(1);
    expect(shown).toMatch(/Words of part 0.*/s);
    expect(shown).not.toMatch(/\[Approve|\[Reject|\[Edit/);
    expect(await turnsToEnd('jon', pagesIn(shown))).not.toMatch(/\[Approve|\[Reject|\[Edit/);
    await as('jon').closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  it('reads the text that a button of an older version shows, page by page', async () => {
    const { ref } = await world.asks({ approvers: APPROVERS }, { text: LONG });
    const { hash } = (await world.approvalOf(ref)).question.output;
    const old = { ref, hash, title: 'Draft, Round 1', rest: 'attached', approvalId: '1' };
    for (const [action, key, words] of [
      ['read_all', old, 'Page 1 of'],
      ['read_next', { ...old, page: 1 }, 'Page 2 of'],
      ['read_all', { ...old, approvalId: undefined, rest: 'left-out' }, '*Draft, Round 1* · Page 1 of'],
    ] as const) {
      const value = JSON.stringify(key);
      await as('jon').click('Read full text', { in: await world.offers(action, { label: 'Read full text', value }) });
      expect((await as('jon').seesModal(words)).title).toBe('Review');
      await as('jon').closeModal();
    }
  });

  it('reads the text that they were shown where the request asks about another by now, and is told so', async () => {
    const { ref } = await world.asks({ approvers: APPROVERS });
    const other = await world.asks({ approvers: APPROVERS });
    const { hash } = (await world.approvalOf(other.ref)).question.output;
    const value = approvalValue({ ref, approvalId: '1', hash });
    await as('aiko').click('Review', { in: await world.offers('review', { label: 'Review', value }) });
    const shown = modalText(await as('aiko').seesModal('The text has changed since'));
    expect(shown).toContain('no longer stored');
    expect(shown).not.toContain('[Approve]');
    await as('aiko').closeModal();
  });

  it('learns why only, from another organisation', async () => {
    await reviews('sam');
    expect(modalText(await as('sam').seesModal('Only members of the workspace'))).not.toContain('Draft');
    await as('sam').closeModal();
  });

  it('loses the choices once they may no longer decide', async () => {
    const group = [parseApprover('@release-managers')].filter((each) => each !== null);
    world.groups.members = { '@release-managers': ['UAIKO0003'] };
    await reviews('aiko', { approvers: group }, LONG);
    const first = modalText(await as('aiko').seesModal('Page 1 of'));
    world.groups.members = {};
    expect(await turnsToEnd('aiko', pagesIn(first))).not.toContain('[Approve]');
    await as('aiko').choose('Jump to…', 'Part 0');
    await as('aiko').seesModal('You aren’t allowed to decide');
    await as('aiko').closeModal();
  });
});
