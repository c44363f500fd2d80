import type { Config } from '../../config/config.ts';

export type Attribution = { readonly text: string; readonly url: string };

/** The licence of the bundled data asks for a link wherever places are shown. Null with data of the operator's own. */
export const findAttribution = ({ geoipFiles }: Pick<Config, 'geoipFiles'>): Attribution | null =>
  geoipFiles.length > 0 ? null : { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' };
