// Made by `npm run generate` from docs/openapi.json. Change the contract, not this file.

export type BulkCreateQrCodes = {
  readonly items: readonly CreateQrCode[];
  /** true: one bad item makes nothing. Default false. */
  readonly atomic?: boolean | undefined;
};

export type BulkResult = {
  readonly created: number;
  readonly failed: number;
  /** One entry an item, in the order of the items. */
  readonly data: readonly {
    readonly index: number;
    readonly status: "created" | "failed";
    readonly qr_code?: QrCode | undefined;
    readonly error?: {
      readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout";
      /** What went wrong and what to do next, for people. */
      readonly message: string;
      /** The field or parameter at fault. */
      readonly param?: string | undefined;
      /** With quota_exceeded: the codes the plan allows. */
      readonly limit?: number | undefined;
      /** With quota_exceeded: the codes in use. */
      readonly used?: number | undefined;
      /** The same as in X-Request-Id. */
      readonly request_id: string;
      /** Where this code is explained. */
      readonly doc_url: string;
    } | undefined;
  }[];
};

export type CreateQrCode = {
  /** Display name, not only white space. */
  readonly name: string;
  /** Where a scan is sent: http or https, no user info, no spaces or control characters, no backslash before the path, not a short link of this service. It comes back as it was sent. */
  readonly destination_url?: string | undefined;
  /** Slug of the short link: letters, digits, - and _, beginning and ending with a letter or digit. Unique without regard to case, and never given out twice. */
  readonly short_code?: string | undefined;
  readonly style?: Style | undefined;
  /** A draft does not redirect until it is made active. Default active. */
  readonly status?: "active" | "draft" | undefined;
  /** Taken for compatibility; only url. */
  readonly type?: "url" | undefined;
  /** Another name for destination_url. */
  readonly destination?: string | undefined;
} & ({ readonly destination_url: string } | { readonly destination: string });

export type DeletedQrCode = {
  readonly deleted: true;
  readonly id: string;
};

export type ErrorBody = {
  readonly error: {
    readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout";
    /** What went wrong and what to do next, for people. */
    readonly message: string;
    /** The field or parameter at fault. */
    readonly param?: string | undefined;
    /** With quota_exceeded: the codes the plan allows. */
    readonly limit?: number | undefined;
    /** With quota_exceeded: the codes in use. */
    readonly used?: number | undefined;
    /** The same as in X-Request-Id. */
    readonly request_id: string;
    /** Where this code is explained. */
    readonly doc_url: string;
  };
};

export type Pagination = {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly total_pages: number;
};

export type QrCode = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_code: string;
  /** The link that the image encodes. */
  readonly short_url: string;
  /** The public image. */
  readonly image_url: string;
  /** active redirects; paused and draft do not. */
  readonly status: "active" | "paused" | "draft";
  /** true for active, false for paused and draft. */
  readonly active: boolean;
  readonly total_scans: number;
  readonly unique_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  readonly style: Style;
  readonly scannability: Scannability;
};

export type QrCodeList = {
  readonly data: readonly QrCodeListItem[];
  readonly pagination: Pagination;
};

export type QrCodeListItem = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_url: string;
  readonly status: "active" | "paused" | "draft";
  readonly total_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type Scannability = {
  /** How well codes of this style scan. */
  readonly level: "good" | "fair" | "poor";
  /** What stands in the way, in plain words. Empty when good. */
  readonly reasons: readonly string[];
};

/** How the image looks. It cannot change after creation. */
export type Style = {
  /** Shape of the dots. Default square. */
  readonly dotsType?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded" | undefined;
  /** Default #000000. */
  readonly dotsColor?: string | undefined;
  /** Default #FFFFFF. */
  readonly backgroundColor?: string | undefined;
  /** Shape of the corner squares. Default square. */
  readonly cornersSquareType?: "square" | "dot" | "extra-rounded" | undefined;
  /** Default: as dotsColor. */
  readonly cornersSquareColor?: string | undefined;
  /** Shape of the centres of the corners. Default dot in a dot corner, else square. */
  readonly cornersDotType?: "square" | "dot" | undefined;
  /** Default: as cornersSquareColor. */
  readonly cornersDotColor?: string | undefined;
};

/** Only the fields to change. */
export type UpdateQrCode = {
  /** Display name, not only white space. */
  readonly name?: string | undefined;
  /** Where a scan is sent: http or https, no user info, no spaces or control characters, no backslash before the path, not a short link of this service. It comes back as it was sent. */
  readonly destination_url?: string | undefined;
  /** true resumes a paused code or publishes a draft; false pauses. */
  readonly active?: boolean | undefined;
};

/** What each operation takes and answers. */
export type Operations = {
  /** Create a QR code */
  readonly createQrCode: {
    readonly path: [];
    readonly input: CreateQrCode;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** List QR codes */
  readonly listQrCodes: {
    readonly path: [];
    readonly input: {
      readonly page?: number | undefined;
      readonly limit?: number | undefined;
      /** Only codes of this status. */
      readonly status?: "active" | "paused" | "draft" | undefined;
    };
    readonly answer: QrCodeList;
    readonly kind: 'page';
  };
  /** Create many QR codes */
  readonly bulkCreateQrCodes: {
    readonly path: [];
    readonly input: BulkCreateQrCodes;
    readonly answer: BulkResult;
    readonly kind: 'json';
  };
  /** Get a QR code */
  readonly getQrCode: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** Update a QR code */
  readonly updateQrCode: {
    readonly path: [id: string];
    readonly input: UpdateQrCode;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** Delete a QR code */
  readonly deleteQrCode: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: DeletedQrCode;
    readonly kind: 'json';
  };
  /** Download the image */
  readonly downloadQrCode: {
    readonly path: [id: string];
    readonly input: {
      /** Default png. */
      readonly format?: "png" | "svg" | undefined;
      /** Width and height in pixels. */
      readonly size?: number | undefined;
    };
    readonly answer: Response;
    readonly kind: 'file';
  };
  /** This document */
  readonly getOpenApi: {
    readonly path: [];
    readonly input: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
    readonly kind: 'json';
  };
};

/** Where each operation is, and how its answer is read. */
export const endpoints = {
  createQrCode: { method: 'POST', path: '/v1/qrcodes', input: 'body', answer: 'json' },
  listQrCodes: { method: 'GET', path: '/v1/qrcodes', input: 'query', answer: 'page' },
  bulkCreateQrCodes: { method: 'POST', path: '/v1/qrcodes/bulk', input: 'body', answer: 'json' },
  getQrCode: { method: 'GET', path: '/v1/qrcodes/{id}', input: 'none', answer: 'json' },
  updateQrCode: { method: 'PATCH', path: '/v1/qrcodes/{id}', input: 'body', answer: 'json' },
  deleteQrCode: { method: 'DELETE', path: '/v1/qrcodes/{id}', input: 'none', answer: 'json' },
  downloadQrCode: { method: 'GET', path: '/v1/qrcodes/{id}/download', input: 'query', answer: 'file' },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json', input: 'none', answer: 'json' },
} as const;
