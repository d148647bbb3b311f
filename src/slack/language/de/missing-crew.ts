import type { MISSING_CREW as ENGLISH } from '../en/missing-crew.ts';
import type { Translated } from '../message-values.ts';

export const MISSING_CREW: Translated<typeof ENGLISH> = {
  'missing-crew.pending':
    '*{crew}* ist in Signoff gerade nicht eingerichtet, deshalb kann das niemand entscheiden. Nichts geht verloren: Die Anfrage wartet weiter, und die Buttons sind wieder da, sobald *{crew}* wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.decided':
    '*{crew}* ist in Signoff gerade nicht eingerichtet. Nichts geht verloren: Die Entscheidung bleibt gespeichert und geht an die Crew, sobald sie wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.failed':
    '*{crew}* ist in Signoff gerade nicht eingerichtet. Sobald sie es wieder ist, lässt sich die Entscheidung noch einmal senden. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.run':
    'Diese Crew ist in Signoff gerade nicht eingerichtet. Nichts geht verloren: Entscheidungen bleiben gespeichert, und der Lauf geht hier weiter, sobald die Crew wieder eingerichtet ist. Darum kann sich kümmern, wer Signoff betreibt.',
  'missing-crew.short': 'ist in Signoff gerade nicht eingerichtet',
  'missing-crew.refusal':
    '*{crew}* ist in Signoff gerade nicht eingerichtet, deshalb hat sich nichts geändert. Was schon entschieden ist, bleibt gespeichert. Bitte die Person, die Signoff betreibt, die Crew wieder einzurichten; versuch es danach noch einmal.',
};
