// Lets crew files be TypeScript, anywhere on disk, with what this package has for them. Types are removed where they
// stand, so that a line keeps its number; nothing is checked.
// https://nodejs.org/docs/latest-v20.x/api/module.html#customization-hooks
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform } from 'sucrase';

let crewEntry = '';

/** @param {{ crewEntry: string }} data */
export function initialize(data) {
  crewEntry = data.crewEntry;
}

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (specifier === '@signoff/crew-service') return next(crewEntry, context);
  if (/^zod(?:\/|$)/.test(specifier) && !isInstalledFor(specifier, context.parentURL))
    return next(specifier, { ...context, parentURL: import.meta.url });
  return next(typeScriptFor(specifier, context.parentURL), context);
}

/**
 * @param {string} specifier
 * @param {string | undefined} parentURL
 */
function isInstalledFor(specifier, parentURL) {
  if (!parentURL?.startsWith('file:')) return false;
  try {
    createRequire(parentURL).resolve(specifier);
    return true;
  } catch {
    return false;
  }
}

/**
 * TypeScript may be imported as what it would be compiled to, and without its extension.
 * @param {string} specifier
 * @param {string | undefined} parentURL
 */
function typeScriptFor(specifier, parentURL) {
  if (!/^\.\.?\//.test(specifier) || !parentURL?.startsWith('file:')) return specifier;
  const { href } = new URL(specifier, parentURL);
  const candidates = [href, href.replace(/\.([mc]?)js$/, '.$1ts'), `${href}.ts`, `${href}/index.ts`];
  return candidates.find((url) => /\.\w+$/.test(url) && existsSync(new URL(url))) ?? specifier;
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, next) {
  if (/^file:.*\.m?ts(?:\?|$)/.test(url)) return { format: 'module', source: javaScriptOf(url), shortCircuit: true };
  // Node.js 20 takes JavaScript for CommonJS without a package.json that says otherwise, even if it can't be.
  if (/^file:.*\.js$/.test(url) && context.format === 'commonjs' && isModule(url))
    return next(url, { ...context, format: 'module' });
  return next(url, context);
}

/** @param {string} url */
function javaScriptOf(url) {
  const filePath = fileURLToPath(url);
  const { code } = transform(readFileSync(filePath, 'utf8'), {
    transforms: ['typescript'],
    disableESTransforms: true,
    filePath,
  });
  return code;
}

/** @param {string} url */
function isModule(url) {
  return !url.includes('/node_modules/') && /^(?:import|export)\b/m.test(readFileSync(new URL(url), 'utf8'));
}
