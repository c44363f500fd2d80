import Type from 'typebox';
import type { Operation } from './operation.ts';
import { codeParams } from './organise-operations.ts';
import {
  CreateQrCodeShareLink,
  CreateShareLink,
  ListShareLinksQuery,
  NewShareLink,
  RevokedShareLink,
  ShareLinkList,
} from './share-links.ts';

const shareLinks = {
  authScheme: 'apiKey',
  permission: 'share-links:write',
  tag: 'Share links',
} as const;

const created = {
  showsSecret: true,
  noReplay: true,
  success: { status: 201, description: 'The new link.', schema: NewShareLink },
} as const;

/** Pages with the figures of a code, a tag or the account, for people without an account. */
export const shareLinkOperations = {
  createShareLink: {
    ...shareLinks,
    ...created,
    id: 'createShareLink',
    method: 'POST',
    path: '/v1/share-links',
    summary: 'Share the figures of a tag or the account',
    description:
      'Creates a page that shows the figures to everybody who has its link, without signing in. It names no city with fewer than 5 visitors in the period, and no single scan. Only this response shows the link. An account can have 100 links in each mode.',
    body: CreateShareLink,
    errors: ['not_found', 'forbidden', 'quota_exceeded'],
  },
  createQrCodeShareLink: {
    ...shareLinks,
    ...created,
    id: 'createQrCodeShareLink',
    method: 'POST',
    path: '/v1/qrcodes/{id}/share-links',
    summary: 'Share the figures of a QR code',
    description:
      'Creates a page that shows the figures of the code to everybody who has its link, without signing in. Only this response shows the link. It ends with the code.',
    params: codeParams,
    body: CreateQrCodeShareLink,
    errors: ['not_found', 'forbidden', 'quota_exceeded'],
  },
  listShareLinks: {
    ...shareLinks,
    id: 'listShareLinks',
    method: 'GET',
    path: '/v1/share-links',
    summary: 'List share links',
    description: 'Returns the newest first, including those that have ended, without the links themselves.',
    query: ListShareLinksQuery,
    success: { status: 200, description: 'The links.', schema: ShareLinkList },
    errors: [],
  },
  revokeShareLink: {
    ...shareLinks,
    id: 'revokeShareLink',
    method: 'DELETE',
    path: '/v1/share-links/{id}',
    summary: 'Revoke a share link',
    description: 'By the time of the response, no process shows the page.',
    params: Type.Object({ id: Type.String({ description: 'Id of the link, `shr_…`.' }) }),
    whileSuspended: true,
    success: { status: 200, description: 'The link was revoked.', schema: RevokedShareLink },
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
