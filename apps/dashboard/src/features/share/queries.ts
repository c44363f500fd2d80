import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import type { ShareSubject } from './subject.ts';

/** Those of the code or tag; for the account, those of neither. */
export const shareLinksQuery = ({ mode, codeId, tag }: Pick<ShareSubject, 'mode' | 'codeId' | 'tag'>) =>
  queryOptions({
    queryKey: [mode, 'share-links', codeId, tag],
    queryFn: async ({ signal }) => {
      const query = { ...(codeId === null ? {} : { qr_id: codeId }), ...(tag === null ? {} : { tag }) };
      const { data } = await call('listShareLinks', { query }, signal);
      return codeId === null && tag === null
        ? data.filter(link => link.qr_id === null && link.tag === null)
        : data;
    },
  });
