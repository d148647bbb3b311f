/** The tests of which `npm test` tries a sample of cases, others in each run, and `npm run test:long` all. */
export const SAMPLING = [
  'test/attacks/long-texts.test.ts',
  'test/attacks/rights-property.test.ts',
  'test/conditions/cel.test.ts',
  'test/core/inbox/judgement.test.ts',
  'test/core/policy/*.test.ts',
  'test/core/properties.test.ts',
  'test/core/state/events.test.ts',
  'test/core/values/working-hours.test.ts',
  'test/faults/*.slow.test.ts',
  'test/tools/audit/export.test.ts',
  'test/tools/report/summary.test.ts',
  'test/ledger/seal.test.ts',
  'test/ledger/sink/webhook.test.ts',
  'test/tools/audit/verify/replay.test.ts',
  'test/redis/indexes.test.ts',
  'test/redis/projections.test.ts',
  'test/redis/record.test.ts',
  'test/sandbox/crew-service/frameworks/langgraph.test.ts',
  'test/setup/usage.slow.test.ts',
  'test/slack/app/listeners/every-listener.test.ts',
  'test/slack/thread/content-refusals.test.ts',
  'test/slack/receivers/process-request.test.ts',
  'test/slack/ui/block-kit.test.ts',
  'test/slack/ui/with-addresses.test.ts',
];

/** `npm run test:long`, or `FAULTS=all npm test -- test/faults` */
export const TRIES_ALL = process.env.FAULTS === 'all';

/** The part of the trials that `npm test` has time for. */
export function everyNth<Item>(every: number, items: readonly Item[], from: number): Item[] {
  if (TRIES_ALL) return [...items];
  return items.filter((_, i) => i % every === from);
}

/** How many random cases of a property are tried: few on each of the thousands of mutants. */
export function runs({ some, all }: { some: number; all: number }): { numRuns: number } {
  if (process.env.TESTS === 'mutants') return { numRuns: Math.ceil(some / 25) };
  return { numRuns: TRIES_ALL ? all : some };
}

/** The seed of a property's random cases: new ones in each run, unless the environment says otherwise. */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Half of a few items that have all kinds among them, others in each run: what fails is named in the report, and `FAULTS=all`
 * tries it again.
 */
export function someOfEach<Item>(items: readonly Item[], kindsOf: (item: Item) => readonly string[]): Item[] {
  if (TRIES_ALL) return [...items];
  const left = new Set(items.flatMap((item) => kindsOf(item)));
  const shuffled = items.map((item) => ({ item, at: Math.random() })).sort((a, b) => a.at - b.at);
  const chosen = new Set<Item>();
  const newKinds = (item: Item) => kindsOf(item).filter((kind) => left.has(kind)).length;
  while (left.size > 0) {
    const best = shuffled.map(({ item }) => item).reduce((a, b) => (newKinds(b) > newKinds(a) ? b : a));
    chosen.add(best);
    for (const kind of kindsOf(best)) left.delete(kind);
  }
  const half = new Set(
    shuffled.flatMap(({ item }) => (chosen.has(item) ? [item] : [])).slice(0, Math.ceil(chosen.size / 2)),
  );
  return items.filter((item) => half.has(item));
}

/** For what hangs: with all cases, a slow machine takes twenty minutes for the longest file. */
export const TRIALS_TIMEOUT_MS = 3_600_000;
