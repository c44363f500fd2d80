import { sorts, statuses } from '@signpost/contract/values.ts';

/** What the list of codes shows, as the address of the page holds it. Whatever is wrong there is left out. */
export type CodesSearch = {
  readonly page?: number;
  readonly status?: Status;
  readonly search?: string;
  readonly sort?: Sort;
};

type Status = (typeof statuses)[number];

export type Sort = (typeof sorts)[number];

export function parseCodesSearch(raw: Readonly<Record<string, unknown>>): CodesSearch {
  const page = Number(raw.page);
  const { status, sort } = raw;
  const search = typeof raw.search === 'string' || typeof raw.search === 'number' ? String(raw.search) : '';
  return {
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(isOneOf(statuses, status) ? { status } : {}),
    ...(search ? { search } : {}),
    ...(isOneOf(sorts, sort) && sort !== 'created' ? { sort } : {}),
  };
}

/** What the form of a new code may be opened with: the code to copy. */
export type NewCodeSearch = { readonly from?: string };

export const parseNewCodeSearch = ({ from }: Readonly<Record<string, unknown>>): NewCodeSearch =>
  typeof from === 'string' && from.startsWith('qr_') ? { from } : {};

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value);
}
