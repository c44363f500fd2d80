import { accountStates, personStates, reportStates, suspensionStates } from '@signpost/contract/values.ts';

/** Which part of a list is shown, as the address of the page holds it. Whatever is wrong there is left out. */
export type ListSearch<State extends string> = { readonly state?: State; readonly page?: number };

export type ReportsSearch = ListSearch<(typeof reportStates)[number]>;
export type SuspensionsSearch = ListSearch<(typeof suspensionStates)[number]>;
export type PeopleSearch = ListSearch<(typeof personStates)[number]> & { readonly search?: string };
export type AccountsSearch = ListSearch<(typeof accountStates)[number]> & {
  readonly search?: string;
  readonly plan?: string;
};
export type PageSearch = { readonly page?: number };
export type LookUpSearch = { readonly link?: string };

type Raw = Readonly<Record<string, unknown>>;

export const parseReportsSearch = (raw: Raw): ReportsSearch => parseList(reportStates, raw);
export const parseSuspensionsSearch = (raw: Raw): SuspensionsSearch => parseList(suspensionStates, raw);

export const parsePeopleSearch = (raw: Raw): PeopleSearch => ({
  ...parseList(personStates, raw),
  ...textOf('search', raw),
});

export const parseAccountsSearch = (raw: Raw): AccountsSearch => ({
  ...parseList(accountStates, raw),
  ...textOf('search', raw),
  ...textOf('plan', raw),
});

export function parsePageSearch(raw: Raw): PageSearch {
  const page = Number(raw.page);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

export const parseLookUpSearch = (raw: Raw): LookUpSearch => textOf('link', raw);

/** The router reads a text of digits as a number. */
function textOf<Name extends string>(name: Name, raw: Raw): { readonly [Key in Name]?: string } {
  const value = raw[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return (text ? { [name]: text } : {}) as { readonly [Key in Name]?: string };
}

/** The first state is the one that a list begins with, so the address does not name it. */
function parseList<State extends string>(states: readonly State[], raw: Raw): ListSearch<State> {
  const state = states.slice(1).find(known => known === raw.state);
  return { ...(state ? { state } : {}), ...parsePageSearch(raw) };
}
