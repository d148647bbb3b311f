import { describe, expect, it } from 'vitest';
import { aboutRequest, aboutRun, headingOf } from '../../../src/core/state/about.ts';
import type { Inputs } from '../../../src/core/values/json.ts';

describe('what a run is about', () => {
  it.each<[string, Inputs, string]>([
    ['its first two short inputs', { repository: 'signoff/core', since: 'v1.2', to: 'v1.3' }, 'signoff/core, v1.2'],
    ['a number', { ticket: 4711 }, '4711'],
    ['not what is only on or off', { dry_run: true, customer: 'ACME' }, 'ACME'],
    ['a short input before a long one', { brief: 'word '.repeat(50), customer: 'ACME' }, 'ACME'],
    ['the beginning of a long one', { brief: 'word '.repeat(50) }, `${'word '.repeat(11)}word…`],
    [
      'the name of a folder or file',
      { log: '/var/log/app/checkout.log', repository: '~/code/web/' },
      'checkout.log, web',
    ],
    ['an address as it is', { page: 'https://acme.example/pricing' }, 'https://acme.example/pricing'],
    ['lines as one', { brief: 'one\n\ntwo\u202e' }, 'one two'],
    ['nothing that passes for our own words', { topic: 'Tea · 2 of 2 approved' }, 'Tea, 2 of 2 approved'],
    ['nothing without inputs', {}, ''],
    ['nothing of whom a workflow asks', { approver_1: 'UJON00002', approver_2: 'aiko@acme.example' }, ''],
    ['nothing of lists', { topics: ['a', 'b'] }, ''],
  ])('is %s', (_, inputs, about) => expect(aboutRun({ inputs })).toBe(about));

  it('is what a text says where the inputs say nothing', () => {
    const request = { heading: 'Sev 3: slow logins', taskName: 'triage' };
    expect(aboutRequest({ inputs: {} }, request)).toBe('Sev 3: slow logins');
    expect(aboutRequest({ inputs: { customer: 'ACME' } }, request)).toBe('ACME');
  });

  it('is not what its title says already', () => {
    expect(aboutRequest({ inputs: {} }, { heading: 'Deploy tonight', taskName: 'Deploy tonight' })).toBe('');
  });
});

describe('what a text is about', () => {
  it.each([
    ['its first heading', 'Here it is:\n\n## Release **2.4** ##\n\ntext', 'Release 2.4'],
    ['its first words without one', '\n- *Ship* it\nnow', 'Ship it'],
    ['not what looks like one in code', 'Run this:\n```\n# install\n```\n# Later', 'Run this:'],
    ['a long one cut', `# ${'word '.repeat(40)}`, `${'word '.repeat(15)}word…`],
    ['nothing of an empty text', ' \n ', ''],
    ['nothing of JSON', '{"amount": 480}', ''],
    ['nothing of a call in a fence', 'send_email\n\n```json\n{"to": "ana"}\n```', ''],
    ['a link', '[Notes](https://acme.example) of today', '[Notes](https://acme.example) of today'],
  ])('is %s', (_, text, heading) => expect(headingOf(text)).toBe(heading));
});
