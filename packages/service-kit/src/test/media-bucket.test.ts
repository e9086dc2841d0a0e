import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe } from 'vitest'
import { s3UrlSchema } from '../core/config.ts'
import type { FileContents } from '../media/file-contents.ts'
import { inBucket } from '../media/s3-contents.ts'
import { freePort } from '../testing/free-port.ts'
import { testMedia } from './media-contract.ts'

const program = 'versitygw'
const [key, secret] = ['parley', 'parley-secret']
const folder = mkdtempSync(join(tmpdir(), 'parley-bucket-'))
const objects = join(folder, 'objects/files/here/media')
let server: ChildProcess | undefined
let bucket: FileContents | undefined

// A real S3 server, where this machine has one: the stage `long` builds it.
describe.skipIf(spawnSync(program, ['--version']).error)('in a bucket', () => {
  beforeAll(async () => {
    const port = await freePort()
    for (const name of ['objects/files', 'sidecar']) mkdirSync(join(folder, name), { recursive: true })
    const store = ['posix', '--sidecar', join(folder, 'sidecar'), join(folder, 'objects')]
    server = spawn(program, ['--access', key, '--secret', secret, '--port', `127.0.0.1:${port}`, ...store], {
      stdio: 'ignore',
    })
    const origin = `127.0.0.1:${port}`
    while (!(await fetch(`http://${origin}`).catch(() => undefined))) await wait(50)
    bucket = inBucket(s3UrlSchema.parse(`http://${key}:${secret}@${origin}/files/here`))
  })
  afterAll(async () => {
    if (server?.kill()) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })

  testMedia({
    bucket: () => bucket,
    contents: async () => [listed(objects).length],
    clear: async () => rmSync(objects, { recursive: true, force: true }),
  })
})

function listed(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
