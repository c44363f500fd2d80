/** All values of pieces. */
export async function collect<Value>(pieces: AsyncIterable<readonly Value[]>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const piece of pieces) values.push(...piece);
  return values;
}
