import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configSchema } from '@parley/bff/config'
import { deployedNames } from '@parley/processes/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartFolder } from '../chart/render.ts'
import { root } from '../paths.ts'
import { contents, helm, kubectl, query, tool } from './kubernetes.ts'

/** Types what the chart's README and the pages on upgrades and on new keys tell people to type. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-walk-'))
  mkdirSync(join(folder, 'helm'))
  symlinkSync(chartFolder, join(folder, 'helm/parley'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function blockIn(file: string, mark: string): string {
  const blocks = [...readFileSync(join(root, file), 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)]
  const found = blocks.map(([, text = '']) => text).find((text) => text.includes(mark))
  if (!found) throw new Error(`no commands with ${mark} in ${file}`)
  return found
}
const block = (mark: string) => blockIn('helm/parley/README.md', mark)
/** Drops commands that ask processes: nothing runs in the pods here. */
const withoutAsking = (commands: string) => commands.replaceAll(/^.*(helm test| logs ).*$/gm, '')
const type = async (commands: string) => {
  const { code, output } = await tool('bash', ['-euo', 'pipefail', '-c', `cd ${folder}\n${commands}`])
  expect(code, output).toBe(0)
  return output
}

const certificate = (name: string, key: string) =>
  `openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=test -keyout ${key} -out ${name} 2>/dev/null\n`

test('the way through the installation ends with every pod running', async () => {
  await type(
    certificate('app.example.com.crt', 'app.example.com.key') +
      certificate('company-ca.pem', 'company-ca.key') +
      [
        'create namespace parley',
        'random()',
        'create secret generic parley',
        'create secret tls',
        'cat > my-values.yaml',
      ]
        .map(block)
        .join('\n') +
      withoutAsking(block('helm install parley')),
  )
  const ready = await query('parley', 'deployments', '{range .items[*]}{.status.availableReplicas}{"\\n"}{end}')
  expect(ready).toHaveLength(deployedNames.length)
  expect((await query('parley', 'secret/parley', '{.data}')).join()).toContain('IDENTITY_CLIENT_SECRET')
})

test('new keys and secrets are taken step by step, as the BFF reads them, each with a rollout', async () => {
  const page = (mark: string) => blockIn('deploy/docs/operations/key-rotation.md', mark)
  const revision = () =>
    query('parley', 'deployment/parley-bff', '{.metadata.annotations.deployment\\.kubernetes\\.io/revision}')
  /** Returns the content of the Secret after each step, as the BFF understands it. */
  const steps = async (
    name: 'SESSION_KEYS' | 'INTERNAL_TOKEN_KEYS' | 'OIDC_WEB_CLIENT_SECRET',
    ...blocks: string[]
  ) => {
    const commands = [page('read_secret()'), ...blocks].join('\n')
    // Pods that run nothing are replaced at once, and kubectl refuses a second restart within the second.
    const watched = commands.replaceAll(/^write_secret .*$/gm, `$&\necho "now $(read_secret ${name})"\nsleep 1`)
    const values = [...(await type(watched)).matchAll(/^now (.*)$/gm)].map(([, value]) => value)
    return values.map((value) => configSchema.shape[name].parse(value))
  }
  const before = Number(await revision())
  const today = expect.stringMatching(/^k\d{8}$/)

  expect(await steps('SESSION_KEYS', page('# switch'), page('cut -d, -f1'))).toMatchObject([
    [{ id: 'k1' }, { id: today }],
    [{ id: today }, { id: 'k1' }],
    [{ id: today }],
  ])
  const made = page('base64url()')
  expect(await steps('INTERNAL_TOKEN_KEYS', made, page('INTERNAL_TOKEN_KEYS "[$new]"'))).toMatchObject([
    [{ kid: expect.any(String) }, { kid: today }],
    [{ kid: today }, { kid: expect.any(String) }],
    [{ kid: today }],
  ])
  const [both, last] = await steps(
    'OIDC_WEB_CLIENT_SECRET',
    page('rand -hex 32'),
    page('OIDC_WEB_CLIENT_SECRET "$new" &&'),
  )
  expect(both).toEqual([expect.stringMatching(/./), expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(last).toEqual([both?.[1]])
  expect(Number(await revision())).toBe(before + 8)
})

test('the dry run of an upgrade runs beside it and leaves nothing', async () => {
  // Pods come meanwhile: the autoscaler adds them.
  const objects = async () => (await contents('parley')).filter((name) => !name.startsWith('pod/'))
  const before = await objects()
  const upgrade = readFileSync(join(root, 'deploy/docs/operations/upgrade.md'), 'utf8')
  const [, commands = ''] = /# Kubernetes, with the new chart and values\n([\s\S]*?)```/.exec(upgrade) ?? []
  const output = await type(withoutAsking(commands))
  expect(output).toMatch(/job\.batch\/parley-migrations condition met/)
  expect(await objects()).toEqual(before)
  await helm('uninstall', 'parley', '--namespace', 'parley', '--wait', '--timeout', '5m')
  await kubectl('delete', 'namespace', 'parley', '--wait=false')
})
