import { editDistance } from '../../kernel/nearest-name.ts';

/** What other APIs call it, in lower case without - and _, and what it may be called here. The first that is known counts. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  from: ['start_date'],
  since: ['start_date'],
  after: ['start_date'],
  start: ['start_date'],
  begin: ['start_date'],
  to: ['end_date'],
  until: ['end_date'],
  till: ['end_date'],
  before: ['end_date'],
  end: ['end_date'],
  perpage: ['limit'],
  pagesize: ['limit'],
  pagelimit: ['limit'],
  count: ['limit'],
  take: ['limit'],
  max: ['limit'],
  maxresults: ['limit'],
  size: ['limit'],
  offset: ['page'],
  skip: ['page'],
  cursor: ['page'],
  pagenumber: ['page'],
  tz: ['timezone'],
  zone: ['timezone'],
  granularity: ['interval'],
  resolution: ['interval'],
  bucket: ['interval'],
  unit: ['interval'],
  period: ['interval'],
  groupby: ['interval'],
  type: ['format'],
  filetype: ['format'],
  extension: ['format'],
  ext: ['format'],
  width: ['size'],
  height: ['size'],
  pixels: ['size'],
  px: ['size'],
  state: ['status'],
  active: ['status'],
  enabled: ['active', 'status'],
  q: ['search'],
  query: ['search'],
  filter: ['search', 'status'],
  order: ['sort'],
  orderby: ['sort'],
  sortby: ['sort'],
  url: ['destination_url'],
  link: ['destination_url', 'url'],
  longurl: ['destination_url'],
  target: ['destination_url', 'url'],
  targeturl: ['destination_url', 'url'],
  title: ['name'],
  label: ['name'],
  slug: ['short_code'],
  alias: ['short_code'],
  keyword: ['short_code'],
  backhalf: ['short_code'],
  color: ['dotsColor'],
  colour: ['dotsColor'],
  foreground: ['dotsColor'],
  background: ['backgroundColor'],
};

/** Longer names are compared by their beginning: what a stranger sends must not take long to compare. */
const longest = 32;

/** The known name that was probably meant, or undefined. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = fold(name.slice(0, longest));
  const synonym = Object.hasOwn(synonyms, folded) ? synonyms[folded]! : [];
  const meant = synonym.find(one => known.includes(one));
  if (meant !== undefined) return meant;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const other = fold(candidate);
    const allowed = other.length < 5 ? 1 : 2;
    if (Math.abs(other.length - folded.length) > allowed) continue;
    const distance = editDistance(folded, other);
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance };
  }
  return best?.name;
}

const fold = (name: string) => name.toLowerCase().replace(/[-_ .[\]]/g, '');
