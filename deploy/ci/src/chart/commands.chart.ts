import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configSchema as bff } from '@parley/bff/config'
import { configSchema as identity } from '@parley/identity/config'
import { deployedNames } from '@parley/processes/processes'
import { configSchema as profile } from '@parley/profile/config'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../paths.ts'
import { chartFolder, renderText } from './render.ts'

/**
 * Runs the commands that the pages tell people to type, with stand-ins for the cluster's programs that keep a Secret in a folder.
 */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-commands-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const blocks = (page: string) => [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block)
const readme = readFileSync(join(chartFolder, 'README.md'), 'utf8')
const rotation = readFileSync(join(root, 'deploy/docs/operations/key-rotation.md'), 'utf8')
/** The block of a page with this text. */
function block(page: string, mark: string): string {
  const found = blocks(page).find((one) => one.includes(mark))
  if (!found) throw new Error(`no commands with ${mark}`)
  return found
}

const kubectl = String.raw`
kubectl() {
  local all="$*" one
  case "$all" in
    *"get secret parley"*)
      one=\${all##*.data.}; openssl base64 -A -in "$SECRETS/\${one%\}*}" ;;
    *"patch secret parley"*)
      printf %s "\${*: -1}" > "$SECRETS/.patch"
      sed -E 's/^\{"data":\{"([A-Z_]+)":"([^"]*)"\}\}$/\2/' "$SECRETS/.patch" | openssl base64 -d -A > "$SECRETS/.value"
      mv "$SECRETS/.value" "$SECRETS/$(sed -E 's/^\{"data":\{"([A-Z_]+)".*$/\1/' "$SECRETS/.patch")" ;;
    *"rollout restart"*) cat "$SECRETS/$WATCHED" >> "$SECRETS/.restarts"; echo >> "$SECRETS/.restarts" ;;
    *"rollout status"*) ;;
    *) echo "unexpected: kubectl $all" >&2; return 1 ;;
  esac
}
`.replaceAll('\\$', '$')

function bash(script: string, watched = ''): void {
  const env = { ...process.env, SECRETS: folder, WATCHED: watched }
  const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', `${kubectl}\n${script}`], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stderr}\n${script}`)
}
const secret = (name: string) => readFileSync(join(folder, name), 'utf8')
const restarts = () => secret('.restarts').trim().split('\n')

const secretSchema = z.object({ kind: z.literal('Secret'), stringData: z.record(z.string(), z.string()) })

/** Runs the script as the page has it. @returns what the Secret holds. */
function makeSecrets(): Record<string, string> {
  const at = `cd '${root}' && `
  bash(at + block(readme, 'secrets.sh').replace('secrets.sh parley-secrets', `secrets.sh '${folder}/parley-secrets'`))
  return secretSchema.parse(parse(secret('parley-secrets/secret.yaml'))).stringData
}

test('the script makes every secret that the chart asks for, and makes none anew', () => {
  const stringData = makeSecrets()
  const { secrets } = z
    .object({ secrets: z.record(z.string(), z.object({ key: z.string() })) })
    .parse(parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')))
  const { mediaS3Url, workRedisUrl: _second, ...asked } = secrets
  expect(mediaS3Url?.key).toBe('MEDIA_S3_URL')
  expect(Object.keys(stringData).sort()).toEqual(
    Object.values(asked)
      .map(({ key }) => key)
      .sort(),
  )
  const before = secret('parley-secrets/secret.yaml')
  expect(() => makeSecrets()).toThrow('is there already')
  expect(secret('parley-secrets/secret.yaml')).toBe(before)
})

test('users of the stores and clients of the realm have the passwords of the Secret', () => {
  const stringData = makeSecrets()
  for (const [variable, database] of [
    ['MONGODB_URL', 'parley_profile'],
    ['MESSAGING_MONGODB_URL', 'parley_messaging'],
    ['AUTOMATION_MONGODB_URL', 'parley_automation'],
  ] as const) {
    const { password, pathname } = new URL(stringData[variable] ?? '')
    expect(pathname).toBe(`/${database}`)
    expect(secret('parley-secrets/mongodb.js')).toContain(
      `('${database}').createUser({ user: 'parley', pwd: '${password}'`,
    )
  }
  // The user outlives a restart of the server.
  expect(secret('parley-secrets/redis.txt')).toMatch(/\nACL SAVE\n$/)
  expect(secret('parley-secrets/redis.txt')).toContain(`on >${new URL(stringData['REDIS_URL'] ?? '').password} `)
  expect(secret('parley-secrets/keycloak.env')).toBe(
    `BFF_WEB_SECRET=${stringData['OIDC_WEB_CLIENT_SECRET']}\nBFF_PASSWORD_SECRET=${stringData['OIDC_PASSWORD_CLIENT_SECRET']}\nSVC_IDENTITY_SECRET=${stringData['IDENTITY_CLIENT_SECRET']}\n`,
  )
})

test('the Secret that the way through the installation makes is one with which every process starts', () => {
  const stringData = makeSecrets()
  for (const { shape } of [bff, identity, profile]) {
    for (const [name, schema] of Object.entries(shape)) {
      if (/SECRET$|_KEYS$|^MONGODB_URL$|^REDIS_URL$/.test(name))
        expect(schema.safeParse(stringData[name]).error).toBe(undefined)
    }
  }
  const signers = [
    'INTERNAL_TOKEN_KEYS',
    'PROFILE_TOKEN_KEYS',
    'PROFILE_WORKER_TOKEN_KEYS',
    'MESSAGING_TOKEN_KEYS',
    'MESSAGING_WORKER_TOKEN_KEYS',
    'AUTOMATION_TOKEN_KEYS',
    'AUTOMATION_WORKER_TOKEN_KEYS',
  ].map((name) => stringData[name])
  for (const keys of signers) expect(bff.shape.INTERNAL_TOKEN_KEYS.safeParse(keys).error).toBe(undefined)
  expect(new Set(signers).size).toBe(7)
  expect(stringData['REDIS_URL']).toMatch(/^rediss:\/\/parley:[0-9a-f]{64}@/)
})

test('its values are values that the chart takes', () => {
  const [, values = ''] = /cat > my-values\.yaml <<'END'\n([\s\S]*?)END\n/.exec(readme) ?? []
  const file = join(folder, 'my-values.yaml')
  writeFileSync(file, values)
  const text = renderText(file)
  expect(text).toContain('image: "registry.example.com/parley/bff:0.2.0"')
  expect(text).toContain('secretName: "app-example-com"')
})

const tools = block(rotation, 'read_secret()')
const key = `k1:${Buffer.alloc(32).toString('base64')}`
const jwk = '{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"x","d":"d"}'

test('the commands for session keys restart with both keys before the old one goes', () => {
  writeFileSync(join(folder, 'SESSION_KEYS'), key)
  bash(tools + block(rotation, '"$old,$new" && restart bff'), 'SESSION_KEYS')
  bash(tools + block(rotation, 'cut -d, -f1'), 'SESSION_KEYS')
  const names = restarts().map((text) => bff.shape.SESSION_KEYS.parse(text).map(({ id }) => id))
  const fresh = names[2]?.[0]
  expect(fresh).not.toBe('k1')
  expect(names).toEqual([['k1', fresh], [fresh, 'k1'], [fresh]])
})

test.each([
  ['SECRET_KEYS', 'restart_messaging()', deployedNames.filter((name) => name.startsWith('messaging'))],
  ['AUTOMATION_SECRET_KEYS', 'restart_automation()', deployedNames.filter((name) => name.startsWith('automation'))],
] as const)(
  'those for %s restart each process that opens what they seal, and keep the old one',
  (name, mark, processes) => {
    writeFileSync(join(folder, name), key)
    const commands = block(rotation, mark)
    bash(tools + commands, name)
    const names = restarts().map((text) => bff.shape.SESSION_KEYS.parse(text).map(({ id }) => id))
    const fresh = names.at(-1)?.[0]
    expect(fresh).not.toBe('k1')
    const of = (ids: unknown) => processes.map(() => ids)
    expect(names).toEqual([...of(['k1', fresh]), ...of([fresh, 'k1'])])
    expect(processes.filter((process) => !new RegExp(`\\b${process}\\b(?!-)`).test(commands))).toEqual([])
  },
)

test('those for internal token keys publish the new one before it signs', () => {
  writeFileSync(join(folder, 'INTERNAL_TOKEN_KEYS'), `[${jwk}]`)
  bash(tools + block(rotation, 'base64url()') + block(rotation, 'INTERNAL_TOKEN_KEYS "[$new]"'), 'INTERNAL_TOKEN_KEYS')
  const names = restarts().map((text) => bff.shape.INTERNAL_TOKEN_KEYS.parse(text).map(({ kid }) => kid))
  const fresh = names[2]?.[0]
  expect(fresh).not.toBe('k1')
  expect(names).toEqual([['k1', fresh], [fresh, 'k1'], [fresh]])
})

test('those for a client secret know both before Keycloak is told', () => {
  writeFileSync(join(folder, 'OIDC_WEB_CLIENT_SECRET'), 'old-secret')
  bash(
    tools + block(rotation, 'new=$(openssl rand -hex 32)') + block(rotation, 'OIDC_WEB_CLIENT_SECRET "$new"'),
    'OIDC_WEB_CLIENT_SECRET',
  )
  const known = restarts().map((text) => bff.shape.OIDC_WEB_CLIENT_SECRET.parse(text))
  const fresh = known[1]?.[0]
  expect(known).toEqual([['old-secret', fresh], [fresh]])
})

test('the dry run of an upgrade is what its page makes of the Job', () => {
  const upgrade = readFileSync(join(root, 'deploy/docs/operations/upgrade.md'), 'utf8')
  const [, expression = ''] = /sed '([^']+)'/.exec(upgrade) ?? []
  const { stdout } = spawnSync('sed', [expression], {
    input: renderText(join(chartFolder, 'ci/minimal-values.yaml')),
    encoding: 'utf8',
  })
  expect(stdout).toContain('command: [node, services/profile/src/migrate.ts, --dry-run]')
})
