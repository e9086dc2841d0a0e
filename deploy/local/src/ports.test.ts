import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { choosePorts, isPortFree, portNames, requirePort } from './ports.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

async function occupiedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('every port is chosen once and kept for the next start', async () => {
  const file = join(temporaryFolder(), 'ports.json')
  const first = await choosePorts(file)
  expect(new Set(portNames.map((name) => first[name])).size).toBe(portNames.length)
  expect(await choosePorts(file)).toEqual(first)
})

test('a given port is used but not kept', async () => {
  const file = join(temporaryFolder(), 'ports.json')
  expect((await choosePorts(file, { app: 3000 })).app).toBe(3000)
  expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('app')
})

test('a port file that holds something else is refused with a way out', async () => {
  const file = join(temporaryFolder(), 'ports.json')
  writeFileSync(file, '{"mongodb": "many"}')
  await expect(choosePorts(file)).rejects.toThrow(/ports\.json is damaged.*--fresh/)
})

test('a port in use is named in one line with what to type', async () => {
  const port = await occupiedPort()
  expect(await isPortFree(port)).toBe(false)
  await expect(requirePort('app', port, 'App')).rejects.toThrow(
    `Port ${port}, which App needs, is in use by another program. Stop it, or choose another with: PORT=${port + 1} npm start`,
  )
  await expect(requirePort('redis', port, 'Redis')).rejects.toThrow(/npm start -- --fresh/)
})
