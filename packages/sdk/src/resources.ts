/** Which operation each method is: one line a method. A test fails when an operation has none. */
export const resources = {
  qrcodes: {
    /** Makes a code that redirects at once. */
    create: 'createQrCode',
    /** Up to 500 at once, which is one request against the rate. Each item succeeds or fails by itself. */
    bulkCreate: 'bulkCreateQrCodes',
    /** Newest first: one page when awaited, every code when iterated. */
    list: 'listQrCodes',
    /** The whole code, with its style and scan counts. */
    get: 'getQrCode',
    /** Changes the name or the destination, pauses, resumes or publishes. */
    update: 'updateQrCode',
    /** For ever: the short link stops at once. */
    delete: 'deleteQrCode',
    /** The image as a file: a `Response`, to be read as bytes, text or a stream. */
    download: 'downloadQrCode',
  },
  openapi: {
    /** The OpenAPI document of the server. */
    get: 'getOpenApi',
  },
} as const;
