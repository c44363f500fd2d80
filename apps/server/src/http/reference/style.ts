/** The look of the reference: one block of CSS, so that a policy can name it by its hash. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f7f5; --ink: #17201b; --soft: #59645e; --line: #e3e7e4;
  --accent: #0b6b4b; --accent-soft: #e4f2ec; --focus: #0b6b4b;
  --get: #1660b4; --post: #0b6b4b; --patch: #8a5a00; --delete: #b02a2a;
  --board: #12201a; --board-line: #25362e; --board-ink: #e4ece8; --board-soft: #93a69c;
  --string: #9fdcb8; --number: #f2c879; --word: #8cc8ff; --name: #e4ece8;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1310; --raised: #141c18; --ink: #e6ece8; --soft: #9aa8a0; --line: #233029;
    --accent: #5fd0a0; --accent-soft: #15291f; --focus: #5fd0a0;
    --get: #7db7f5; --post: #5fd0a0; --patch: #e2b35a; --delete: #f08a8a;
    --board: #111a16;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: .86em; }
p { margin: 0 0 .8rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; letter-spacing: -.012em; text-wrap: balance; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }

.side { display: none; }
.menu { border-bottom: 1px solid var(--line); padding: .9rem 1.25rem; }
.menu summary { display: flex; align-items: center; gap: .6rem; cursor: pointer; list-style: none; }
.menu summary::-webkit-details-marker { display: none; }
.menu summary::after { content: "Contents"; margin-left: auto; font-size: .85rem; color: var(--soft);
  border: 1px solid var(--line); border-radius: 99px; padding: .15rem .8rem; }
.menu[open] summary::after { content: "Close"; }
.menu nav { padding-top: 1rem; }
.side > a { text-decoration: none; }
.brand { display: flex; align-items: center; gap: .6rem; font-weight: 680; letter-spacing: -.01em; color: var(--ink);
  text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); flex: none; }
.brand small { font-weight: 450; color: var(--soft); font-size: .85rem; }
nav h2 { font-size: .74rem; font-weight: 650; text-transform: uppercase; letter-spacing: .07em; color: var(--soft);
  margin: 1.4rem 0 .4rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; padding: .28rem 0;
  color: var(--ink); text-decoration: none; font-size: .92rem; }
nav li a:hover { color: var(--accent); }
nav .method { background: none; padding: 0; font-size: .66rem; }

main { padding: 0 1.25rem 5rem; min-width: 0; }
.hero { padding: 2.5rem 0 2rem; }
.hero h1 { font-size: clamp(2rem, 1.4rem + 2.6vw, 3.1rem); letter-spacing: -.03em; font-weight: 720; }
.hero .lead { font-size: 1.15rem; color: var(--soft); margin: .8rem 0 1rem; max-width: 38rem; text-wrap: pretty; }
.facts { display: grid; gap: .75rem 2rem; margin: 1.5rem 0 0; padding: 0; }
.facts div { min-width: 0; }
.facts dt { font-size: .74rem; font-weight: 650; text-transform: uppercase; letter-spacing: .07em; color: var(--soft); }
.facts dd { margin: .1rem 0 0; overflow-wrap: anywhere; }

.group { border-top: 1px solid var(--line); padding-top: 2.25rem; margin-top: 1rem; }
.group > h2 { font-size: 1.6rem; font-weight: 700; letter-spacing: -.02em; }
.entry { padding: 1.75rem 0 2.25rem; border-bottom: 1px solid var(--line); scroll-margin-top: 1rem; }
.entry:last-child { border-bottom: 0; }
.entry h3 { font-size: 1.25rem; font-weight: 680; margin-bottom: .6rem; }
.text { min-width: 0; }
.text > p { max-width: 40rem; }
.route { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: .6rem 0 .9rem; }
.route code { overflow-wrap: anywhere; font-size: .95rem; }
.open { font-size: .78rem; color: var(--soft); }
.method { font: 700 .7rem/1 var(--mono); letter-spacing: .04em; padding: .36rem .5rem; border-radius: 5px;
  color: var(--accent); background: var(--raised); }
.GET { color: var(--get); } .POST { color: var(--post); } .PATCH, .PUT { color: var(--patch); } .DELETE { color: var(--delete); }

table { width: 100%; border-collapse: collapse; margin: 1.2rem 0 0; font-size: .93rem; }
caption { text-align: left; font-weight: 650; padding-bottom: .45rem; }
tr { border-top: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; font-weight: 400; display: block; padding: 0; }
th { padding-top: .7rem; }
td { padding-bottom: .7rem; }
th code { font-weight: 650; overflow-wrap: anywhere; }
td p { margin: .15rem 0 0; }
th .type { display: inline-block; }
.type { color: var(--soft); font-size: .8rem; }
.required { color: var(--patch); font-size: .76rem; font-weight: 600; }
.limits { color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
.words code, p code, td code, .chips a { background: var(--raised); border: 1px solid var(--line); border-radius: 4px;
  padding: .05em .35em; overflow-wrap: anywhere; }
.words { display: flex; flex-wrap: wrap; gap: .3rem; }
details.more { margin-top: 1.2rem; }
details.more > summary { cursor: pointer; font-weight: 650; font-size: .93rem; }
details.more table { margin-top: .5rem; }
details.more caption { position: absolute; left: -99rem; }
h4 { font-size: .93rem; font-weight: 650; margin: 1.4rem 0 .5rem; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; list-style: none; margin: 0; padding: 0; }
.chips a { font: .8rem/1.5 var(--mono); text-decoration: none; color: var(--ink); display: inline-block; }
.chips a:hover { border-color: var(--accent); color: var(--accent); }
.chips b { color: var(--soft); font-weight: 500; margin-right: .4em; }

figure { margin: 0 0 1rem; border-radius: 10px; background: var(--board); border: 1px solid var(--board-line); color: var(--board-ink);
  overflow: hidden; min-width: 0; }
.board { margin-top: 1.5rem; min-width: 0; }
figcaption { padding: .55rem 1rem; font-size: .78rem; color: var(--board-soft); border-bottom: 1px solid var(--board-line);
  display: flex; gap: .6rem; }
figcaption b { color: var(--board-ink); font-weight: 600; }
pre { margin: 0; padding: .9rem 1rem; overflow: auto; max-height: 34rem; font-size: .8rem; line-height: 1.6; tab-size: 2; }
pre code { font-size: inherit; }
.s { color: var(--string); } .n { color: var(--number); } .w { color: var(--word); } .k { color: var(--name); }

.errors th { padding-right: 1rem; }
.errors tr:target, .entry:target h3 { background: var(--accent-soft); box-shadow: 0 0 0 .4rem var(--accent-soft); border-radius: 2px; }
.errors .type { font-variant-numeric: tabular-nums; }
footer { color: var(--soft); font-size: .85rem; padding-top: 2rem; }

@media (min-width: 40rem) {
  .facts { grid-template-columns: repeat(3, auto); justify-content: start; }
  th, td { display: table-cell; padding: .6rem 0; }
  th { width: 38%; padding-right: 1.25rem; }
  th code { display: block; }
  p code { white-space: nowrap; }
  td > p:first-child { margin-top: 0; }
}
@media (min-width: 62rem) {
  .menu { display: none; }
  .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  .side { display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.5rem 3rem;
    border-right: 1px solid var(--line); background: var(--raised); }
  main { padding: 0 3rem 6rem; }
  .hero { padding-top: 4rem; }
}
@media (min-width: 84rem) {
  main { max-width: 96rem; }
  .entry, .hero { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 3.5rem; }
  .board { margin-top: 0; position: sticky; top: 1.5rem; align-self: start; }
  .entry.wide { display: block; max-width: 60rem; }
}
@media print {
  .side, .menu { display: none; }
  figure { break-inside: avoid; }
}
`;
