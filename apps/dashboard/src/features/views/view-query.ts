import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { type CodesSearch, parseCodesSearch } from '../codes/codes-search.ts';

/** The list of codes as a view keeps it: without the page. */
export const queryOf = ({ page: _, ...search }: CodesSearch): string => {
  const sorted = Object.fromEntries(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)));
  return defaultStringifySearch(sorted).replace(/^\?/, '');
};

/** What a view shows. Of one that an older dashboard has saved, what this one knows. */
export const searchOfView = (query: string): CodesSearch => parseCodesSearch(defaultParseSearch(`?${query}`));
