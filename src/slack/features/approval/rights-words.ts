import type { Translated } from '../../language/message-values.ts';

/** Who may decide, and why a click was refused. */
export const RIGHTS_WORDS = {
  // The rules of a policy, one sentence each; people are words of `who.…` or names.
  'policy.quorum':
    '{count, plural, one {One person decides.} other {# different people have to approve; one rejection decides at once.}}',
  'policy.approvers': 'Who can decide: {people}.',
  'policy.starters': 'Who can start it: {people}.',
  'policy.starter-cannot': 'The person who started the run can’t decide it.',
  'policy.elsewhere-count': 'A run that was started outside Slack counts as started by: {people}.',
  'policy.elsewhere-unknown': 'Who started a run outside Slack isn’t known, so they can decide it, too.',
  'policy.starter-can': 'The person who started the run can decide it, too.',
  'policy.starter-can-if-named': 'The person who started the run can decide it, too, if they’re one of them.',
  'policy.guests-cannot': 'Guests and people from other organisations can’t decide.',
  'policy.guests-can-if-named':
    'Guests and people from other organisations can decide only if they’re named by their ID.',
  'policy.own-token': 'Everybody needs their own access token for this crew: {command}.',
  'policy.review': 'Approving less than {time} after the request takes a confirmation.',
  'policy.undo': 'A decision is sent {time} after it’s made; until then it can be undone.',
  'policy.reminder': 'Those who can decide are reminded after {time}, then less and less often.',
  'policy.escalation': 'After {time} without a decision, these can decide, too: {people}.',
  'policy.closing': 'After {time} without a decision, the approval is closed, and nothing is sent to the crew.',
  'policy.rejection': 'After {time} without a decision, Signoff rejects: “{feedback}”',
  'policy.note-required': 'An approval takes a note.',
  'policy.note-none': 'Approvals take no note.',
  'policy.feedback-optional': 'A rejection doesn’t need feedback.',
  'policy.feedback-none': 'Rejections take no feedback.',
  'policy.last-rejection': 'After “Close for good”, the crew gets a last rejection that says so.',
  'policy.hours': 'For these times, only working hours count: {hours}.',
  'policy.with-place': '{sentence} ({place})',
  'policy.place-line': '{source}, line {line}',
  'policy.place-lines': '{source}, lines {lines}',
  'who.workspace': 'all members of the workspace',
  'who.this-channel': 'all members of this channel',
  'who.the-channel': 'the members of the channel',
  'who.group': 'everybody in {group}',
  'who.nobody': 'nobody',

  // Who can decide and start, and whether the person who asks can.
  'right.can':
    '*You can {what, select, start {start {crew} here} requests {decide its requests} others {decide its requests unless you started the run} other {decide this}}*',
  'right.plain': '{can}.',
  'right.handed-over': '{can}: you were added as an approver.',
  'right.group': '{can}: you’re in {group}.',
  'right.channel': '{can}: you’re in this channel.',
  'right.closed': 'This approval is closed, so nobody has to decide any more.',
  'right.voted': 'You’ve already approved this, and can withdraw your vote until it’s decided.',
  'who.title': 'Who can decide?',
  'who.unnamed':
    'The crew hasn’t named this task yet, so its own rules apply. Once it names the task, the rules for that task do, to approvals given until then, too.',
  'who.nothing-waits': 'Nothing is awaiting approval here.',
  'who.waiting': '{count, number} awaiting approval here:',
  'who.more': '{count, plural, one {…and # more that doesn’t fit in here} other {…and # more that don’t fit in here}}',
  'who.round': '(round {round})',
  'who.approved-so-far': 'Approved so far, {count} of {quorum}: {people}',
  'who.handed-over': 'Added as approvers: {people}',
  'who.starting': '*Starting {crew}*',
  'who.deciding': '*Deciding its requests*',
  'who.deciding-tasks': '*Deciding tasks named “{match}”*',
  'who.same-rules': 'The same rules.',
  'ask.button': 'Ask them',
  'ask.done-title': 'Asked',
  'ask.done': 'They’ve been asked in the thread of this request. You’ll see the answer there.',
  'ask.failed-title': 'Nobody was asked',
  'start.refused-title': 'Not started',
  'start.crew-gone': 'This crew is no longer set up, so nothing was started.',
  'start.none-for-you': 'You can’t start any crew here. Who can:',

  // Why a policy says no to a person.
  'denial.stranger': 'Only members of the workspace where Signoff is installed can do this. Ask somebody there.',
  'denial.guest':
    'You’re a guest in this workspace, and guests can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.bot': 'Apps can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.deactivated':
    'Your account is deactivated, so you can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.self-approval': 'You started this run, so somebody else has to decide.',
  'denial.self-approval-elsewhere': 'This run counts as started by you, so somebody else has to decide.',
  'denial.not-approver':
    'You aren’t one of those who can {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.giver-denied': '{name} added you as an approver, and can no longer decide this. That’s why you can’t either.',
  'denial.right-used':
    '{name} has already approved this with the same right, and the two of you count once. Somebody else has to approve.',
  'denial.no-token': 'This takes your own access token. Connect it with {command}, then try again.',
  'denial.unsure-you': 'Slack can’t tell right now who you are. Try again in a minute.',
  'denial.unsure-starter': 'Slack can’t tell right now whether you started this run. Try again in a minute.',
  'denial.unsure-elsewhere':
    'This run counts as started by {name}, and Slack can’t say who that is right now, so nobody can decide it. Try again in a minute.',
  'denial.unsure-voters':
    'Slack can’t tell right now whether everybody who approved this or added an approver can still decide it. Try again in a minute.',
  'denial.unsure-channel': 'Slack can’t tell right now whether you’re in this channel. Try again in a minute.',
  'denial.unsure-group':
    'Slack can’t tell right now whether you’re in one of the groups that can do this. Try again in a minute.',
  'denial.unsure-member': 'Slack can’t tell right now whether you’re in {group}. Try again in a minute.',
  'denial.unsure-email': 'Slack can’t tell right now whether you’re {email}. Try again in a minute.',
  'take-over.stranger': '{who} is from another organisation and can’t decide this.',
  'take-over.guest': '{who} is a guest in this workspace, and guests can’t decide this.',
  'take-over.bot': '{who} is an app. Only people can decide this.',
  'take-over.deactivated': '{who}’s account is deactivated.',
  'take-over.self-approval': '{who} started this run, so somebody else has to decide.',
  'take-over.not-approver': '{who} can’t decide this.',
  'take-over.no-token': '{who} needs their own access token to decide this, and hasn’t connected one.',
  'take-over.unsure': 'Slack can’t tell right now whether {who} can decide this. Try again in a minute.',

  // Why an action changed nothing.
  'refusal.unsure': 'Slack can’t tell right now who can decide this. Try again in a minute.',
  'refusal.approved-already': '{name} already approved this ({when}).',
  'refusal.rejected-already': '{name} already rejected this ({when}).',
  'refusal.declined-already': '{name} already declined this for good ({when}).',
  'refusal.rejected-by-time': 'Nobody decided in time, so Signoff rejected this.',
  'refusal.newer-round': 'The crew has asked again since. Decide the newest request in this thread.',
  'refusal.other-text': 'This is no longer the text that waits. Decide on its card, which shows the one that does.',
  'refusal.ended': 'This run has ended, so there’s nothing left to decide.',
  'refusal.unfollowed': 'Somebody stopped tracking this run, so it can’t be decided here.',
  'refusal.declined': 'This run was declined for good, so nothing more is asked in it.',
  'refusal.expired': 'Nobody decided in time, so this approval is closed.',
  'refusal.too-soon': 'The crew asked only {time} ago. Confirm that you want to approve this.',
  'refusal.voted-title': 'You already approved',
  'refusal.voted-already': 'Your approval counts already. Others need to approve before the crew goes on.',
  'refusal.no-vote': 'You have no vote here to withdraw.',
  'refusal.no-decision': 'There’s no decision here to undo.',
  'refusal.asked-lately': 'They were already asked ({when}). You can ask again an hour after that.',
  'refusal.feedback-missing': 'The crew needs feedback to know what to change. A short sentence will do.',
  'refusal.feedback-missing-here': 'Write what should change.',
  'refusal.reason-missing': 'Write why this is closed for good.',
  'refusal.note-missing': 'This approval takes a note: say why you approve.',
  'refusal.feedback-not-taken': 'Rejections take no text here. Use *Reject…*, which asks for none.',
  'refusal.notes-not-taken':
    'This crew can’t take approvals with a note: it would read the note as feedback. Use *Approve*, or *Reject…* with feedback.',
  'refusal.nothing-to-send': 'There’s nothing to send again: the crew has the decision, or it’s on its way.',
} as const;

export const RIGHTS_WORDS_DE: Translated<typeof RIGHTS_WORDS> = {
  'policy.quorum':
    '{count, plural, one {Eine Person entscheidet.} other {# verschiedene Personen müssen freigeben; wer ablehnt, entscheidet sofort.}}',
  'policy.approvers': 'Entscheiden können: {people}.',
  'policy.starters': 'Starten können: {people}.',
  'policy.starter-cannot': 'Wer den Lauf gestartet hat, kann nicht darüber entscheiden.',
  'policy.elsewhere-count': 'Ein außerhalb von Slack gestarteter Lauf gilt als gestartet von: {people}.',
  'policy.elsewhere-unknown':
    'Wer einen Lauf außerhalb von Slack gestartet hat, ist nicht bekannt und kann deshalb auch darüber entscheiden.',
  'policy.starter-can': 'Auch wer den Lauf gestartet hat, kann darüber entscheiden.',
  'policy.starter-can-if-named': 'Auch wer den Lauf gestartet hat, kann darüber entscheiden, falls oben genannt.',
  'policy.guests-cannot': 'Gäste und Leute aus anderen Organisationen können nicht entscheiden.',
  'policy.guests-can-if-named':
    'Gäste und Leute aus anderen Organisationen können nur entscheiden, wenn ihre ID genannt ist.',
  'policy.own-token': 'Für diese Crew brauchen alle ein eigenes Zugangstoken: {command}.',
  'policy.review': 'Ist die Anfrage jünger als {time}, muss eine Freigabe bestätigt werden.',
  'policy.undo': 'Eine Entscheidung lässt sich {time} lang zurücknehmen; erst dann wird sie gesendet.',
  'policy.reminder': 'Entscheidet {time} lang niemand, wird daran erinnert, danach immer seltener.',
  'policy.escalation': 'Entscheidet {time} lang niemand, können auch entscheiden: {people}.',
  'policy.closing': 'Entscheidet {time} lang niemand, wird die Freigabe geschlossen; die Crew erfährt nichts.',
  'policy.rejection': 'Entscheidet {time} lang niemand, lehnt Signoff ab: „{feedback}“',
  'policy.note-required': 'Eine Freigabe braucht eine Notiz.',
  'policy.note-none': 'Freigaben haben keine Notiz.',
  'policy.feedback-optional': 'Eine Ablehnung braucht kein Feedback.',
  'policy.feedback-none': 'Ablehnungen haben kein Feedback.',
  'policy.last-rejection': 'Nach „Endgültig ablehnen“ bekommt die Crew eine letzte Ablehnung, die das sagt.',
  'policy.hours': 'Für diese Zeiten zählt nur die Arbeitszeit: {hours}.',
  'policy.with-place': '{sentence} ({place})',
  'policy.place-line': '{source}, Zeile {line}',
  'policy.place-lines': '{source}, Zeilen {lines}',
  'who.workspace': 'alle Mitglieder des Workspace',
  'who.this-channel': 'alle Mitglieder dieses Channels',
  'who.the-channel': 'die Mitglieder des Channels',
  'who.group': 'alle in {group}',
  'who.nobody': 'niemand',

  'right.can':
    '*Du kannst {what, select, start {{crew} hier starten} requests {über die Anfragen entscheiden} others {über die Anfragen entscheiden, außer du hast den Lauf gestartet} other {das entscheiden}}*',
  'right.plain': '{can}.',
  'right.handed-over': '{can}: Du wurdest hinzugefügt.',
  'right.group': '{can}: Du bist in {group}.',
  'right.channel': '{can}: Du bist in diesem Channel.',
  'right.closed': 'Diese Freigabe ist geschlossen, niemand muss mehr entscheiden.',
  'right.voted': 'Du hast das schon freigegeben und kannst deine Stimme zurückziehen, bis entschieden ist.',
  'who.title': 'Wer kann entscheiden?',
  'who.unnamed':
    'Die Crew hat diese Aufgabe noch nicht benannt, deshalb gelten ihre allgemeinen Regeln. Sobald sie sie benennt, gelten die Regeln für diese Aufgabe, auch für die Freigaben bis dahin.',
  'who.nothing-waits': 'Hier wartet nichts auf eine Freigabe.',
  'who.waiting': '{count, plural, one {# wartet} other {# warten}} hier auf eine Freigabe:',
  'who.more':
    '{count, plural, one {…und # weitere, die hier nicht mehr hineinpasst} other {…und # weitere, die hier nicht mehr hineinpassen}}',
  'who.round': '(Runde {round})',
  'who.approved-so-far': 'Bisher freigegeben, {count} von {quorum}: {people}',
  'who.handed-over': 'Hinzugefügt: {people}',
  'who.starting': '*{crew} starten*',
  'who.deciding': '*Über die Anfragen entscheiden*',
  'who.deciding-tasks': '*Über Aufgaben namens „{match}“ entscheiden*',
  'who.same-rules': 'Dieselben Regeln.',
  'ask.button': 'Um Entscheidung bitten',
  'ask.done-title': 'Gefragt',
  'ask.done': 'Sie wurden im Thread dieser Anfrage gefragt. Dort siehst du die Antwort.',
  'ask.failed-title': 'Niemand wurde gefragt',
  'start.refused-title': 'Nicht gestartet',
  'start.crew-gone': 'Diese Crew ist nicht mehr eingerichtet, deshalb wurde nichts gestartet.',
  'start.none-for-you': 'Du kannst hier keine Crew starten. Das können:',

  'denial.stranger': 'Das können nur Mitglieder des Workspace, in dem Signoff installiert ist. Frag dort jemanden.',
  'denial.guest':
    'Du bist Gast in diesem Workspace, und Gäste können {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.bot':
    'Apps können {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.deactivated':
    'Dein Konto ist deaktiviert, deshalb kannst du {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.self-approval': 'Du hast diesen Lauf gestartet, deshalb muss jemand anders entscheiden.',
  'denial.self-approval-elsewhere': 'Dieser Lauf gilt als von dir gestartet, deshalb muss jemand anders entscheiden.',
  'denial.not-approver':
    'Du gehörst nicht zu denen, die {what, select, start {*{crew}* starten} requests {über die Anfragen entscheiden} other {das entscheiden}} können.',
  'denial.giver-denied':
    '{name} hat dich zum Entscheiden hinzugefügt und kann selbst nicht mehr entscheiden. Deshalb kannst du es auch nicht.',
  'denial.right-used':
    '{name} hat das schon mit demselben Recht freigegeben, und ihr zählt zusammen nur einmal. Jemand anders muss freigeben.',
  'denial.no-token':
    'Dafür brauchst du ein eigenes Zugangstoken. Verbinde es mit {command} und versuch es noch einmal.',
  'denial.unsure-you': 'Slack kann gerade nicht sagen, wer du bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-starter':
    'Slack kann gerade nicht sagen, ob du diesen Lauf gestartet hast. Versuch es in einer Minute noch einmal.',
  'denial.unsure-elsewhere':
    'Dieser Lauf gilt als gestartet von {name}, und Slack kann gerade nicht sagen, wer das ist. Deshalb kann niemand entscheiden. Versuch es in einer Minute noch einmal.',
  'denial.unsure-voters':
    'Slack kann gerade nicht sagen, ob alle, die das freigegeben oder jemanden hinzugefügt haben, noch entscheiden können. Versuch es in einer Minute noch einmal.',
  'denial.unsure-channel':
    'Slack kann gerade nicht sagen, ob du in diesem Channel bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-group':
    'Slack kann gerade nicht sagen, ob du in einer der Gruppen bist, die das können. Versuch es in einer Minute noch einmal.',
  'denial.unsure-member':
    'Slack kann gerade nicht sagen, ob du in {group} bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-email': 'Slack kann gerade nicht sagen, ob du {email} bist. Versuch es in einer Minute noch einmal.',
  'take-over.stranger': '{who} gehört zu einer anderen Organisation und kann das nicht entscheiden.',
  'take-over.guest': '{who} ist Gast in diesem Workspace, und Gäste können das nicht entscheiden.',
  'take-over.bot': '{who} ist eine App. Das können nur Menschen entscheiden.',
  'take-over.deactivated': 'Das Konto von {who} ist deaktiviert.',
  'take-over.self-approval': '{who} hat diesen Lauf gestartet, deshalb muss jemand anders entscheiden.',
  'take-over.not-approver': '{who} kann das nicht entscheiden.',
  'take-over.no-token': '{who} braucht dafür ein eigenes Zugangstoken und hat keins verbunden.',
  'take-over.unsure':
    'Slack kann gerade nicht sagen, ob {who} das entscheiden kann. Versuch es in einer Minute noch einmal.',

  'refusal.unsure': 'Slack kann gerade nicht sagen, wer das entscheiden kann. Versuch es in einer Minute noch einmal.',
  'refusal.approved-already': '{name} hat das schon freigegeben ({when}).',
  'refusal.rejected-already': '{name} hat das schon abgelehnt ({when}).',
  'refusal.declined-already': '{name} hat das schon endgültig abgelehnt ({when}).',
  'refusal.rejected-by-time': 'Niemand hat rechtzeitig entschieden, deshalb hat Signoff abgelehnt.',
  'refusal.newer-round':
    'Die Crew hat inzwischen noch einmal gefragt. Entscheide über die neueste Anfrage in diesem Thread.',
  'refusal.other-text':
    'Das ist nicht mehr der Text, der wartet. Entscheide auf der Karte der Anfrage: Sie zeigt den, der wartet.',
  'refusal.ended': 'Dieser Lauf ist zu Ende, es gibt nichts mehr zu entscheiden.',
  'refusal.unfollowed': 'Dieser Lauf wird nicht mehr verfolgt, deshalb lässt sich hier nichts mehr entscheiden.',
  'refusal.declined': 'Dieser Lauf wurde endgültig abgelehnt, deshalb wird darin nichts mehr gefragt.',
  'refusal.expired': 'Niemand hat rechtzeitig entschieden, deshalb ist diese Freigabe geschlossen.',
  'refusal.too-soon': 'Die Crew hat erst vor Kurzem gefragt ({time}). Bestätige, dass du das freigeben willst.',
  'refusal.voted-title': 'Schon freigegeben',
  'refusal.voted-already': 'Deine Freigabe zählt schon. Bevor die Crew weitermacht, müssen noch andere freigeben.',
  'refusal.no-vote': 'Du hast hier keine Stimme, die du zurückziehen könntest.',
  'refusal.no-decision': 'Hier gibt es keine Entscheidung, die sich zurücknehmen ließe.',
  'refusal.asked-lately': 'Sie wurden schon gefragt ({when}). Eine Stunde danach kannst du noch einmal fragen.',
  'refusal.feedback-missing': 'Die Crew braucht Feedback, um zu wissen, was sie ändern soll. Ein kurzer Satz genügt.',
  'refusal.feedback-missing-here': 'Schreib, was besser werden soll.',
  'refusal.reason-missing': 'Schreib, warum das endgültig abgelehnt ist.',
  'refusal.note-missing': 'Diese Freigabe braucht eine Notiz: Schreib, warum du freigibst.',
  'refusal.feedback-not-taken': 'Ablehnungen haben hier keinen Text. Nimm *Ablehnen…*, das nach keinem fragt.',
  'refusal.notes-not-taken':
    'Diese Crew kann keine Freigaben mit Notiz annehmen: Sie würde die Notiz als Feedback lesen. Nimm *Freigeben*, oder *Ablehnen…* mit Feedback.',
  'refusal.nothing-to-send':
    'Es gibt nichts noch einmal zu senden: Die Crew hat die Entscheidung, oder sie ist unterwegs.',
};
