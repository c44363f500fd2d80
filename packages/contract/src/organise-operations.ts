import Type from 'typebox';
import { BulkDeleteQrCodes, BulkDeleteResult, BulkEditQrCodes, BulkEditResult } from './bulk.ts';
import type { ErrorCode } from './errors.ts';
import type { Operation } from './operation.ts';
import { DeletedTag, Tag, TagList, UpdateTag } from './organise.ts';
import { QrCode, UpsertQrCode } from './qrcodes.ts';

export const codeParams = Type.Object({
  id: Type.String({ description: 'Id of the QR code, `qr_…`, or `ext:` and its external id.' }),
});

/** Of a code with the largest rules. */
export const codeBodyLimit = 160 * 1024;

/** Of a code as it is read, with the most placements. */
export const wholeCodeBodyLimit = 4 * 1024 * 1024;

export const createErrors = [
  'invalid_url',
  'invalid_rule',
  'invalid_short_code',
  'reserved_short_code',
  'unscannable_style',
  'destination_blocked',
  'forbidden',
  'quota_exceeded',
  'short_code_taken',
] as const satisfies readonly ErrorCode[];

const tagParams = Type.Object({
  name: Type.String({ description: 'Name of the tag, percent-encoded, in any case.' }),
});

/** Operations on many codes, on codes by the ids of their owners, and on tags. */
export const organiseOperations = {
  upsertQrCode: {
    id: 'upsertQrCode',
    method: 'PUT',
    path: '/v1/qrcodes/{id}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Create or update a QR code',
    description:
      'Creates the code with this external id, or updates it if it exists. An update sets the fields that the body names and leaves the others. `status` only counts on creation. `short_code` and `style` cannot change: if they differ from those of the code, nothing is changed. Repeating the request is safe.',
    params: Type.Object({
      id: Type.String({ description: '`ext:` and your external id, percent-encoded.' }),
    }),
    body: UpsertQrCode,
    bodyLimit: codeBodyLimit,
    ifMatch: 'code',
    ifNoneMatch: true,
    etag: true,
    success: { status: 200, description: 'The updated code.', schema: QrCode },
    createdDescription: 'The new code.',
    errors: [...createErrors, 'immutable_field', 'external_id_taken', 'precondition_failed'],
  },
  bulkEditQrCodes: {
    id: 'bulkEditQrCodes',
    method: 'PATCH',
    path: '/v1/qrcodes/bulk',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Edit many QR codes',
    description:
      'Changes up to 500 codes in one call, named by `ids` or found by `filter`. Each code succeeds or fails on its own. The call counts as one request against the rate limit, and every code counts against the creation limit, except in a dry run.',
    body: BulkEditQrCodes,
    ifMatch: 'refused',
    success: { status: 200, description: 'The outcome for each code.', schema: BulkEditResult },
    errors: ['invalid_url', 'too_many_codes', 'destination_blocked', 'quota_exceeded', 'count_changed'],
  },
  bulkDeleteQrCodes: {
    id: 'bulkDeleteQrCodes',
    method: 'POST',
    path: '/v1/qrcodes/bulk-delete',
    authScheme: 'apiKey',
    permission: 'qrcodes:delete',
    tag: 'QR codes',
    summary: 'Delete many QR codes',
    description:
      'Permanently deletes up to 500 codes in one call. Their short links stop working immediately, and their short codes are never given to another account: create with `reclaim` to use one again.',
    body: BulkDeleteQrCodes,
    whileSuspended: true,
    ifMatch: 'refused',
    success: { status: 200, description: 'The outcome for each id.', schema: BulkDeleteResult },
    errors: ['count_changed'],
  },
  listTags: {
    id: 'listTags',
    method: 'GET',
    path: '/v1/tags',
    authScheme: 'apiKey',
    permission: 'qrcodes:read',
    tag: 'Tags',
    summary: 'List tags',
    description: 'Returns all tags in alphabetical order, including those that no code has.',
    success: { status: 200, description: 'The tags.', schema: TagList },
    errors: [],
  },
  updateTag: {
    id: 'updateTag',
    method: 'PATCH',
    path: '/v1/tags/{name}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'Tags',
    summary: 'Rename or merge a tag',
    description:
      'Changes the name or the color. If another tag already has the new name, the two are merged: every code of either has that tag, and this one is gone.',
    params: tagParams,
    body: UpdateTag,
    ifMatch: 'refused',
    success: { status: 200, description: 'The tag.', schema: Tag },
    errors: ['not_found'],
  },
  deleteTag: {
    id: 'deleteTag',
    method: 'DELETE',
    path: '/v1/tags/{name}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'Tags',
    summary: 'Delete a tag',
    description: 'Removes the tag from all codes. The codes stay.',
    params: tagParams,
    ifMatch: 'refused',
    success: { status: 200, description: 'The tag was deleted.', schema: DeletedTag },
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
