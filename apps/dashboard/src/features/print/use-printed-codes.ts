import type { BrowseItem, Design, QrCode } from '@signpost/contract';
import type { SceneOptions, Style } from '@signpost/qr';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMode } from '../../api/mode.ts';
import { codeQuery } from '../codes/queries.ts';
import { blankLogo, logoQuery } from '../designs/logo-picture.ts';
import type { PrintJob } from './print-job.ts';

/** What a label needs to know about a code. */
export type PrintedCode = Pick<BrowseItem, 'id' | 'name' | 'short_url' | 'style'> & {
  readonly external_id?: string | null;
};

/** Codes of the first sheet are read for its preview; it has no more labels than this, but for very small ones. */
export const mostPreviewed = 30;

/** The codes that the preview shows, in the order in which they are printed and in the style that they are printed in. */
export function usePrintedCodes(
  { what, which, chosen, inPlacements }: PrintJob,
  matching: readonly PrintedCode[],
  design: Design | null,
): readonly PrintedCode[] {
  const mode = useMode();
  const withPlacements = what === 'sheet' && inPlacements;
  // A list does not say which placements its codes have.
  const ids = which === 'chosen' ? chosen : withPlacements ? matching.map(({ id }) => id) : [];
  const first = ids.slice(0, mostPreviewed);
  const read = useQueries({
    queries: first.map(id => codeQuery(mode, id)),
    combine: results => results.flatMap(({ data }) => data ?? []),
  });
  return useMemo(() => {
    const whole: readonly PrintedCode[] = which === 'chosen' ? read : matching;
    const codes = withPlacements ? read.flatMap(placesOf) : whole;
    return design ? codes.map(code => ({ ...code, style: design.style })) : codes;
  }, [which, withPlacements, read, matching, design]);
}

/** A code once for each of its placements; one without any as it is. */
function placesOf(code: QrCode): readonly PrintedCode[] {
  if (code.placements.length === 0) return [code];
  return code.placements.map(({ name, short_url }) => ({ ...code, name, short_url }));
}

/** The pictures of the logos that codes have, as far as they are loaded. */
export function useLogos(codes: readonly PrintedCode[]): (style: Style) => SceneOptions {
  const mode = useMode();
  const ids = useMemo(() => [...new Set(codes.flatMap(({ style }) => style.logo?.asset_id ?? []))], [codes]);
  const loaded = useQueries({
    queries: ids.map(id => logoQuery(mode, id)),
    combine: results => results.map(({ data }) => data),
  });
  return useMemo(() => {
    const pictures = new Map(ids.map((id, at) => [id, loaded[at]]));
    return ({ logo }) => (logo ? { logo: pictures.get(logo.asset_id) ?? blankLogo } : {});
  }, [ids, loaded]);
}
