import type { Frame } from '@signpost/contract';
import type { SceneOptions, Style } from '@signpost/qr';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export type { Frame };

/** The outlines of the letters are large: they are loaded where somebody asks for a frame. */
export const framesQuery = queryOptions({
  queryKey: ['frames'],
  queryFn: () => import('@signpost/qr/frames'),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
  networkMode: 'always',
});

/** For what offers frames to choose from. */
export const useFrames = () => useQuery(framesQuery);

/** How a frame is drawn around codes in a style; undefined without one, while it is loaded, and where it cannot be drawn. */
export function useFrame(frame: Frame | null, style: Style): SceneOptions['frame'] {
  const { data } = useQuery({ ...framesQuery, enabled: frame !== null });
  return useMemo(() => {
    if (!frame || !data || frame.text.trim() === '' || data.missingLetter(frame.text) !== null)
      return undefined;
    return data.frameOf(frame, style);
  }, [frame, data, style]);
}
