// @ts-nocheck – verifies an export from the description in docs/audit/ alone: node outsider.mjs FILE VKEY
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const DAY_MS = 24 * 60 * 60_000;
let lineNumber = 0;

function check(holds, why) {
  if (!holds) throw new Error(why);
}

function verifyExport(bytes, vkey) {
  const values = canonicalLines(bytes);
  const at = (i) => {
    lineNumber = i + 1;
    return values[i];
  };
  const manifest = verifyLastLine(at(values.length - 1), bytes, vkey);

  let i = 0;
  const checkpoints = [];
  for (; at(i).checkpoint; i++) checkpoints.push(verifyCheckpoint(values[i], checkpoints[0], manifest));
  check(checkpoints.length > 0 && checkpoints[0].size === manifest.size, 'no checkpoint of the whole tree');

  const entries = [];
  const policies = new Map();
  while (i < values.length - 1) {
    const newPolicies = [];
    for (; at(i).policy; i++) newPolicies.push(verifyPolicy(values[i], policies));
    const entry = verifyEntry(at(i));
    check(
      newPolicies.every((hash) => hash === entry.facts.policy),
      'a policy does not stand before an entry that names it',
    );
    i += 1;
    entries.push({ ...entry, line: i, index: verifyProof(at(i), entry, checkpoints[0]) });
    i += 1;
  }

  const chains = verifyChains(entries);
  replayAll(chains, policies);
  lineNumber = values.length;
  check(manifest.entries === entries.length, 'another number of entries');
  verifyWhatIsMissing(manifest, checkpoints, entries, chains);
  return entries.length;
}

// Lines

function canonicalLines(bytes) {
  const lines = bytes.toString('utf8').split('\n');
  check(Buffer.from(lines.join('\n')).equals(bytes) && lines.pop() === '', 'not whole lines of UTF-8');
  return lines.map((line, i) => {
    lineNumber = i + 1;
    const value = JSON.parse(line);
    check(canonical(value) === line, 'is not canonical JSON');
    return value;
  });
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'number') check(Number.isSafeInteger(value), 'has a number that is not whole');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** That the object has these members and no others; those with a question mark may be missing. */
function checkMembers(object, names) {
  const wanted = names.split(' ');
  const required = wanted.filter((name) => !name.endsWith('?'));
  const known = wanted.map((name) => name.replace('?', ''));
  check(
    required.every((name) => Object.hasOwn(object, name)) && Object.keys(object).every((name) => known.includes(name)),
    `has other members than ${names}`,
  );
}

const checkHash = (hash) => check(/^[0-9a-f]{64}$/.test(hash), 'has no hash where one should be');

// Hashes and signatures

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const ofHex = (text) => Buffer.from(text, 'hex');
const base64ToHex = (text) => Buffer.from(text, 'base64').toString('hex');

function parseKey(vkey) {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey);
  const key = Buffer.from(encoded, 'base64');
  check(key.length === 33 && key[0] === 1, 'has a key that is not of Ed25519');
  check(sha256(`${name}\n`, key).startsWith(id), 'has a key whose id is another');
  const der = Buffer.concat([ofHex('302a300506032b6570032100'), key.subarray(1)]);
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

const isSigned = (text, signature, key) => verify(null, Buffer.from(text), key, signature);

function isNoteSigned({ text, signatures }, vkey) {
  const { name, id, key } = parseKey(vkey);
  return signatures.some((each) => each.name === name && each.id === id && isSigned(text, each.signature, key));
}

function parseNote(note) {
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, signatureLines] = [note.slice(0, end), note.slice(end + 1).split('\n')];
  check(end > 0 && signatureLines.length > 1 && signatureLines.pop() === '', 'is not a signed note');
  const signatures = signatureLines.map((line) => {
    const [, name, encoded] = /^— ([^ +]+) ([A-Za-z0-9+/]+=*)$/.exec(line);
    const bytes = Buffer.from(encoded, 'base64');
    return { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
  });
  const form = /^signoff\n(0|[1-9]\d*)\n(.{44})\ntime ([1-9]\d*)\naudit_days ([1-9]\d*)\nplaces (.{44})\n$/;
  const [, size, root, time, auditDays] = form.exec(text) ?? [];
  check(root !== undefined, 'is not a checkpoint');
  return { text, signatures, size: Number(size), root: base64ToHex(root), time, auditDays };
}

// The tree of RFC 6962

const EMPTY_ROOT = sha256('');
const leafHash = (data) => sha256(Buffer.of(0), data);
const nodeHash = (left, right) => sha256(Buffer.of(1), ofHex(left), ofHex(right));
/** The largest power of two below the size. */
const split = (size) => 2 ** (31 - Math.clz32(size - 1));

/** Both take hashes from the end of a proof, and leave none of a right one. */
function rootOf(leaf, index, size, proof) {
  if (size === 1) return leaf;
  const [middle, sibling] = [split(size), proof.pop()];
  return index < middle
    ? nodeHash(rootOf(leaf, index, middle, proof), sibling)
    : nodeHash(sibling, rootOf(leaf, index - middle, size - middle, proof));
}

function oldAndNewRoot(oldRoot, oldSize, size, proof, isWhole = true) {
  if (oldSize === size) return Array(2).fill(isWhole ? oldRoot : proof.pop());
  const [middle, sibling] = [split(size), proof.pop()];
  if (oldSize > middle)
    return oldAndNewRoot(oldRoot, oldSize - middle, size - middle, proof, false).map((root) => nodeHash(sibling, root));
  const [older, newer] = oldAndNewRoot(oldRoot, oldSize, middle, proof, isWhole);
  return [older, nodeHash(newer, sibling)];
}

// The kinds of lines

function verifyLastLine(line, bytes, vkey) {
  checkMembers(line, 'export signatures');
  const { export: manifest, signatures } = line;
  checkMembers(manifest, 'absent at audit_days entries filters keys runs sha256 size');
  check(manifest.keys.includes(vkey), 'was signed by other keys');
  check(signatures.length === manifest.keys.length, 'lacks a signature');
  for (const [i, key] of manifest.keys.entries())
    check(
      isSigned(canonical(manifest), Buffer.from(signatures[i], 'base64'), parseKey(key).key),
      'has a wrong signature',
    );
  const length = Buffer.byteLength(canonical(line)) + 1;
  check(sha256(bytes.subarray(0, bytes.length - length)) === manifest.sha256, 'the bytes were changed');
  return manifest;
}

function verifyCheckpoint(line, first, { keys, at, audit_days }) {
  checkMembers(line, 'checkpoint');
  checkMembers(line.checkpoint, 'consistency note');
  const note = parseNote(line.checkpoint.note);
  const proof = [...line.checkpoint.consistency];
  proof.forEach(checkHash);
  const { size, root } = first ?? note;
  check(note.size <= size, 'is a checkpoint of more entries');
  if (!first)
    check(
      keys.every((key) => isNoteSigned(note, key)),
      'was not signed by all keys',
    );
  if (note.size === 0) check(note.root === EMPTY_ROOT, 'has entries, but says none');
  else if (note.size === size) check(note.root === root, 'is a checkpoint of another tree');
  else check(String(oldAndNewRoot(note.root, note.size, size, proof)) === `${note.root},${root}`, 'has a wrong proof');
  check(proof.length === 0, 'has a proof that is too long');
  const days = Math.min(note.auditDays, audit_days);
  const isOld = note.time <= at - days * DAY_MS && keys.some((key) => isNoteSigned(note, key));
  return { size: note.size, root: note.root, isOld };
}

function verifyEntry(entry) {
  checkMembers(entry, 'at facts hash kind prev ref seq');
  checkMembers(entry.facts, FACTS[entry.kind] ?? '');
  const { hash, ...content } = entry;
  if (entry.seq === 1) check(entry.prev === '', 'is the first of its run, but follows on another');
  else checkHash(entry.prev);
  check(hash === sha256(ofHex(entry.prev), canonical(content)), 'has a hash that is not its own');
  return entry;
}

function verifyProof(line, entry, { size, root }) {
  checkMembers(line, 'proof');
  checkMembers(line.proof, 'hashes index ref seq');
  const { hashes, index, ref, seq } = line.proof;
  hashes.forEach(checkHash);
  check(ref === entry.ref && seq === entry.seq, 'is the proof of another entry');
  check(index >= 0 && index < size, 'is no leaf of the tree');
  const proof = [...hashes];
  check(rootOf(leafHash(ofHex(entry.hash)), index, size, proof) === root, 'proves another entry');
  check(proof.length === 0, 'has a proof that is too long');
  return index;
}

function verifyPolicy(line, policies) {
  checkMembers(line, 'policy');
  checkMembers(line.policy, 'document hash');
  const { document, hash } = line.policy;
  check(hash === sha256(canonical(document)), 'has a policy whose hash is another');
  check(!policies.has(hash), 'has a policy for the second time');
  checkMembers(document, `${RULES} stages? when? tasks inputs? match_titles?`);
  for (const task of document.tasks) checkMembers(task, `${RULES} stages? when? ${'id' in task ? 'id' : 'match'}`);
  const levels = [document, ...document.tasks];
  const conditions = levels.flatMap(({ when = [] }) => when);
  for (const condition of conditions) checkMembers(condition, `${RULES} stages? if`);
  for (const { stages = [] } of [...levels, ...conditions])
    for (const stage of stages) checkMembers(stage, `${RULES} name`);
  policies.set(hash, document);
  return hash;
}

// What is here, and what is not

function verifyChains(entries) {
  const chains = new Map();
  let index = -1;
  for (const entry of entries) {
    lineNumber = entry.line;
    const chain = chains.get(entry.ref) ?? [];
    const last = chain.at(-1);
    check(entry.index > index, 'is not in the order of the tree');
    check(!last || (entry.seq === last.seq + 1 && entry.prev === last.hash), 'does not follow on the entry before');
    check(!last || entry.at >= last.at, 'is older than the entry before');
    chains.set(entry.ref, [...chain, entry]);
    index = entry.index;
  }
  return chains;
}

function verifyWhatIsMissing(manifest, checkpoints, entries, chains) {
  const { absent, filters, runs, size } = manifest;
  const provenOld = Math.max(0, ...checkpoints.filter(({ isOld }) => isOld).map((each) => each.size));
  const isFiltered = Object.values(filters).some((filter) => filter !== null);
  check((runs !== null) === isFiltered && (absent !== null) !== isFiltered, 'says what is absent and what was chosen');
  if (isFiltered) {
    const here = [...chains].map(([ref, chain]) => [ref, [chain[0].seq, chain.at(-1).seq]]);
    check(canonical(Object.fromEntries(here)) === canonical(runs), 'says that the runs have other entries');
  } else {
    const gaps = [];
    let next = 0;
    for (const index of [...entries.map((entry) => entry.index), size]) {
      if (index > next) gaps.push([next, index]);
      next = index + 1;
    }
    check(canonical(gaps) === canonical(absent), 'says that other entries are absent');
    check(
      gaps.every(([, until]) => until <= provenOld),
      'lacks entries that cannot have expired',
    );
  }
  const begun = [...chains.values()].every(([first]) => first.seq === 1);
  check(begun || provenOld > 0, 'lacks the first entries of a run, which cannot have expired');
}

// Replay

const RULES =
  'approvers escalate_to quorum self_approval guests undo_ms min_review_ms remind_after_ms escalate_after_ms expire_after_ms on_expiry expiry_text started_elsewhere? delegation? comment? on_decline? all_of? step_up? approving?';
const FACTS = {
  asked: 'approval crew channel task round output outcomes? fields? destination? limit_ms? starter policy seen?',
  named: 'approval task policy seen?',
  voted:
    'approval account by rule for? named? seat? under? proof? text edited? outcome? answer? stage? completes? policy seen?',
  edited: 'approval by rule text policy seen?',
  withdrawn: 'approval by reason',
  decided:
    'approval verdict outcome? answer? by votes text policy escalated handed_to undo_ms edited? stage? completes? seen?',
  undone: 'approval by rule policy seen?',
  'handed-over': 'approval by to rule to_named? policy until? seen?',
  'taken-back': 'approval by to until',
  reminded: 'approval number mentioned',
  escalated: 'approval places to mentioned policy seen?',
  expired: 'approval outcome policy seen?',
  revealed: 'approval by secrets',
  cancelled: 'approval',
  sent: 'approval attempt',
  'not-confirmed': 'approval attempt',
  lost: 'approval verdict by attempts',
  confirmed: 'approval proof',
  refused: 'approval action by reason policy times?',
  tried: 'crew task kickoff text',
  policy: 'crew policy',
};
const NOBODYS_POLICY = {
  approvers: [],
  escalate_to: [],
  quorum: 1,
  self_approval: true,
  guests: false,
  undo_ms: 0,
  min_review_ms: 0,
  remind_after_ms: null,
  escalate_after_ms: null,
  expire_after_ms: null,
  on_expiry: 'close',
  expiry_text: 'Nobody decided in time.',
  tasks: [],
};
/** What a crew has that isn't configured. */
const NOBODY = sha256(canonical(NOBODYS_POLICY));

function replayAll(chains, policies) {
  /** When each crew has had which policies, of the crews whose chain is here. */
  const since = new Map();
  for (const [ref, chain] of chains) {
    const policyEntries = chain.filter(({ kind }) => kind === 'policy');
    for (const { at, facts, line } of policyEntries) {
      lineNumber = line;
      check(ref === `crew:${facts.crew}`, 'is a policy in the chain of another crew');
      const own = since.get(facts.crew) ?? new Map();
      since.set(facts.crew, own.set(facts.policy, Math.min(at, own.get(facts.policy) ?? at)));
    }
  }
  for (const [ref, chain] of chains) {
    const run = { crew: /^crew:([^/]*)/.exec(ref)?.[1] ?? null, isCut: chain[0].seq > 1, requests: new Map() };
    for (const entry of chain) {
      lineNumber = entry.line;
      if (entry.kind === 'asked') {
        check(!run.crew || run.crew === entry.facts.crew, 'asks for another crew');
        run.crew = entry.facts.crew;
      }
      const { policy } = entry.facts;
      const own = since.get(run.crew);
      if (policy !== undefined) {
        check(policies.has(policy), 'names a policy that no line before it has');
        check(
          !own || policy === NOBODY || own.get(policy) <= entry.at + DAY_MS,
          'names a policy that its crew had not',
        );
      }
      replay(run, entry, policies.get(policy));
    }
  }
}

/** The entry has to be allowed by the policy that it names. */
function replay(run, { kind, at, facts, ref }, document) {
  if (kind === 'refused') check((facts.action === 'start') === ref.startsWith('crew:'), 'refuses in another chain');
  if (kind === 'tried') check(/^crew:(.*)\/[-\d]{10}$/.exec(ref)?.[1] === facts.crew, 'is a trial in another chain');
  if (['refused', 'tried', 'policy'].includes(kind)) return;
  if (kind === 'asked') return ask(run, at, facts, document);
  const request = run.requests.get(facts.approval);
  if (!request && run.isCut) return;
  check(request, 'is about a request that no entry before it has asked');
  if (kind === 'named') nameTask(request, facts.task);
  const all = document && possibleRules(document, request, facts.seen);
  STAGES[kind](request, at, facts, all);
}

function ask(run, at, facts, document) {
  check(!run.requests.has(facts.approval), 'asks a second time');
  for (const request of run.requests.values())
    if (request.task.id === facts.task.id && request.stage !== 'confirmed')
      request.stage = request.stage === 'sent' ? 'sent before' : 'over';
  const request = {
    stage: 'waiting',
    complete: new Map(),
    edited: null,
    task: facts.task,
    starter: facts.starter,
    asked: { ...facts, at },
    votes: new Map(),
    proofs: new Map(),
    chosen: new Map(),
    handOvers: [],
    escalated: [],
    isNamedLater: false,
    decision: null,
  };
  run.requests.set(facts.approval, request);
  possibleRules(document, request, facts.seen);
}

/**
 * The rules of each place that may turn out to apply. Which conditions hold or may hold is taken as it is told: to find out takes an
 * evaluation of CEL.
 */
function possibleRules(document, request, seen) {
  const { id, name, titled } = request.task;
  const known = titled && !document.match_titles ? null : name;
  const levels = [];
  let isMeant = false;
  for (let i = 0; i < document.tasks.length && !isMeant; i++) {
    isMeant = means(document.tasks[i], id, known);
    if (isMeant !== false) levels.push([`/tasks/${i}`, document.tasks[i]]);
  }
  if (!isMeant) levels.push(['', document]);
  const isDependent = levels.length > 1 || levels.some(([, level]) => level.when || namesInput(level));
  check((seen !== undefined) === isDependent, 'says otherwise whether its rules depend on something');
  const places = levels.flatMap(([place, level]) => {
    if (!level.when) return [place];
    const told = seen.possible.filter((each) => each === place || each.startsWith(`${place}/when/`));
    check(told.length > 0, 'leaves out rules that are possible');
    return told;
  });
  check(!seen || canonical(places) === canonical(seen.possible), 'takes other rules for possible than its policy');
  return places.map((place) => rulesAt(document, place, request, seen?.values ?? {}));
}

/** Null where only the name of the task can tell. */
function means({ match, id: pattern }, id, name) {
  if (matcher(match ?? pattern).test(id)) return true;
  if (match === undefined) return false;
  return name === null ? null : matcher(match).test(name);
}

const namesInput = (level) =>
  [level, ...(level.stages ?? [])].some((rules) =>
    [...rules.approvers, ...rules.escalate_to, ...(rules.all_of ?? [])].some((name) => name.startsWith('input:')),
  );

function rulesAt(document, place, request, values) {
  const whole = place
    .split('/')
    .slice(1)
    .reduce((each, part) => each?.[part], document);
  check(whole?.approvers, 'names rules that its policy has none of');
  const stages = whole.stages ?? [];
  const keys = stages.map((_, i) => canonical(stages.slice(0, i + 1).map(stageKey)));
  const open = keys.findIndex((key) => !request.complete.has(key));
  const at = open === -1 ? Math.max(0, keys.length - 1) : open;
  return inStage({ place, whole, stages, keys, values, isEscalated: request.escalated.includes(place) }, at);
}

const WHO_DECIDES =
  'name approvers all_of quorum self_approval guests delegation escalate_after_ms escalate_to step_up approving';
const stageKey = (stage) => WHO_DECIDES.split(' ').map((member) => stage[member] ?? null);

function inStage({ place, whole, stages, keys, values, isEscalated }, at) {
  const rules = stages[at] ?? whole;
  const input = (each) => values[`inputs.${each.slice('input:'.length)}`];
  const named = (list) => list.map((each) => (each.startsWith('input:') ? (mentioned(input(each)) ?? each) : each));
  const { approvers, escalate_to, all_of = [] } = rules;
  const people = { approvers: named(approvers), escalate_to: named(escalate_to), all_of: named(all_of) };
  const isLast = at >= stages.length - 1;
  return { ...rules, ...people, place, whole, stages, keys, values, isEscalated, at, isLast, name: stages[at]?.name };
}

const mentioned = (text) => text && (/^<@(\w+)/.exec(text.trim())?.[1] ?? text.trim());

const checkStage = (request, ...stages) =>
  check(stages.includes(request.stage), `comes while the request is ${request.stage}`);

function nameTask(request, task) {
  check(request.task.name === null && task.name !== null, 'names a task that has a name');
  check(request.task.id === task.id, 'names another task');
  request.task = task;
  request.isNamedLater = true;
}

/** The name of the open stage, where only one rules is possible. */
const stageNameIn = (all, count = 0) => (all.length === 1 ? all[0].stages[all[0].at + count]?.name : undefined);

/** Who has voted for another text hasn't voted for this one. */
function decideAbout(request, edited) {
  if (request.complete.size > 0) request.escalated = [];
  Object.assign(request, { edited, votes: new Map(), complete: new Map(), chosen: new Map() });
}

const checkText = ({ edited }, facts) =>
  check(canonical(edited?.text ?? null) === canonical(facts.edited ?? null), 'approves another text');

const STAGES = {
  named(request, _at, _facts, all) {
    checkStage(request, 'waiting', 'decided', 'declined', 'sent');
    dropUsedUp(request, all);
  },
  voted(request, at, facts, all) {
    checkStage(request, 'waiting');
    check(facts.stage === stageNameIn(all), 'is a vote for another stage');
    checkUnder(facts, all);
    checkSignIn(request, at, facts, all);
    checkOutcome(request, 'approve', facts, all);
    checkText(request, facts);
    const { completes = [] } = facts;
    request.chosen.set(facts.by, facts.outcome ?? facts.answer?.sha256);
    checkAlike(
      request,
      completes.flatMap((each) => each.votes),
      facts,
      all,
    );
    const complete = new Map(request.complete);
    let decides = true;
    for (const rules of all) {
      const { open, done, voters, before } = follow(request, at, rules, completes, facts);
      const own = voters.includes(facts.by) ? null : voteAt(facts, rules.place);
      if (own) checkOwn(request, at, own, open, before);
      const isAlone = own !== null && isCompleteBy([own], open);
      check(!isAlone || open.isLast, 'completes a stage that it does not name');
      decides = decides && isAlone && voters.length === 0;
      for (const { key, votes } of done)
        complete.set(key, { at, votes, chosen: facts.outcome ?? facts.answer?.sha256 });
    }
    check(!decides, 'is a vote where one decides');
    request.votes.set(facts.by, facts);
    if (completes.length > 0) beginStages(request, complete, completes, all);
  },
  edited(request, at, facts, all) {
    checkStage(request, 'waiting');
    checkAny(all, (rules) => checkRight(request, at, { ...facts, named: rules.escalate_to[0] }, rules));
    const comments = all.map(({ comment }) => comment?.approve);
    const takesEdits = !request.asked.outcomes && (comments.includes('required') || !comments.includes('none'));
    check(takesEdits, 'edits what takes no edits');
    decideAbout(request, facts.text.sha256 === request.asked.output.sha256 ? null : facts);
  },
  withdrawn(request, _, { by, reason }) {
    checkStage(request, 'waiting');
    check(request.votes.delete(by), 'withdraws a vote that nobody gave');
    if (reason === 'own' && request.edited?.by === by) decideAbout(request, null);
  },
  decided(request, at, facts, all) {
    checkStage(request, facts.by === null ? 'expired' : 'waiting');
    const { by, verdict, completes = [] } = facts;
    check(['approve', 'reject', 'decline'].includes(verdict), 'decides nothing');
    const escalated = all.filter(({ isEscalated }) => isEscalated).map(({ place }) => place);
    check(canonical(facts.escalated) === canonical(escalated), 'says otherwise whether it was escalated');
    check(
      canonical([...facts.handed_to].sort()) === canonical([...handedTo(request, at)].sort()),
      'says otherwise to whom it was handed over',
    );
    check(facts.stage === stageNameIn(all, completes.length), 'is a decision in another stage');
    if (by === null) checkNobodys(facts, all[0]);
    else {
      checkUnder(by, all);
      checkOutcome(request, verdict, facts, all);
      const last =
        verdict === 'approve' ? all.map((rules) => inStage(rules, Math.max(0, rules.stages.length - 1))) : all;
      check(facts.undo_ms === Math.max(...last.map(({ undo_ms }) => undo_ms)), 'has another time to undo');
      checkText(verdict === 'approve' ? request : { edited: null }, facts);
      if (verdict === 'approve') checkDecision(request, at, facts, all);
      else checkRejection(request, at, facts, all);
    }
    const isApproval = verdict === 'approve';
    request.decision = { by: by?.by, isApproval, undoUntil: at + facts.undo_ms, attempts: 0, isUnconfirmed: false };
    const isTold = all.every((rules) => rules.on_decline === 'reject') || request.asked.destination === 'callback';
    request.stage = verdict === 'decline' && !isTold ? 'declined' : 'decided';
  },
  undone(request, at, facts, all) {
    checkStage(request, 'decided', 'declined');
    const { by, undoUntil, isApproval } = request.decision;
    check(at < undoUntil, 'is too late');
    if (facts.rule === 'own decision') check(facts.by === by, 'was not decided by that person');
    else {
      checkAny(all, (rules) => checkRight(request, at, { ...facts, named: rules.escalate_to[0] }, rules));
      const isBarredByOne = all.some((rules) => isBarred(request, facts.by, rules));
      check(isApproval || !isBarredByOne, 'is undone by somebody whom not all rules let decide');
    }
    if (isApproval && request.edited && request.edited.by === by) decideAbout(request, null);
    request.stage = 'waiting';
    request.decision = null;
  },
  'handed-over'(request, at, facts, all) {
    checkStage(request, 'waiting');
    const takes = all.filter((rules) => !isBarred(request, facts.to, rules));
    check(facts.to !== facts.by && takes.length > 0, 'hands over to somebody who may not decide');
    check(
      all.some((rules) => delegationOf(rules) !== 'none'),
      `is of ${facts.to}, to whom the policy lets nobody hand over`,
    );
    const isTaker = (rules) => delegationOf(rules) === 'anyone' || everNamed(rules).includes(facts.to_named);
    check(takes.some(isTaker), `is of ${facts.to}, to whom the policy lets nobody hand over`);
    check(facts.rule !== 'handed over', 'hands on a right that was lent');
    checkAny(all, (rules) => checkRight(request, at, facts, rules));
    request.handOvers.push(facts);
  },
  'taken-back'(request, _, { by, to, until }) {
    checkStage(request, 'waiting', 'decided', 'declined', 'sent');
    const isIt = (each) => each.by === by && each.to === to && each.until === until;
    check(request.handOvers.some(isIt), 'takes back what was never handed over');
    request.handOvers = request.handOvers.filter((each) => !isIt(each));
  },
  revealed(request, _, { secrets }) {
    checkStage(request, 'waiting');
    check(Number.isInteger(secrets) && secrets > 0, 'reveals nothing');
  },
  reminded(request) {
    checkStage(request, 'waiting');
  },
  escalated(request, at, { places, to }, all) {
    checkStage(request, 'waiting');
    const escalating = all.filter(({ place }) => places.includes(place));
    const found = escalating.map(({ place }) => place);
    check(places.length > 0 && canonical(found) === canonical(places), 'escalates by rules that are not possible');
    for (const rules of escalating) {
      check(!rules.isEscalated, 'escalates a second time');
      check(isOver(request, at, rules, rules.escalate_after_ms), 'escalates too early');
    }
    const names = [...new Set(escalating.flatMap(({ escalate_to }) => escalate_to))];
    check(canonical(to) === canonical(names), 'escalates to others');
    request.escalated = [...request.escalated, ...places];
  },
  expired(request, at, { outcome }, all) {
    checkStage(request, 'waiting');
    const { limit_ms: limit, destination, at: askedAt } = request.asked;
    const isDue = all.every((rules) => isOver(request, at, rules, rules.expire_after_ms));
    check(isDue || (limit !== undefined && at >= askedAt + limit), 'expires too early');
    const rejects = destination === 'callback' || all.every(({ on_expiry }) => on_expiry === 'reject');
    check(outcome === (rejects ? 'reject' : 'close'), 'expires otherwise');
    request.stage = outcome === 'reject' ? 'expired' : 'over';
  },
  cancelled(request) {
    checkStage(request, 'waiting');
    check(['poll', 'callback'].includes(request.asked.destination), 'takes back what no program has asked');
    request.stage = 'over';
  },
  sent(request, at, { attempt }) {
    checkStage(request, 'decided', 'sent');
    check(at >= request.decision.undoUntil, 'sends what could still be undone');
    check(attempt === request.decision.attempts + 1, 'is another attempt');
    request.decision.attempts = attempt;
    request.decision.isUnconfirmed = false;
    request.stage = 'sent';
  },
  'not-confirmed'(request, _, { attempt }) {
    checkStage(request, 'sent');
    check(attempt === request.decision.attempts && !request.decision.isUnconfirmed, 'is another attempt');
    request.decision.isUnconfirmed = true;
  },
  lost(request, at, { by, verdict, attempts }) {
    checkStage(request, 'waiting', 'decided', 'declined', 'sent');
    check(attempts >= (request.decision?.attempts ?? 0), 'was sent more often before');
    const sent = { by, isApproval: verdict === 'approve', undoUntil: at, attempts, isUnconfirmed: false };
    Object.assign(request, attempts === 0 ? { stage: 'waiting', decision: null } : { stage: 'sent', decision: sent });
  },
  confirmed(request, _, { proof }) {
    checkStage(request, 'sent', 'sent before');
    check(['accepted', 'evidence'].includes(proof), 'is confirmed by nothing');
    request.stage = 'confirmed';
  },
};

const SIGN_IN_MS = 10 * 60_000;

/** The votes of the stages that are complete by these rules. */
const stagesBefore = ({ keys, at }, complete) => keys.slice(0, at).flatMap((key) => complete.get(key) ?? []);

function isOver({ asked, complete }, at, rules, afterMs) {
  const begunAt = Math.max(asked.at, ...stagesBefore(rules, complete).map((stage) => stage.at));
  return afterMs !== null && at >= begunAt + afterMs;
}

/** A vote as it counts by the rules of a place; null where it does not. */
function voteAt({ under, ...vote }, place) {
  if (!under) return vote;
  const counted = under.find((each) => each.place === place);
  return counted ? { by: vote.by, account: vote.account, ...counted } : null;
}

/** That a vote names the rules by which it counts, where several are possible, and the first of them once more. */
function checkUnder(vote, all) {
  const { under } = vote;
  check((under !== undefined) === all.length > 1, 'says otherwise by which rules a vote counts');
  if (!under) return;
  for (const each of under) checkMembers(each, 'place rule for? named? seat?');
  const places = under.map(({ place }) => place);
  const possible = all.map(({ place }) => place).filter((place) => places.includes(place));
  check(places.length > 0 && canonical(places) === canonical(possible), 'counts by rules that are not possible');
  const isFirst = ['rule', 'for', 'named', 'seat'].every(
    (name) => canonical(under[0][name] ?? null) === canonical(vote[name] ?? null),
  );
  check(isFirst, 'counts otherwise than by its first rules');
}

/** Goes through the stages that votes complete by one of the rules; `open` is the one after them. */
function follow(request, at, rules, completes, own) {
  let open = rules;
  const done = [];
  const before = () => [...stagesBefore(rules, request.complete), ...done].flatMap(({ votes }) => votes);
  for (const { stage, votes } of completes.filter(({ place }) => place === rules.place)) {
    check(stage === open.name, 'completes another stage');
    check(!open.isLast, 'completes the last stage');
    checkApproval(request, at, votes, open, before(), own);
    done.push({ key: open.keys[open.at], votes });
    open = inStage({ ...open, isEscalated: false }, open.at + 1);
  }
  const voters = done.flatMap(({ votes }) => votes.map(({ by }) => by));
  return { open, done, voters, before: before() };
}

/** Votes that each of the rules has used up then wait for nothing any more. */
function beginStages(request, complete, completes, all) {
  const begun = completes.map(({ place }) => place);
  request.complete = complete;
  request.escalated = request.escalated.filter((place) => !begun.includes(place));
  const countOf = (place) => begun.filter((each) => each === place).length;
  dropUsedUp(
    request,
    all.map((rules) => ({ ...rules, at: rules.at + countOf(rules.place) })),
  );
}

function dropUsedUp({ votes, complete }, all) {
  const used = all.map((rules) => stagesBefore(rules, complete).flatMap((stage) => stage.votes.map(({ by }) => by)));
  for (const by of used[0]) if (used.every((ids) => ids.includes(by))) votes.delete(by);
}

/** An approval is complete by each of the possible rules, in the last stage. */
function checkDecision(request, at, facts, all) {
  const { by, votes, completes = [] } = facts;
  checkSignIn(request, at, by, all);
  for (const vote of votes) checkUnder(vote, all);
  checkAlike(request, [...votes, ...completes.flatMap((each) => each.votes)], { ...facts, by: by.by }, all);
  check(
    completes.every(({ place }) => all.some((rules) => rules.place === place)),
    'completes a stage of rules that are not possible',
  );
  for (const rules of all) {
    const { open, voters, before } = follow(request, at, rules, completes, by);
    check(open.isLast, 'leaves out a stage');
    const counted = [...votes, by].map((vote) => voteAt(vote, rules.place)).filter((vote) => vote !== null);
    const left = counted.filter((vote) => !voters.includes(vote.by));
    checkApproval(request, at, left, open, before, by);
  }
  request.chosen.set(by.by, facts.outcome ?? facts.answer?.sha256);
  request.votes.delete(by.by);
}

/** It needs nobody else. A decline takes a person who may decide by each of the possible rules. */
function checkRejection(request, at, { by, votes, verdict, completes }, all) {
  check(votes.length === 0 && !completes, 'counts votes for what takes none');
  for (const rules of all) {
    const own = voteAt(by, rules.place);
    if (own) checkVote(request, at, own, rules);
    check(own || verdict === 'reject', 'is a decline of somebody whom not all rules let decide');
  }
}

/** That one of the rules allows it; the reason why the first does not, if none does. */
function checkAny(all, allow) {
  const errors = [];
  for (const rules of all) {
    try {
      return allow(rules);
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors[0];
}

const handOversAt = ({ handOvers }, at) => handOvers.filter(({ until }) => until === undefined || until > at);
const handedTo = (request, at) => new Set(handOversAt(request, at).map(({ to }) => to));

function isBarred({ starter }, person, { self_approval, started_elsewhere = [] }) {
  return !self_approval && (starter === null ? started_elsewhere.includes(person) : starter === person);
}

function checkNobodys({ verdict, votes, text, undo_ms }, { expiry_text }) {
  check(verdict === 'reject' && votes.length === 0 && undo_ms === 0, 'is a decision that nobody can have made');
  check(text.sha256 === sha256(expiry_text) && text.length === expiry_text.length, 'has another text than the policy');
}

function matcher(pattern) {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'isu');
}

/** An outcome that approves by one of the rules is an approval. */
function checkOutcome({ asked: { outcomes, fields } }, verdict, { outcome, answer }, all) {
  check(!answer === !(fields && verdict === 'approve'), 'answers nothing, or what was not asked');
  const isPlainNo = verdict === 'decline' || (verdict === 'reject' && !outcomes?.[1]);
  if (outcome === undefined) return check(!outcomes || isPlainNo, 'chooses nothing');
  check(outcomes?.includes(outcome), 'chooses what was not offered');
  const approves = all.some(
    ({ approving }) => approving === undefined || approving.some((pattern) => matcher(pattern).test(outcome)),
  );
  check(verdict === (approves ? 'approve' : 'reject'), 'is another verdict than its outcome');
}

function checkAlike(request, votes, { by, outcome, answer }, all) {
  const chosen = outcome ?? answer?.sha256;
  const before = all.flatMap((rules) => stagesBefore(rules, request.complete));
  const isAlike =
    before.every((stage) => stage.chosen === chosen) &&
    votes.every((vote) => vote.by === by || request.chosen.get(vote.by) === chosen);
  check(isAlike, `counts votes for another ${answer ? 'answer' : 'outcome'}`);
}

function checkDistinct(people) {
  check(new Set(people).size === people.length, 'counts a person or a right twice');
}

/** That these votes complete the stage that is open by these rules. */
function checkApproval(request, at, votes, rules, before, own) {
  for (const vote of votes) checkVote(request, at, vote, rules);
  for (const { by } of votes) check(by === own.by || request.votes.has(by), `counts a vote of ${by}, who gave none`);
  const all = [...before, ...votes];
  checkDistinct(all.map((vote) => vote.by));
  checkDistinct(all.map((vote) => vote.for?.by ?? vote.by));
  const isSigned = ({ by }) =>
    by === own.by && !request.isNamedLater ? own.proof : (own.by === by && own.proof) || request.votes.get(by)?.proof;
  check(!rules.step_up || votes.every(isSigned), 'counts a vote without a sign-in');
  const names = rules.isEscalated ? [...rules.approvers, ...rules.escalate_to] : rules.approvers;
  const counting = votes.filter((vote) => names.includes(vote.for?.rule ?? vote.rule));
  check(counting.length >= rules.quorum, 'has too few approvals');
  checkSeats(votes, rules);
  check(isCompleteBy(votes, rules), 'lacks one of each');
}

function checkSeats(votes, { all_of }) {
  const seats = votes.flatMap(({ seat }) => seat ?? []);
  checkDistinct(seats);
  check(
    seats.every((seat) => all_of.includes(seat)),
    'has a seat that its policy has none of',
  );
}

function isCompleteBy(votes, { quorum, approvers, escalate_to, all_of, isEscalated }) {
  const names = isEscalated ? [...approvers, ...escalate_to] : approvers;
  const seats = votes.map(({ seat }) => seat);
  const counting = votes.filter((vote) => names.includes(vote.for?.rule ?? vote.rule));
  return counting.length >= quorum && all_of.every((name) => seats.includes(name));
}

/** That a vote counts in the open stage beside those of the stages before. */
function checkOwn(request, at, vote, rules, before) {
  checkVote(request, at, vote, rules);
  checkDistinct([...before, vote].map(({ by }) => by));
  checkDistinct([...before, vote].map((each) => each.for?.by ?? each.by));
  checkSeats([vote], rules);
  check(!rules.step_up || request.proofs.has(vote.by), `is an approval of ${vote.by} without a sign-in`);
}

function checkVote(request, at, vote, rules) {
  checkRight(request, at, vote, rules);
  if (vote.account !== 'member') check(rules.guests && isId(vote.rule), `is of a ${vote.account}`);
  if (vote.for)
    check(
      vote.for.account === 'member' || (rules.guests && isId(vote.for.rule)),
      `uses the right of a ${vote.for.account}`,
    );
}

/** What the name of a task completes was signed in for before. */
function checkSignIn(request, at, { by, proof }, all) {
  const isOfThen = request.isNamedLater && request.votes.has(by);
  const isTaken = all.every(({ step_up }) => step_up);
  check(proof || !isTaken || (isOfThen && request.proofs.has(by)), `is an approval of ${by} without a sign-in`);
  if (!proof) return isOfThen || request.proofs.delete(by);
  checkMembers(proof, 'acr at iss sub');
  const isRepeated = isOfThen && canonical(proof) === request.proofs.get(by);
  check(isRepeated || (proof.at <= at && at - proof.at <= SIGN_IN_MS), 'has a sign-in of another time');
  request.proofs.set(by, canonical(proof));
}

const isId = (name) => /^[UW]/.test(name);

/** That the policy lets this person decide by the rule that is named. */
function checkRight(request, at, { by, rule, for: holder, named }, rules) {
  check(!isBarred(request, by, rules), `is of ${by}, who started the run`);
  if (rule === 'handed over') {
    checkTaker(by, named, rules);
    checkHandedOver(request, at, by, holder, rules);
  } else {
    const names = [...rules.approvers, ...rules.all_of, ...(rules.isEscalated ? rules.escalate_to : [])];
    check(names.includes(rule), `is of ${by}, whom the policy does not let decide`);
  }
}

const everNamed = ({ approvers, all_of, escalate_to }) => [...approvers, ...all_of, ...escalate_to];

const delegationOf = ({ delegation = 'approvers' }) => delegation;

/** That the policy lets this person have what others hand over. */
function checkTaker(person, named, rules) {
  const isNamed = everNamed(rules).includes(named);
  const isAllowed = { none: false, approvers: isNamed, anyone: true }[delegationOf(rules)];
  check(isAllowed, `is of ${person}, to whom the policy lets nobody hand over`);
}

function checkHandedOver(request, at, by, holder, rules) {
  const givers = handOversAt(request, at).flatMap((each) => (each.to === by ? [each.by] : []));
  check(givers.length > 0, `was not handed over to ${by}`);
  if (!holder) return;
  check(
    givers.includes(holder.by) && holder.rule !== 'handed over',
    `uses the right of ${holder.by}, who never gave it`,
  );
  checkRight(request, at, holder, rules);
}

try {
  const [file, vkey] = process.argv.slice(2);
  const count = verifyExport(readFileSync(file), vkey);
  console.log(`${count} entries are what was sealed.`);
} catch (error) {
  console.error(`line ${lineNumber}: ${error.message}`);
  process.exitCode = 1;
}
