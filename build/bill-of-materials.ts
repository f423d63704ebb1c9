import { readFile } from 'node:fs/promises';

/** A package in the lockfile. */
interface Locked {
  name?: string;
  version: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  /** Only of the project. Some of them are bundled. */
  devDependencies?: Record<string, string>;
}

/** The packages of the lockfile by their folders, such as `node_modules/zod`. The key of the project is empty. */
type Lockfile = Record<string, Locked>;

/** How a package gets to a user. */
interface Use {
  isBundled: boolean;
  /** npm installs it with the project. */
  isInstalled: boolean;
  isRequired: boolean;
}

/**
 * The software bill of materials of the project: CycloneDX 1.6 as JSON. It lists bundled packages, and packages that npm
 * installs with the project, in the versions of the lockfile. `npm sbom` knows nothing of bundles, and leaves out
 * dependencies that development also needs.
 * @param bundled folders of the packages of which code is in the bundle
 */
export async function billOfMaterials(bundled: readonly string[]): Promise<string> {
  const lockfile = (JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Lockfile })
    .packages;
  const project = lockedAt(lockfile, '');
  const uses = new Map<string, Use>();
  markInstalled(lockfile, '', true, uses);
  for (const folder of bundled) {
    const path = folder.slice(folder.indexOf('node_modules/'));
    uses.set(path, { isInstalled: uses.get(path)?.isInstalled ?? false, isBundled: true, isRequired: true });
  }
  // Several folders can have the same version of a package.
  const components = new Map<string, object>();
  const root = referenceTo(lockfile, '');
  const edges = new Map([[root, referencesFrom(lockfile, '', uses)]]);
  for (const [path, use] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reference = referenceTo(lockfile, path);
    components.set(reference, componentOf(nameAt(lockfile, path), lockedAt(lockfile, path), use));
    edges.set(reference, [...(edges.get(reference) ?? []), ...referencesFrom(lockfile, path, uses)]);
  }
  // A package that only exports others has no code in the bundle: the project depends on those directly.
  const dependencies = new Set([...edges.values()].flat());
  const unreached = [...components.keys()].filter((reference) => !dependencies.has(reference));
  edges.set(root, [...(edges.get(root) ?? []), ...unreached]);
  return JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { lifecycles: [{ phase: 'build' }], component: componentOf(nameAt(lockfile, ''), project) },
      components: [...components.values()],
      dependencies: [...edges].map(([ref, dependsOn]) => ({
        ref,
        dependsOn: [...new Set(dependsOn)].sort(),
      })),
    },
    null,
    2,
  );
}

/** Marks the dependencies of a package and theirs. Node.js finds a package in the nearest node_modules. */
function markInstalled(lockfile: Lockfile, path: string, isRequired: boolean, uses: Map<string, Use>): void {
  const { dependencies = {}, optionalDependencies = {} } = lockedAt(lockfile, path);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = findPackage(lockfile, path, name);
    // npm leaves out optional packages for other systems from some lockfiles.
    if (found === undefined) continue;
    const isRequiredHere = isRequired && !(name in optionalDependencies);
    const known = uses.get(found);
    if (known !== undefined && (known.isRequired || !isRequiredHere)) continue;
    uses.set(found, { isBundled: false, isInstalled: true, isRequired: isRequiredHere });
    markInstalled(lockfile, found, isRequiredHere, uses);
  }
}

/** The references to the dependencies of a package that are in the bill. */
function referencesFrom(lockfile: Lockfile, path: string, uses: ReadonlyMap<string, Use>): string[] {
  const { dependencies, optionalDependencies, devDependencies } = lockedAt(lockfile, path);
  return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).flatMap((name) => {
    const found = findPackage(lockfile, path, name);
    return found !== undefined && uses.has(found) ? [referenceTo(lockfile, found)] : [];
  });
}

function referenceTo(lockfile: Lockfile, path: string): string {
  return `${nameAt(lockfile, path)}@${lockedAt(lockfile, path).version}`;
}

/** An alias has the name of its package in the lockfile. */
function nameAt(lockfile: Lockfile, path: string): string {
  const { name } = lockedAt(lockfile, path);
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function lockedAt(lockfile: Lockfile, path: string): Locked {
  const locked = lockfile[path];
  if (locked === undefined) throw new Error(`package-lock.json has no ${path}`);
  return locked;
}

function findPackage(lockfile: Lockfile, from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in lockfile) return path;
  return from === ''
    ? undefined
    : findPackage(lockfile, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

function componentOf(name: string, { version, integrity, license }: Locked, use?: Use): object {
  const [algorithm = '', digest = ''] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    ...(use && { scope: use.isRequired ? 'required' : 'optional' }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    // The purl of a package with a scope starts with %40 (package-url, type "npm").
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(use && {
      properties: [
        { name: 'petstore:bundled', value: String(use.isBundled) },
        { name: 'petstore:installed', value: String(use.isInstalled) },
      ],
    }),
  };
}
