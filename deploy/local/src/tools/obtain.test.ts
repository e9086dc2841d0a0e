import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { keycloakTool, type Source, type Tool } from './manifest.ts'
import { findObtained, obtain } from './obtain.ts'

const platform = 'linux-x64'

/** A vendor's archive: a folder with `bin/server`, a program that says its version. */
function makeArchive(): Buffer {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'server-1.2.3/bin'), { recursive: true })
  writeFileSync(join(folder, 'server-1.2.3/bin/server'), '#!/bin/sh\necho v=1.2.3\n')
  chmodSync(join(folder, 'server-1.2.3/bin/server'), 0o755)
  execFileSync('tar', ['-czf', 'archive.tgz', 'server-1.2.3'], { cwd: folder })
  return readFileSync(join(folder, 'archive.tgz'))
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/server.tgz`
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

function toolFrom(...sources: Partial<Source>[]): Tool {
  return {
    id: 'redis',
    label: 'Server',
    programs: [],
    waysOut: 'Install a server, or set SERVER_URL.',
    sources: sources.map((source) => ({
      kind: 'archive',
      platform,
      version: '1.2.3',
      from: '',
      sha256: '',
      member: 'bin/server',
      megabytes: 1,
      ...source,
    })),
  }
}

function setUp() {
  const notes: string[] = []
  const toolsDir = join(temporaryFolder(), 'tools')
  return { notes, toolsDir, options: { toolsDir, platform, note: (line: string) => void notes.push(line) } }
}

test('a tool is fetched, verified, put in place and found by the next start', async () => {
  const archive = makeArchive()
  const tool = toolFrom({ from: await serve((_, response) => response.end(archive)), sha256: sha256(archive) })
  const { options, toolsDir } = setUp()
  const located = await obtain(tool, options)
  expect(spawnSync(located.path).stdout.toString()).toBe('v=1.2.3\n')
  expect(findObtained(tool, options)).toEqual(located)
  expect(readdirSync(toolsDir)).toEqual(['redis-1.2.3'])
})

test('a download with another content is refused, deleted, and reported', async () => {
  const tool = toolFrom({ from: await serve((_, response) => response.end('malware')), sha256: '0'.repeat(64) })
  const { options, toolsDir, notes } = setUp()
  await expect(obtain(tool, options)).rejects.toThrow(/SHA-256.*Install a server, or set SERVER_URL\./)
  expect(notes.join('\n')).toContain('not 000000')
  expect(readdirSync(toolsDir)).toEqual([])
})

test('a download that breaks off half-way leaves nothing behind, and the next source is used', async () => {
  const archive = makeArchive()
  const broken = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': archive.length })
    response.write(archive.subarray(0, 20), () => response.destroy())
  })
  const good = await serve((_, response) => response.end(archive))
  const tool = toolFrom({ from: broken, sha256: sha256(archive) }, { from: good, sha256: sha256(archive) })
  const { options, toolsDir, notes } = setUp()
  expect((await obtain(tool, options)).version).toBe('1.2.3')
  expect(notes.some((line) => line.includes('could not be downloaded from'))).toBe(true)
  expect(readdirSync(toolsDir)).toEqual(['redis-1.2.3'])
})

test('a server that never answers costs seconds, not minutes', async () => {
  const tool = toolFrom({ from: await serve(() => {}), sha256: '0'.repeat(64) })
  await expect(obtain(tool, setUp().options)).rejects.toThrow(/did not answer/)
})

test('a start that is told to stop ends the transfer, asks no other source, and says nothing of it', async () => {
  const archive = makeArchive()
  const stopping = new AbortController()
  const closed = vi.fn()
  const begun = await serve((_, response) => {
    response.on('close', closed)
    response.write(archive.subarray(0, 100))
    stopping.abort(new Error('stopped'))
  })
  const asked = vi.fn()
  const other = await serve((_, response) => {
    asked()
    response.end(archive)
  })
  const { options, toolsDir, notes } = setUp()
  const tool = toolFrom({ from: begun }, { from: other, sha256: sha256(archive) })
  await expect(obtain(tool, { ...options, signal: stopping.signal })).rejects.toThrow('stopped')
  await vi.waitUntil(() => closed.mock.calls.length > 0)
  expect(notes.filter((line) => !line.startsWith('Getting '))).toEqual([])
  expect(asked).not.toHaveBeenCalled()
  expect(readdirSync(toolsDir)).toEqual([])
})

test('what an interrupted start left half-finished is removed, and reported', async () => {
  const archive = makeArchive()
  const tool = toolFrom({ from: await serve((_, response) => response.end(archive)), sha256: sha256(archive) })
  const { options, toolsDir, notes } = setUp()
  mkdirSync(join(toolsDir, `redis.${spawnSync('true').pid}`), { recursive: true })
  await obtain(tool, options)
  expect(notes).toContain('A half-finished download of Server was found and removed.')
  expect(readdirSync(toolsDir)).toEqual(['redis-1.2.3'])
})

test('a Maven artifact is fetched by mvn, verified and kept whole', async () => {
  const artifact = Buffer.from('a distribution')
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'original.zip'), artifact)
  const copy = `for word in "$@"; do case $word in -DoutputDirectory=*) cp '${folder}/original.zip' "\${word#*=}/server-1.2.3.zip";; esac; done`
  writeFileSync(join(folder, 'mvn'), `#!/bin/sh\n${copy}\n`)
  chmodSync(join(folder, 'mvn'), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const source = { kind: 'maven', from: 'a:server:1.2.3:zip', platform, version: '1.2.3', megabytes: 1 } as const
  const tool: Tool = {
    ...toolFrom(),
    sources: [{ ...source, sha256: sha256(artifact), member: 'server-1.2.3.zip' }],
  }
  const { options } = setUp()
  const { path } = await obtain(tool, options)
  expect(readFileSync(path)).toEqual(artifact)
})

test('without mvn the error says what to install', async () => {
  vi.stubEnv('PATH', temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(obtain(keycloakTool, setUp().options)).rejects.toThrow(/mvn is not installed.*set KEYCLOAK_HOME/)
})

test('a source that needs a newer C library is passed over', async () => {
  const { options } = setUp()
  const tool = toolFrom({ from: 'http://127.0.0.1:1/', minGlibc: '2.39' })
  await expect(obtain(tool, { ...options, glibc: '2.36' })).rejects.toThrow(/there is no source for linux-x64/)
})
