import { accountOperations, type Operation, operations } from '@signpost/contract';

/** The path of a URL, which may come with a scheme and a host before it. */
export const extractPath = (url: string) =>
  url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;

const paths = Map.groupBy(
  Object.values<Operation>({ ...operations, ...accountOperations }),
  operation => operation.path,
);

// Exact paths first: in /v1/qrcodes/bulk, bulk is not an id.
const exactFirst = [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));

const patterns = exactFirst.map(([path, sharing]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  // The router answers HEAD wherever it answers GET.
  methods: sharing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
}));

/** The methods that a path of the contract takes; none if there is no such path. */
export function allowedMethods(url: string): readonly string[] {
  const path = extractPath(url).replace(/^\/account(?=\/v1\/)/, '');
  return patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [];
}
