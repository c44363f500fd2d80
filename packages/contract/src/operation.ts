import type Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { KeyScope, Permission } from './permissions.ts';

/**
 * How a caller proves who it is.
 *
 * - `apiKey`: by an API key. Where the dashboard is on, a session does as well, under `/account`.
 * - `session`: by the session of a person.
 * - `operatorSession`: by the session of an operator.
 * - `anonymous`: not at all; calls are limited by address.
 * - `anonymousSameSite`: likewise, for what a person does before signing in: only pages of the service may send it.
 */
export type AuthScheme = 'apiKey' | 'session' | 'operatorSession' | 'anonymous' | 'anonymousSameSite';

/** How callers prove who they are, and the permission that they need. An operator needs none besides being one. */
type Access =
  | { readonly authScheme: 'apiKey'; readonly permission: KeyScope }
  | { readonly authScheme: 'session'; readonly permission: Permission }
  | {
      readonly authScheme: Exclude<AuthScheme, 'apiKey' | 'session'>;
      readonly permission?: undefined;
    };

/** One endpoint: what it takes, what it answers, how it refuses. Validator, types and documentation come from it. */
export type Operation = Access & {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Its answer is not kept for an Idempotency-Key: it holds a secret, or there is nobody yet to keep it for. */
  readonly noReplay?: true;
  /** Its answer shows a secret, and is never compressed. */
  readonly showsSecret?: true;
  /** Its answer is the same for everybody, for as long as the process runs. */
  readonly constant?: true;
  /**
   * Also for an account that is suspended, although it is no GET. Everything else that changes something is refused to one,
   * before anything is looked at.
   */
  readonly whileSuspended?: true;
  /** Also for a person who belongs to no account, or who did not say which one. Everything else needs an account. */
  readonly withoutAccount?: true;
  /** In test mode only: refused to a live key, and to a session in live mode. */
  readonly testModeOnly?: true;
  /** It changes nothing of an account, although it is no GET, and leaves no event in the audit log. */
  readonly changesNothing?: true;
  readonly params?: Type.TObject;
  readonly query?: Type.TObject;
  readonly body?: Type.TObject;
  /** No body at all stands for an empty object. */
  readonly bodyOptional?: true;
  /** The largest body taken, in bytes. */
  readonly bodyLimit?: number;
  readonly success: Success;
  /** `code`: with the header, it changes the code in its path only in that revision. `refused`: it may change several codes. */
  readonly ifMatch?: 'code' | 'refused';
  /** `If-None-Match: *` has it create only. */
  readonly ifNoneMatch?: true;
  /** Its response names the revision of the code as ETag. */
  readonly etag?: true;
  /** What it answers with 201 and the same schema where it has created something. */
  readonly createdDescription?: string;
  /** Refusals of its own, besides those that every operation can give. */
  readonly errors: readonly ErrorCode[];
};

/** JSON by a schema, a file in one of several forms, or one that is written while it is worked out. */
export type Success =
  | {
      readonly status: 200 | 201;
      readonly description: string;
      readonly schema: Type.TSchema;
    }
  | { readonly status: 200; readonly description: string; readonly files: readonly string[] }
  | {
      readonly status: 200;
      readonly description: string;
      /** By media type: the form of what is sent, or null where it is no JSON. */
      readonly streams: Readonly<Record<string, Type.TSchema | null>>;
    };
