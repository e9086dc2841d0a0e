import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartFolder } from '../chart/render.ts'
import { root } from '../paths.ts'
import { contents, helm, kubectl, query, tool } from './kubernetes.ts'

/** What the chart's README and the page on upgrades tell people to type, typed. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-walk-'))
  mkdirSync(join(folder, 'helm'))
  symlinkSync(chartFolder, join(folder, 'helm/parley'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const readme = readFileSync(join(chartFolder, 'README.md'), 'utf8')
function block(mark: string): string {
  const blocks = [...readme.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  const found = blocks.find((text) => text.includes(mark))
  if (!found) throw new Error(`no commands with ${mark}`)
  return found
}
/** Nothing runs in the pods here: what would ask them is left out. */
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
  expect(ready).toHaveLength(3)
  expect((await query('parley', 'secret/parley', '{.data}')).join()).toContain('IDENTITY_CLIENT_SECRET')
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
