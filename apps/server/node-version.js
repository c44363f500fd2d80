// In words that old versions of Node understand as well: by themselves they only say that they do not know the ending .ts.
var least = 24;
var version = process.versions.node;
if (Number(version.split('.')[0]) < least) {
  console.error(
    [
      'Signpost needs Node ' +
        least +
        ' or newer, and this is Node ' +
        version +
        ' (' +
        process.execPath +
        ').',
      'Install a newer one from https://nodejs.org, or use the container image.',
    ].join(' '),
  );
  process.exit(1);
}
