import { accountOperations, type Operation, operations } from '@signpost/contract';

/** The path of a URL, which may come with a scheme and a host before it. */
export const pathOf = (url: string) => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;

const paths = Map.groupBy(
  Object.values<Operation>({ ...operations, ...accountOperations }),
  operation => operation.path,
);

const patterns = [...paths].map(([path, sharing]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: sharing.map(operation => operation.method),
}));

/** The methods that a path of the contract takes; none where there is no such path. */
export function allowedMethods(url: string): readonly string[] {
  const path = pathOf(url).replace(/^\/account(?=\/v1\/)/, '');
  // The most exact path first: /v1/qrcodes/bulk is no code's id to the router either.
  return patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [];
}
