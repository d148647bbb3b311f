const KEY = 'as';

/** Whom this tab plays: as the address says (`?as=U…`), else as before in this tab, else as last in any tab. */
export function rememberedPerson(): string | undefined {
  const named = new URLSearchParams(location.search).get(KEY);
  return named ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

/** Each tab plays its own person, so that several can be played side by side. */
export function rememberPerson(id: string): void {
  sessionStorage.setItem(KEY, id);
  localStorage.setItem(KEY, id);
  if (location.search.includes(`${KEY}=`)) history.replaceState(null, '', `/${location.hash}`);
}
