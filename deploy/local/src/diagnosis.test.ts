import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { diagnose } from './diagnosis.ts'
import type { Check } from './problem.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const problems = (checks: Check[]) => checks.filter((check) => check.verdict === 'problem')

test('a folder in which nothing ran yet is fine', async () => {
  const checks = await diagnose({ dataDir: join(temporaryFolder(), 'new'), environment: { PORT: '31999' } })
  expect(problems(checks)).toEqual([])
  expect(checks.map((check) => check.subject)).toEqual(
    expect.arrayContaining(['Node', 'Disk', 'Lock', 'Ports', 'MongoDB', 'Redis', 'Identity provider', 'Mail']),
  )
})

test('a stale lock is a problem with a remedy', async () => {
  const dataDir = temporaryFolder()
  const pid = spawnSync('true').pid
  writeFileSync(join(dataDir, 'lock.json'), JSON.stringify({ pid, command: 'node deploy/local/start.mjs' }))
  const [problem] = problems(await diagnose({ dataDir, environment: { PORT: '31999' } }))
  expect(problem).toMatchObject({ subject: 'Lock', remedy: expect.stringContaining('npm start') })
})

test('a port in use is a problem with a remedy', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const [problem] = problems(await diagnose({ dataDir: temporaryFolder(), environment: { PORT: String(port) } }))
  expect(problem).toMatchObject({ subject: 'Ports', remedy: expect.stringContaining(`PORT=${port + 1} npm start`) })
})

test('a server named in the environment that does not answer is a problem, and its password is not shown', async () => {
  const environment = { PORT: '31999', REDIS_URL: 'redis://:secret@127.0.0.1:1', MONGODB_URL: 'not a url' }
  const found = problems(await diagnose({ dataDir: temporaryFolder(), environment }))
  expect(found.map((problem) => problem.subject)).toEqual(['MongoDB', 'Redis'])
  expect(JSON.stringify(found)).not.toContain('secret')
})

test('a Keycloak that could not run is a problem before it is started', async () => {
  const environment = { PORT: '31999', KEYCLOAK: 'real', JAVA_HOME: '/nowhere' }
  const [problem] = problems(await diagnose({ dataDir: temporaryFolder(), environment }))
  expect(problem).toMatchObject({ subject: 'Identity provider', finding: expect.stringContaining('Install Java 17') })
})

test('a damaged file is named with a way out', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'ports.json'), '{')
  const [problem] = problems(await diagnose({ dataDir, environment: {} }))
  expect(problem?.finding).toMatch(/ports\.json is damaged.*--fresh/)
})
