// @ts-nocheck – verifies an export from the description in docs/audit.md alone: node outsider.mjs FILE VKEY
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
  checkMembers(document, `${RULES} stages? when? tasks inputs?`);
  for (const task of document.tasks) checkMembers(task, `${RULES} stages? when? match`);
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
  asked: 'approval crew channel task round output outcomes? destination? limit_ms? starter policy seen?',
  named: 'approval task policy reopened seen?',
  voted: 'approval account by rule for? named? seat? proof? text outcome? stage? completes? policy seen?',
  withdrawn: 'approval by reason',
  decided: 'approval verdict outcome? by votes text policy escalated handed_to undo_ms stage? seen?',
  undone: 'approval by rule policy seen?',
  'handed-over': 'approval by to rule to_named? policy until? seen?',
  'taken-back': 'approval by to until',
  reminded: 'approval number mentioned',
  escalated: 'approval to mentioned policy seen?',
  expired: 'approval outcome policy seen?',
  cancelled: 'approval',
  sent: 'approval attempt',
  unconfirmed: 'approval attempt',
  confirmed: 'approval proof',
  refused: 'approval action by reason policy times?',
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
  if (kind === 'refused' || kind === 'policy') return;
  if (kind === 'asked') return ask(run, at, facts);
  const request = run.requests.get(facts.approval);
  if (!request && run.isCut) return;
  check(request, 'is about a request that no entry before it has asked');
  const rules = document && rulesFor(document, request, facts.seen);
  if (rules === null) request.isBeyond = true;
  if (!request.isBeyond) STAGES[kind](request, at, facts, rules, document);
}

function ask(run, at, facts) {
  check(!run.requests.has(facts.approval), 'asks a second time');
  for (const request of run.requests.values())
    if (request.task.id === facts.task.id && request.stage !== 'confirmed')
      request.stage = request.stage === 'sent' ? 'sent before' : 'over';
  run.requests.set(facts.approval, {
    stage: 'waiting',
    begunAt: at,
    complete: [],
    task: facts.task,
    starter: facts.starter,
    asked: { ...facts, at },
    votes: new Map(),
    proofs: new Map(),
    chosen: new Map(),
    handOvers: [],
    escalated: false,
    decision: null,
    void: null,
  });
}

/** Null where it takes to evaluate conditions to tell which rules apply, which this doesn't. */
function rulesFor(document, { task: { id, name }, complete, starter }, seen = { rules: [], values: {} }) {
  const matches = ({ match }) => {
    const pattern = matcher(match);
    return pattern.test(id) || (name !== null && pattern.test(name));
  };
  const level = document.tasks.find(matches) ?? document;
  const known = Object.keys(document.inputs ?? {}).every((input) => Object.hasOwn(seen.values, `inputs.${input}`));
  if (level.when && (!known || name === null || starter === null || seen.rules.length > 1)) return null;
  const rules = level.when?.[seen.rules[0]] ?? level;
  const stages = rules.stages ?? [];
  const open = stages.findIndex((stage, i) => complete[i]?.stage !== canonical(stage));
  const at = open === -1 ? Math.max(0, stages.length - 1) : open;
  const inForce = stages[at] ?? rules;
  const input = (each) => seen.values[`inputs.${each.slice('input:'.length)}`];
  const named = (list) => list.map((each) => (each.startsWith('input:') ? (mentioned(input(each)) ?? each) : each));
  const { approvers, escalate_to, all_of = [] } = inForce;
  const people = { approvers: named(approvers), escalate_to: named(escalate_to), all_of: named(all_of) };
  return { ...inForce, ...people, stages, at, name: stages[at]?.name };
}

const mentioned = (text) => text && (/^<@(\w+)/.exec(text.trim())?.[1] ?? text.trim());

const checkStage = (request, ...stages) =>
  check(stages.includes(request.stage), `comes while the request is ${request.stage}`);

const STAGES = {
  named(request, at, { task, reopened, seen }, rulesBefore, document) {
    checkStage(request, 'waiting', 'decided', 'declined', 'sent');
    check(request.task.name === null && task.name !== null, 'names a task that has a name');
    check(request.task.id === task.id, 'names another task');
    request.task = task;
    const rules = rulesFor(document, request, seen);
    if (!rules) request.isBeyond = true;
    if (!rules) return;
    const isSame =
      WHO_DECIDES.every((each) => canonical(rules[each] ?? null) === canonical(rulesBefore[each] ?? null)) &&
      delegationOf(rules) === delegationOf(rulesBefore);
    check(reopened === (!isSame && request.decision !== null), 'says otherwise whether the decision is void');
    if (isSame) return;
    request.escalated = false;
    if (!reopened) return;
    request.void = { at, undoUntil: request.decision.undoUntil };
    reopen(request);
  },
  voted(request, at, facts, rules) {
    checkStage(request, 'waiting');
    const isLast = rules.at >= rules.stages.length - 1;
    const isOne = rules.quorum === 1 && rules.all_of.length < 2 && isLast;
    check(!isOne || request.void !== null, 'is a vote where one decides');
    check(facts.stage === rules.name, 'is a vote for another stage');
    checkVote(request, at, facts, rules);
    checkSignIn(request, at, facts, rules);
    checkOutcome(request, 'approve', facts, rules);
    request.votes.set(facts.by, facts);
    request.chosen.set(facts.by, facts.outcome);
    if (!facts.completes) return;
    check(!isLast, 'completes the last stage');
    checkApproval(request, at, [...facts.completes, facts], rules);
    checkAlike(request, [...facts.completes, facts], facts, rules);
    const votes = [...facts.completes, facts];
    const stage = { stage: canonical(rules.stages[rules.at]), votes, outcome: facts.outcome };
    Object.assign(request, { complete: [...request.complete.slice(0, rules.at), stage], votes: new Map() });
    Object.assign(request, { begunAt: at, escalated: false });
  },
  withdrawn(request, _, { by }) {
    checkStage(request, 'waiting');
    check(request.votes.delete(by), 'withdraws a vote that nobody gave');
  },
  decided(request, at, facts, rules) {
    checkStage(request, facts.by === null ? 'expired' : 'waiting');
    const { by, votes, verdict } = facts;
    check(['approve', 'reject', 'decline'].includes(verdict), 'decides nothing');
    check(facts.escalated === request.escalated, 'says otherwise whether it was escalated');
    check(
      canonical([...facts.handed_to].sort()) === canonical([...handedTo(request, at)].sort()),
      'says otherwise to whom it was handed over',
    );
    if (by === null) checkNobodys(facts, rules);
    else {
      checkOutcome(request, verdict, facts, rules);
      const left = request.void?.at === at ? Math.max(0, request.void.undoUntil - at) : rules.undo_ms;
      check([rules.undo_ms, left].includes(facts.undo_ms), 'has another time to undo');
      check(facts.stage === rules.name, 'is a decision in another stage');
      if (verdict === 'approve') {
        check(rules.at >= rules.stages.length - 1, 'leaves out a stage');
        checkSignIn(request, at, by, rules);
        checkAlike(request, votes, facts, rules);
        request.chosen.set(by.by, facts.outcome);
      }
      checkApproval(request, at, [...votes, by], { ...rules, ...(verdict !== 'approve' && { quorum: 0, all_of: [] }) });
      request.complete = request.complete.slice(0, rules.at);
    }
    request.decision = { by: by?.by, undoUntil: at + facts.undo_ms, attempts: 0, isUnconfirmed: false };
    const isUntold = rules.on_decline === undefined && request.asked.destination !== 'callback';
    request.stage = verdict === 'decline' && isUntold ? 'declined' : 'decided';
  },
  undone(request, at, facts, rules) {
    checkStage(request, 'decided', 'declined');
    check(at < request.decision.undoUntil, 'is too late');
    if (facts.rule === 'own decision') check(facts.by === request.decision.by, 'was not decided by that person');
    else checkRight(request, at, { ...facts, named: rules.escalate_to[0] }, rules);
    reopen(request);
  },
  'handed-over'(request, at, facts, rules) {
    checkStage(request, 'waiting');
    check(facts.to !== facts.by && !isBarred(request, facts.to, rules), 'hands over to somebody who may not decide');
    checkTaker(facts.to, facts.to_named, rules);
    check(facts.rule !== 'handed over', 'hands on a right that was lent');
    checkRight(request, at, facts, rules);
    request.handOvers.push(facts);
  },
  'taken-back'(request, _, { by, to, until }) {
    checkStage(request, 'waiting', 'decided', 'declined', 'sent');
    const isIt = (each) => each.by === by && each.to === to && each.until === until;
    check(request.handOvers.some(isIt), 'takes back what was never handed over');
    request.handOvers = request.handOvers.filter((each) => !isIt(each));
  },
  reminded(request) {
    checkStage(request, 'waiting');
  },
  escalated(request, at, { to }, rules) {
    checkStage(request, 'waiting');
    check(!request.escalated, 'escalates a second time');
    check(isOver(request, at, rules.escalate_after_ms), 'escalates too early');
    check(canonical(to) === canonical(rules.escalate_to), 'escalates to others');
    request.escalated = true;
  },
  expired(request, at, { outcome }, rules) {
    checkStage(request, 'waiting');
    const { limit_ms: limit, destination, at: askedAt } = request.asked;
    const isDue = isOver(request, at, rules.expire_after_ms) || (limit !== undefined && at >= askedAt + limit);
    check(isDue, 'expires too early');
    check(outcome === (destination === 'callback' ? 'reject' : rules.on_expiry), 'expires otherwise');
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
  unconfirmed(request, _, { attempt }) {
    checkStage(request, 'sent');
    check(attempt === request.decision.attempts && !request.decision.isUnconfirmed, 'is another attempt');
    request.decision.isUnconfirmed = true;
  },
  confirmed(request, _, { proof }) {
    checkStage(request, 'sent', 'sent before');
    check(['accepted', 'evidence'].includes(proof), 'is confirmed by nothing');
    request.stage = 'confirmed';
  },
};

const WHO_DECIDES =
  'approvers all_of quorum self_approval guests escalate_after_ms escalate_to step_up approving stages name'.split(' ');
const SIGN_IN_MS = 10 * 60_000;

function reopen(request) {
  request.stage = 'waiting';
  request.decision = null;
}

const isOver = ({ begunAt }, at, afterMs) => afterMs !== null && at >= begunAt + afterMs;
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

function checkOutcome({ asked: { outcomes } }, verdict, { outcome }, { approving }) {
  if (outcome === undefined) return check(!outcomes || verdict === 'decline', 'chooses nothing');
  check(outcomes?.includes(outcome), 'chooses what was not offered');
  const approves = approving === undefined || approving.some((pattern) => matcher(pattern).test(outcome));
  check(verdict === (approves ? 'approve' : 'reject'), 'is another verdict than its outcome');
}

function checkAlike(request, votes, { outcome }, rules) {
  const before = request.complete.slice(0, rules.at).every((stage) => stage.outcome === outcome);
  const isAlike = before && votes.every((vote) => request.chosen.get(vote.by) === outcome);
  check(isAlike, 'counts votes for another outcome');
}

function checkDistinct(people) {
  check(new Set(people).size === people.length, 'counts a person or a right twice');
}

/** The last of the votes completes it. */
function checkApproval(request, at, votes, rules) {
  const { quorum, approvers, escalate_to, all_of } = rules;
  for (const vote of votes) checkVote(request, at, vote, rules);
  for (const vote of votes.slice(0, -1))
    check(request.votes.has(vote.by), `counts a vote of ${vote.by}, who gave none`);
  const all = [...request.complete.slice(0, rules.at).flatMap((stage) => stage.votes), ...votes];
  checkDistinct((quorum === 0 ? votes : all).map((vote) => vote.by));
  if (quorum === 0) return;
  const signedIn = votes.slice(0, -1).every((vote) => !rules.step_up || request.votes.get(vote.by).proof);
  check(signedIn, 'counts a vote without a sign-in');
  checkDistinct(all.map((vote) => vote.for?.by ?? vote.by));
  const names = request.escalated ? [...approvers, ...escalate_to] : approvers;
  const counting = votes.filter((vote) => names.includes(vote.for?.rule ?? vote.rule));
  check(counting.length >= quorum, 'has too few approvals');
  const seats = votes.flatMap(({ seat }) => seat ?? []);
  checkDistinct(seats);
  check(
    all_of.every((name) => seats.includes(name)),
    'lacks one of each',
  );
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

/** A vote that a void decision leaves may be told anew, with the sign-in of then. */
function checkSignIn(request, at, { by, proof }, { step_up }) {
  check(proof || !step_up, `is an approval of ${by} without a sign-in`);
  if (!proof) return;
  checkMembers(proof, 'acr at iss sub');
  const isOfThen = request.void !== null && canonical(proof) === request.proofs.get(by);
  check(isOfThen || (proof.at <= at && at - proof.at <= SIGN_IN_MS), 'has a sign-in of another time');
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
    const names = [...rules.approvers, ...rules.all_of, ...(request.escalated ? rules.escalate_to : [])];
    check(names.includes(rule), `is of ${by}, whom the policy does not let decide`);
  }
}

const delegationOf = ({ delegation = 'approvers' }) => delegation;

/** That the policy lets this person have what others hand over. */
function checkTaker(person, named, rules) {
  const isNamed = [...rules.approvers, ...rules.all_of, ...rules.escalate_to].includes(named);
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
