import type { Translated } from './message-values.ts';

/** Sentences about the steps of workflows, for the people who use them. */
export const WORKFLOW_WORDS = {
  // Reasons why a step couldn't start a crew.
  'step.no-crew': 'Nothing was started: there is no crew called “{crew}”. The crews are {crews}.',
  'step.no-channel': 'Nothing was started: the step “Start a crew” needs a channel.',
  'step.cannot-post': 'Nothing was started: Signoff can’t post in that channel. Type /invite @{bot} there, or use another channel.',
  'step.not-deployed': 'Nothing was started: {crew} only lends its rules to programs and workflows that ask people.',
  'step.not-by-workflow': 'Nothing was started: it matters who starts {crew}, and a workflow can name anybody. Start it with {kickoff}, or ask the person who runs Signoff to allow workflows.',
  'step.no-starter': 'Nothing was started: a workflow that starts {crew} has to say who started it. Ask the person who built the workflow to fill in “Started by”.',
  'step.may-not-start': 'Nothing was started: the person in “Started by” isn’t allowed to start {crew}.',
  'step.unsure': 'Nothing was started: Slack can’t say right now whether the person in “Started by” may start {crew}. Try again.',
  'step.own-token': 'Nothing was started: {crew} needs the personal token of the person who starts it, which a workflow can’t use. Start it with {kickoff}.',
  'step.no-name': 'Nothing was started: the inputs begin with “{text}”, which isn’t an input of {crew}. Write each on a line of its own, as in “topic: tea”. {crew} takes {names}.',
  'step.no-inputs': 'Nothing was started: {crew} takes no inputs.',
  'step.no-names': 'Nothing was started: write each input on a line of its own, as in “topic: tea”.',
  'step.repeated': 'Nothing was started: the inputs have “{name}” more than once.',
  'step.wrong': 'Nothing was started: “{name}” can’t be used. {why}',

  // Reasons why a step couldn't ask.
  'step.ask-incomplete': 'Nobody was asked: the step “Ask for approval” needs a title, a text and a channel.',
  'step.no-approvers': 'Nobody was asked: the step “Ask for approval” needs either approvers, at most ten people, or the name of a crew whose rules say who can decide.',
  'step.no-time': 'Nobody was asked: “{text}” isn’t a time. Write it like 30m, 4h or 3d.',
  'step.cannot-ask': 'Nobody was asked: {bot} can’t post in this channel. Invite it there first.',
  'step.refuses-elsewhere': 'Nobody was asked: {crew} refuses requests that weren’t started with {kickoff}. Ask the person who runs Signoff to allow it.',
  'step.not-asked-by-workflow': 'Nobody was asked: the rules of {crew} depend on who asks, and a workflow can name anybody. Ask the person who runs Signoff to allow workflows.',

  // Outputs of a step that waits for a run.
  'step.no-run': 'Signoff knows no run “{ref}”. It deletes old runs after a while.',
  'step.private-run': 'This run is in a private channel, so only the workflow that started it can wait for its result.',
  'step.refused': 'A workflow step failed, but Slack didn’t pass that on to the workflow, which still waits. Cancel it in Slack. {why}',
  'step.too-many': 'Too many workflows wait for this run.',
  'step.declined': 'Declined.',
  'step.declined-because': 'Declined: {reason}',
  'step.untracked': 'Nobody tracks this run any more, so Signoff won’t learn how it ends.',
  'step.cut': '… The whole text is in the thread: {link}',
} as const;

export const WORKFLOW_WORDS_DE: Translated<typeof WORKFLOW_WORDS> = {
  'step.no-crew': 'Nichts wurde gestartet: Eine Crew namens „{crew}“ gibt es nicht. Es gibt {crews}.',
  'step.no-channel': 'Nichts wurde gestartet: Der Schritt „Start a crew“ braucht einen Channel.',
  'step.cannot-post': 'Nichts wurde gestartet: Signoff kann in diesem Channel nicht schreiben. Schreib dort /invite @{bot}, oder nimm einen anderen.',
  'step.not-deployed': 'Nichts wurde gestartet: {crew} gibt nur Programmen und Workflows, die Menschen fragen, die Regeln vor.',
  'step.not-by-workflow': 'Nichts wurde gestartet: Bei {crew} kommt es darauf an, wer startet, und ein Workflow kann jeden nennen. Starte mit {kickoff}, oder bitte die Person, die Signoff betreibt, Workflows zu erlauben.',
  'step.no-starter': 'Nichts wurde gestartet: Ein Workflow, der {crew} startet, muss sagen, wer ihn gestartet hat. Wer den Workflow gebaut hat, kann „Started by“ ausfüllen.',
  'step.may-not-start': 'Nichts wurde gestartet: Die Person, die dieser Workflow als Starter nennt, darf {crew} nicht starten.',
  'step.unsure': 'Nichts wurde gestartet: Slack kann gerade nicht sagen, ob die Person, die dieser Workflow nennt, {crew} starten darf. Versuch es noch einmal.',
  'step.own-token': 'Nichts wurde gestartet: {crew} braucht das eigene Token der Person, die startet, und das kann ein Workflow nicht verwenden. Starte mit {kickoff}.',
  'step.no-name': 'Nichts wurde gestartet: Die Eingaben beginnen mit „{text}“, und so heißt keine Eingabe von {crew}. Schreib jede in eine eigene Zeile, etwa „topic: Tee“. {crew} nimmt {names}.',
  'step.no-inputs': 'Nichts wurde gestartet: {crew} nimmt keine Eingaben.',
  'step.no-names': 'Nichts wurde gestartet: Schreib jede Eingabe in eine eigene Zeile, etwa „topic: Tee“.',
  'step.repeated': 'Nichts wurde gestartet: „{name}“ steht mehrmals in den Eingaben.',
  'step.wrong': 'Nichts wurde gestartet: „{name}“ ist so nicht verwendbar. {why}',

  'step.ask-incomplete': 'Niemand wurde gefragt: Der Schritt „Ask for approval“ braucht einen Titel, einen Text und einen Channel.',
  'step.no-approvers': 'Niemand wurde gefragt: Der Schritt „Ask for approval“ braucht entweder höchstens zehn Personen, die entscheiden, oder den Namen einer Crew, deren Regeln das sagen.',
  'step.no-time': 'Niemand wurde gefragt: „{text}“ ist keine Zeit wie 30m, 4h oder 3d.',
  'step.cannot-ask': 'Niemand wurde gefragt: {bot} kann in diesem Channel nicht schreiben. Lade {bot} erst dorthin ein.',
  'step.refuses-elsewhere': 'Niemand wurde gefragt: {crew} lehnt ab, was nicht mit {kickoff} gestartet wurde. Bitte die Person, die Signoff betreibt, es zu erlauben.',
  'step.not-asked-by-workflow': 'Niemand wurde gefragt: Nach den Regeln von {crew} kommt es darauf an, wer fragt, und ein Workflow kann jeden nennen. Bitte die Person, die Signoff betreibt, Workflows zu erlauben.',

  'step.no-run': 'Signoff kennt keinen Lauf „{ref}“. Texte alter Läufe werden gelöscht, und damit auch, was aus ihnen geworden ist.',
  'step.private-run': 'Dieser Lauf ist in einem privaten Channel. Auf sein Ergebnis kann nur der Workflow warten, der ihn gestartet hat.',
  'step.refused': 'Ein Schritt eines Workflows ist fehlgeschlagen, und Slack hat das nicht angenommen; der Workflow wartet vergeblich: Brich ihn in Slack ab. {why}',
  'step.too-many': 'Auf diesen Lauf warten schon zu viele Workflows.',
  'step.declined': 'Endgültig abgelehnt.',
  'step.declined-because': 'Endgültig abgelehnt: {reason}',
  'step.untracked': 'Niemand verfolgt diesen Lauf mehr, deshalb erfährt Signoff nicht, wie er endet.',
  'step.cut': '… Der ganze Text steht im Thread: {link}',
};
