import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Copy, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';
import { root } from './files.ts';

/** A stage that is built without Docker: its files in a folder, and how it is started. */
export type Stage = {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
};

/**
 * Runs the steps of a Dockerfile up to a stage in folders under `into`, with the tools of this machine. A base image is
 * replaced by nothing but Node, at the path where the images have it. `prebuilt`: stages that are not built; what is copied
 * from them comes from this clone, where `npm run build` has made it.
 */
export function stageBuilder(
  dockerfile: string,
  into: string,
  prebuilt: readonly string[] = [],
): (target: string) => Stage {
  const stages = stagesOf(dockerfile);
  const built = new Map<string, Stage>();

  function build(name: string): Stage {
    const known = built.get(name);
    if (known) return known;
    const steps = stages.get(name);
    if (!steps) throw new Error(`The Dockerfile has no stage ${name}`);
    const base = (steps[0] as From).getImage()!;
    const dir = join(into, name);
    mkdirSync(dir, { recursive: true });
    if (prebuilt.includes(name)) {
      symlinkSync(root, join(dir, 'app'));
      const stage = { dir, env: {}, workdir: '/app', user: 'root', entrypoint: [], command: [] };
      built.set(name, stage);
      return stage;
    }
    let stage = stages.has(base) ? inherited(build(base), dir) : fromImage(dir);
    for (const step of steps.slice(1)) stage = apply(step, stage, build);
    built.set(name, stage);
    return stage;
  }
  return build;
}

export function stagesOf(dockerfile: string): ReadonlyMap<string, readonly Instruction[]> {
  const stages = new Map<string, Instruction[]>();
  for (const step of DockerfileParser.parse(dockerfile).getInstructions()) {
    if (step.getKeyword() === 'FROM') stages.set((step as From).getBuildStage()!, []);
    [...stages.values()].at(-1)!.push(step);
  }
  return stages;
}

function fromImage(dir: string): Stage {
  mkdirSync(join(dir, 'usr/local/bin'), { recursive: true });
  symlinkSync(process.execPath, join(dir, 'usr/local/bin/node'));
  return { dir, env: {}, workdir: '/', user: 'root', entrypoint: [], command: [] };
}

function inherited(base: Stage, dir: string): Stage {
  link(base.dir, dir);
  return { ...base, dir };
}

function apply(step: Instruction, stage: Stage, build: (name: string) => Stage): Stage {
  const text = step.getRawArgumentsContent() ?? '';
  switch (step.getKeyword()) {
    case 'WORKDIR':
      mkdirSync(join(stage.dir, text), { recursive: true });
      return { ...stage, workdir: text };
    case 'COPY':
      copy(step as Copy, stage, build);
      return stage;
    case 'RUN':
      // An absolute path would be one of this machine.
      if (/(^|\s)\//.test(text)) throw new Error(`RUN ${text} names an absolute path`);
      execFileSync('sh', ['-ec', text], {
        cwd: join(stage.dir, stage.workdir),
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return stage;
    case 'ENV': {
      const pairs = text.replaceAll('\\\n', ' ').trim().split(/\s+/);
      return {
        ...stage,
        env: { ...stage.env, ...Object.fromEntries(pairs.map(pair => pair.split('=', 2))) },
      };
    }
    case 'USER':
      return { ...stage, user: text };
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: JSON.parse(text) };
    case 'CMD':
      return { ...stage, command: JSON.parse(text) };
    case 'EXPOSE':
    case 'VOLUME':
    case 'STOPSIGNAL':
    case 'HEALTHCHECK':
      return stage;
    default:
      throw new Error(`${step.getKeyword()} is unknown: extend test/deploy/dockerfile.ts`);
  }
}

/** The stage that a COPY takes from, if it is not the build context. */
export const fromOf = (step: Copy) =>
  step
    .getFlags()
    .find(flag => flag.getName() === 'from')
    ?.getValue() ?? undefined;

function copy(step: Copy, stage: Stage, build: (name: string) => Stage): void {
  const from = fromOf(step);
  const paths = step.getArguments().map(argument => argument.getValue());
  const target = paths.at(-1)!;
  for (const path of paths.slice(0, -1)) {
    const source = from ? join(build(from).dir, path) : join(root, path);
    const isIntoFolder = target.endsWith('/') || target === './';
    const place = join(stage.dir, target.startsWith('/') ? target : join(stage.workdir, target));
    const destination = isIntoFolder && !statSync(source).isDirectory() ? join(place, basename(path)) : place;
    mkdirSync(dirname(destination), { recursive: true });
    if (from) link(source, destination);
    else cpSync(source, destination, { recursive: true, filter: file => !isIgnored(file) });
  }
}

/** Copies between stages are hard links, to avoid writing half a gigabyte each. */
function link(source: string, destination: string): void {
  // A file that a later stage copies replaces that of its base.
  if (existsSync(destination) && !statSync(destination).isDirectory()) rmSync(destination);
  execFileSync('cp', ['--archive', '--link', '--no-target-directory', source, destination]);
}

const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter(line => /^[^#!*]|^\*\*/.test(line));
let ignoredFiles: ReadonlySet<string> | undefined;

function isIgnored(file: string): boolean {
  ignoredFiles ??= new Set(
    globSync([...ignored], { cwd: root, exclude: ['node_modules/**'] }).map(one => join(root, one)),
  );
  return ignoredFiles.has(file);
}
