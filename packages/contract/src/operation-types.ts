import type Type from 'typebox';
import type { accountOperations } from './account-operations.ts';
import type { Operation, operations } from './operations.ts';

/** Every operation by id, for clients that want their types and none of their code. */
export type Operations = typeof operations & typeof accountOperations;
export type OperationId = keyof Operations;

type StaticOf<Schema> = Schema extends Type.TSchema ? Type.Static<Schema> : never;
type PartOf<Id extends OperationId, Part extends keyof Operation> = Operations[Id] extends {
  readonly [Key in Part]: infer Schema;
}
  ? StaticOf<Schema>
  : never;

/** What an operation takes: only the parts that it has. */
export type OperationInput<Id extends OperationId> = {
  readonly [Part in 'params' | 'query' | 'body' as Part extends keyof Operations[Id] ? Part : never]: PartOf<
    Id,
    Part
  >;
};

/** What an operation answers when it succeeds: JSON by its schema, or the bytes of a file. */
export type OperationAnswer<Id extends OperationId> = Operations[Id]['success'] extends {
  readonly schema: infer Schema;
}
  ? StaticOf<Schema>
  : Blob;
