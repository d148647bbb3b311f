/** Approving several requests at once. */
export const BATCH = {
  'batch.title': 'Approve selected',
  'batch.submit': 'Approve {count, number}',
  'batch.loading': 'Reading what you selected…',
  'batch.none':
    'Tick requests under *Waiting for you*, then use *Approve selected…*: it shows what each is about, and asks once.',
  'batch.failed': 'What you selected can’t be looked up right now. Nothing was approved. Try again in a minute.',
  'batch.intro':
    '{count, plural, one {This # request is} other {These # requests are}} approved as they are here, each under its own rules:',
  'batch.intro-none': 'None of these can be approved together with others:',
  'batch.first': 'Only the first {most, number} of what you selected are here. The rest stays ticked.',
  'batch.left-out': '*Left out*',
  'batch.unnamed': 'A request',
  'batch.votes': 'then {count, number} of {quorum, number}',
  'batch.shown': '{total, number} characters, {share, number} % shown',
  'batch.other-text': 'The crew has asked again since, with another text.',
  'batch.repeats': 'It may be a repeated notice of round {round, number}, so decide it by itself.',
  'batch.too-soon': 'The crew asked only {time} ago, so decide it by itself.',
  'batch.approved-before': 'You had already approved it.',
  'batch.no-answer': 'Why can’t be told right now.',

  'batch.done-title': 'Approved',
  'batch.none-title': 'Nothing approved',
  'batch.approved': '✅ {names}: approved. The crew goes on.',
  'batch.counts': '✅ {names}: your approval counts, {count, number} of {quorum, number}.',
  'batch.open': '*Still open*, since storing the others took too long:',
  'batch.still-open': 'not approved yet',
  'batch.unclear': 'perhaps approved, since no answer came in time',
} as const;
