/** A page of a few words that loads nothing. The words are ours: nothing of a request is in them. */
export const plainPage = (title: string, words: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
</style>
<h1>${title}</h1>
<p>${words}</p>
</html>
`;
