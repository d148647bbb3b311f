// Lets crew files anywhere on disk import `signoff/crew` and `zod` of this checkout.
// https://nodejs.org/docs/latest-v20.x/api/module.html#resolvespecifier-context-nextresolve
const CREW = new URL('../../crew.ts', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (specifier === 'signoff/crew') return next(CREW, context);
  const resolved = await resolveHereToo(specifier, context, next);
  // Without a package.json that says so, Node.js takes a file for CommonJS, in which `import` of this can't work.
  return /\.ts(?:\?|$)/.test(resolved.url) ? { ...resolved, format: 'module' } : resolved;
}

/** @type {import('node:module').ResolveHook} */
async function resolveHereToo(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^zod(?:\/|$)/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}
