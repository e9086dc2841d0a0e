import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellProcesses } from '@parley/processes/cell'
import { beforeAll, expect, test } from 'vitest'
import { createPerson } from './person.ts'
import { compose, nodeWith, up } from './stack.ts'

beforeAll(up)

/** Folder in which `docker compose run` puts backups; the container writes as a user of its own. */
const backups = mkdtempSync(join(tmpdir(), 'parley-backups-'))
chmodSync(backups, 0o777)

/** Builds the commands of deploy/docs/operations/backup.md. */
const data = (service: 'profile' | 'messaging' | 'automation', command: string, ...args: string[]) => {
  const mounts = [`${process.cwd()}/deploy/backup:/app/deploy/backup:ro`, `${backups}:/backups`]
  const volumes = mounts.flatMap((mount) => ['--volume', mount])
  const node = ['node', `--env-file=/run/secrets/migrations/${service}.env`, 'deploy/backup/src/command.ts', command]
  return compose('run', '--rm', '-T', '--no-deps', ...volumes, 'migrations', ...node, ...args)
}

const saved = (service: string) => `/backups/saved-${service}`

test('the databases are saved and put back by the accounts of the stack, which may not drop a database', async () => {
  const person = await createPerson()
  const live = (address: string) =>
    expect.poll(() => person.moveTo(address), { timeout: 60_000, interval: 500 }).toMatchObject({ status: 200 })
  try {
    await live('before the backup')
    expect(await data('profile', 'backup', saved('profile'))).toContain('is whole')
    expect(await data('messaging', 'backup', saved('messaging'))).toContain('is whole')
    expect(await data('automation', 'backup', saved('automation'))).toContain('is whole')
    await live('after the backup')
    await expect(data('profile', 'restore', saved('profile'))).rejects.toThrow('is not empty')
    expect(await data('profile', 'restore', saved('profile'), '--verify')).toContain('Verified')

    await compose('stop', 'bff', 'profile', 'profile-worker', ...Object.values(cellProcesses).flat())
    for (const service of ['profile', 'messaging', 'automation'] as const)
      expect(await data(service, 'restore', saved(service), '--force')).toContain('Restored')
    await up()
    expect(await data('messaging', 'release-held')).toContain('No message is held.')
    // The cache of the profile service lives for a minute.
    await expect
      .poll(person.user, { timeout: 120_000, interval: 1000 })
      .toMatchObject({ status: 200, body: { address: 'before the backup' } })
  } finally {
    // The files belong to the container's user.
    const remove = 'for(const f of require("node:fs").readdirSync("/backups"))fs.rmSync("/backups/"+f,{recursive:true})'
    await nodeWith(`${backups}:/backups`, '-e', remove)
    rmSync(backups, { recursive: true })
  }
})
