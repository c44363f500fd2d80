import { accountOperations, isAnonymous, type Operation, operations } from '@signpost/contract';

/**
 * The table of the dashboard's client: method and path of every operation, and whether it returns a file. The types come
 * from the contract; only these values are needed at run time, and importing the contract for them would bundle its
 * schemas.
 */
export function clientTable(): string {
  const ofApi = Object.values<Operation>(operations).filter(operation => !isAnonymous(operation));
  const rows = [
    // With a session the same operations are under /account.
    ...ofApi.map(operation => row(operation, `/account${operation.path}`)),
    ...Object.values<Operation>(accountOperations).map(operation => row(operation, operation.path)),
  ];
  return `// Made by \`npm run generate\` from packages/contract. Changes belong there.
export const operationTable = {
${rows.join('\n')}
} as const;
`;
}

const row = ({ id, method, success }: Operation, path: string) =>
  `  ${id}: ['${method}', '${path}', '${'schema' in success ? 'json' : 'file'}'],`;
