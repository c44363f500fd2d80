import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { assetsQuery } from './queries.ts';

export type Uploaded = {
  readonly id: string;
  /** An SVG whose shapes could not be kept. */
  readonly isFlattened: boolean;
};

/** Makes a logo of a file and stores it. */
export function useLogoUpload(onUploaded: (logo: Uploaded) => void) {
  const mode = useMode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File): Promise<Uploaded> => {
      const { readLogo } = await import('./read-logo.ts');
      const { image, vector, isVector } = await readLogo(file);
      if (vector === null) return { id: await store(image), isFlattened: isVector };
      try {
        return { id: await store(image, vector), isFlattened: false };
      } catch (error) {
        // The server has the last word on shapes; the pixels are taken without them.
        if (!(error instanceof ApiError && error.code === 'invalid_asset' && error.param === 'vector'))
          throw error;
        return { id: await store(image), isFlattened: true };
      }
    },
    onSuccess: async logo => {
      onUploaded(logo);
      await client.invalidateQueries({ queryKey: assetsQuery(mode).queryKey });
    },
  });
}

async function store(image: string, vector?: string): Promise<string> {
  const asset = await call('createAsset', { body: { image, ...(vector === undefined ? {} : { vector }) } });
  return asset.id;
}
