import Type from 'typebox';
import type { Operation } from './operation.ts';
import { codeParams } from './organise-operations.ts';
import {
  BulkCreatePlacements,
  CreatedPlacements,
  CreatePlacement,
  DeletedPlacement,
  Placement,
  UpdatePlacement,
} from './placements.ts';

const placementParams = Type.Object({
  ...codeParams.properties,
  key: Type.String({ description: 'Key of the placement.' }),
});

/** One code that is printed in several places, and counted apart. */
export const placementOperations = {
  createPlacement: {
    id: 'createPlacement',
    method: 'POST',
    path: '/v1/qrcodes/{id}/placements',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Add a placement',
    description:
      'Adds a place where the code is printed. Its link is the short link with a dot and the key; it leads where the code leads, and its scans are counted apart. A code has at most 1,000 placements.',
    params: codeParams,
    body: CreatePlacement,
    ifMatch: 'code',
    etag: true,
    success: { status: 201, description: 'The placement.', schema: Placement },
    errors: ['not_found', 'placement_taken', 'quota_exceeded', 'precondition_failed'],
  },
  bulkCreatePlacements: {
    id: 'bulkCreatePlacements',
    method: 'POST',
    path: '/v1/qrcodes/{id}/placements/bulk',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Add many placements',
    description:
      'Adds up to 1,000 placements in one call, all of them or none: if any item is invalid or its key is taken, nothing is added, and `errors` in the response lists every such item with its position.',
    params: codeParams,
    body: BulkCreatePlacements,
    bodyLimit: 3 * 1024 * 1024,
    ifMatch: 'code',
    etag: true,
    success: { status: 201, description: 'The new placements.', schema: CreatedPlacements },
    errors: ['not_found', 'placement_taken', 'quota_exceeded', 'precondition_failed'],
  },
  updatePlacement: {
    id: 'updatePlacement',
    method: 'PATCH',
    path: '/v1/qrcodes/{id}/placements/{key}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Update a placement',
    description: 'Changes its name or note. The key is printed and cannot change.',
    params: placementParams,
    body: UpdatePlacement,
    ifMatch: 'code',
    etag: true,
    success: { status: 200, description: 'The placement.', schema: Placement },
    errors: ['not_found', 'precondition_failed'],
  },
  deletePlacement: {
    id: 'deletePlacement',
    method: 'DELETE',
    path: '/v1/qrcodes/{id}/placements/{key}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Delete a placement',
    description:
      'Removes the placement. Links that are printed with its key keep working: they count as the code without a placement.',
    params: placementParams,
    ifMatch: 'code',
    etag: true,
    success: { status: 200, description: 'The placement was deleted.', schema: DeletedPlacement },
    errors: ['not_found', 'precondition_failed'],
  },
} as const satisfies Record<string, Operation>;
