import type { Execution, KickoffRefusal, Run } from '../../../core/execution/execution.ts';
import { list, nullable, number, text, word } from './codec.ts';
import { field, object, union } from './fields.ts';
import { CLAIMED, instant, output, person } from './values.ts';

type Origin = Execution['origin'];
type Form = Extract<Origin, { kind: 'form' }>['form'];
type Hold = NonNullable<Extract<Origin, { kind: 'elsewhere' }>['adoptionHold']>;

const form = object<Form>({ viewId: field('v', text), attempt: field('n', number, 0) });
const hold = object<Hold>({ until: field('un', instant), checkAt: field('ca', instant) });

export const origin = union<Origin, 'kind'>(
  'kind',
  { name: 's', usual: 'command' },
  {
    form: { by: field('by', person), form: field('f', form) },
    command: { by: field('by', person) },
    elsewhere: { adoptionHold: field('ah', nullable(hold), null) },
  },
);

const refusal = object<KickoffRefusal>({
  code: field('co', word()),
  detail: field('d', text, ''),
  missing: field('m', list(text), []),
});

export const run = union<Run, 'status'>(
  'status',
  { name: 's', usual: 'waiting' },
  {
    starting: {},
    running: {},
    waiting: {},
    completed: { result: field('o', nullable(output), null), endedAt: field('at', instant) },
    failed: { error: field('e', text), endedAt: field('at', instant) },
    lost: { lostAt: field('at', instant) },
    'not-started': { refusal: field('r', refusal), endedAt: field('at', instant) },
    unconfirmed: { doubt: field('d', word()), since: field('at', instant) },
  },
);

const DUE = { tries: field('n', number, 0), notBefore: field('nb', instant) };

export const kickoff = union<Execution['kickoff'], 'status'>(
  'status',
  { name: 's', usual: 'settled' },
  { due: DUE, sending: { tries: DUE.tries, ...CLAIMED }, settled: {} },
);

export const starterNotice = union<Execution['starterNotice'], 'status'>(
  'status',
  { name: 's', usual: 'told' },
  { none: {}, due: DUE, told: {} },
);
