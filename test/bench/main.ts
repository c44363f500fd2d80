/** `npm run bench -- NAME …`: measures one hot path against the bare engine, side by side in the same run. */
const [name = '', ...args] = process.argv.slice(2);
if (!/^[a-z]+(-[a-z]+)*$/.test(name)) {
  console.error('Say what to measure: npm run bench -- api');
  process.exit(1);
}
const { default: bench } = (await import(`./${name}.ts`)) as {
  default: (args: readonly string[]) => Promise<void>;
};
await bench(args);
