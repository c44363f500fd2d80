/** The parameters that web analytics read from an address, in the order in which they are asked for. */
export const campaignFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

export type CampaignField = (typeof campaignFields)[number];
type Campaign = Readonly<Record<CampaignField, string>>;

/** The address is the only place that holds the parameters, so that the fields and it never disagree. */
export function readCampaign(url: string): Campaign {
  const { pairs } = partsOf(url);
  const paramOf = (field: CampaignField) => {
    const pair = pairs.find(one => nameOf(one) === field);
    return pair === undefined ? '' : decode(pair.slice(field.length + 1));
  };
  return Object.fromEntries(campaignFields.map(field => [field, paramOf(field)])) as Campaign;
}

/** The same address with one parameter set, or without it where the value is empty. Everything else stays as written. */
export function writeCampaign(url: string, field: CampaignField, value: string): string {
  const { path, pairs, hash } = partsOf(url);
  const written = `${field}=${encodeURIComponent(value)}`;
  const at = pairs.findIndex(one => nameOf(one) === field);
  const others = pairs.filter(one => nameOf(one) !== field);
  const next = value === '' ? others : others.toSpliced(at < 0 ? others.length : at, 0, written);
  return path + (next.length > 0 ? `?${next.join('&')}` : '') + hash;
}

function partsOf(url: string): { path: string; pairs: readonly string[]; hash: string } {
  const hashAt = url.indexOf('#');
  const [before, hash] = hashAt < 0 ? [url, ''] : [url.slice(0, hashAt), url.slice(hashAt)];
  const queryAt = before.indexOf('?');
  if (queryAt < 0) return { path: before, pairs: [], hash };
  const pairs = before.slice(queryAt + 1).split('&');
  return { path: before.slice(0, queryAt), pairs: pairs.filter(pair => pair !== ''), hash };
}

const nameOf = (pair: string) => pair.split('=', 1)[0]!.toLowerCase();

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Typed by hand, with a percent sign that begins nothing.
    return spaced;
  }
}
