// @ts-nocheck – verifies an export from the format in the README alone: node outsider.mjs FILE VKEY
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const hex = (text) => Buffer.from(text, 'hex');
const node = (left, right) => sha(Buffer.of(1), hex(left), hex(right));
const split = (size) => 2 ** (31 - Math.clz32(size - 1));
const check = (holds, why) => {
  if (!holds) throw new Error(why);
};

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function signatureHolds(text, signature, vkey) {
  const [, , , key] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey);
  const raw = Buffer.from(key, 'base64').subarray(1);
  const der = Buffer.concat([hex('302a300506032b6570032100'), raw]);
  return verify(null, Buffer.from(text), createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

function rootOf(leaf, index, size, proof) {
  if (size === 1) return leaf;
  const middle = split(size);
  const sibling = proof.pop();
  return index < middle
    ? node(rootOf(leaf, index, middle, proof), sibling)
    : node(sibling, rootOf(leaf, index - middle, size - middle, proof));
}

function rootsOf(older, oldSize, size, proof, isWhole = true) {
  if (oldSize === size) return Array(2).fill(isWhole ? older : proof.pop());
  const middle = split(size);
  const sibling = proof.pop();
  if (oldSize <= middle) {
    const [then, now] = rootsOf(older, oldSize, middle, proof, isWhole);
    return [then, node(now, sibling)];
  }
  return rootsOf(older, oldSize - middle, size - middle, proof, false).map((root) => node(sibling, root));
}

function headOf(note) {
  const [origin, size, root] = note.split('\n');
  check(origin === 'signoff', 'another origin');
  return { size: Number(size), root: Buffer.from(root, 'base64').toString('hex') };
}

function noteIsSigned(note, vkey) {
  const [, name, id] = /^([^+]+)\+([0-9a-f]{8})\+/.exec(vkey);
  const [text, signatures] = [note.slice(0, note.lastIndexOf('\n\n') + 1), note.slice(note.lastIndexOf('\n\n') + 2)];
  const own = signatures.split('\n').filter((line) => line.startsWith(`— ${name} `));
  const bytes = own.map((line) => Buffer.from(line.split(' ')[2], 'base64'));
  return bytes.some((each) => each.toString('hex', 0, 4) === id && signatureHolds(text, each.subarray(4), vkey));
}

const [file, vkey] = process.argv.slice(2);
const bytes = readFileSync(file);
const lines = bytes.toString('utf8').split('\n');
check(Buffer.from(lines.join('\n')).equals(bytes) && lines.pop() === '', 'not whole lines of UTF-8');
const values = lines.map((line) => JSON.parse(line));
check(
  values.every((value, i) => canonical(value) === lines[i]),
  'a line is not canonical',
);

const { export: manifest, signatures } = values.at(-1);
const place = manifest.keys.indexOf(vkey);
check(place !== -1, 'signed by another key');
check(signatureHolds(canonical(manifest), Buffer.from(signatures[place], 'base64'), vkey), 'bad signature');
const before = bytes.subarray(0, bytes.length - Buffer.byteLength(lines.at(-1)) - 1);
check(sha(before) === manifest.sha256, 'the bytes were changed');

const whole = headOf(values[0].checkpoint.note);
check(noteIsSigned(values[0].checkpoint.note, vkey), 'bad checkpoint');
const heads = new Map();
for (const [i, value] of values.entries()) {
  if (value.checkpoint) {
    const { size, root } = headOf(value.checkpoint.note);
    const roots = rootsOf(root, size, whole.size, value.checkpoint.consistency);
    check(String(roots) === `${root},${whole.root}`, 'bad proof');
  } else if (value.policy) {
    check(sha(canonical(value.policy.document)) === value.policy.hash, 'bad policy');
  } else if (value.kind) {
    const { hash, ...content } = value;
    check(hash === sha(hex(value.prev), canonical(content)), 'bad hash');
    const isCut = value.seq > 1 && !heads.has(value.ref);
    check(isCut || (heads.get(value.ref) ?? '') === value.prev, 'broken chain');
    heads.set(value.ref, hash);
    const { index, hashes } = values[i + 1].proof;
    check(rootOf(sha(Buffer.of(0), hex(hash)), index, whole.size, hashes) === whole.root, 'not sealed');
  }
}
console.log(`${manifest.entries} entries are what was sealed.`);
